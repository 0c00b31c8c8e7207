import CTLS
import Glibc
import Testing
import ThumbturnTestKit

@testable import ThumbturnHTTP

/// A random text that lies in memory only as two others, whose difference it is; so a scan of this very process finds copies
/// alone.
struct MaskedText {
    private let masked: [UInt8]
    private let mask: [UInt8]

    /// Letters from b to w: other tests fill memory with a and x, and a scan would look at each.
    static func make() -> MaskedText {
        let mask = (0..<48).map { _ in UInt8.random(in: 0...255) }
        return MaskedText(masked: mask.map { $0 ^ UInt8.random(in: 0x62...0x77) }, mask: mask)
    }

    func append(to bytes: inout [UInt8]) {
        for index in masked.indices { bytes.appendWiping(masked[index] ^ mask[index]) }
    }

    /// Half of a request that has the text in a header field and all over its content; the content's end is still due.
    func request(isChunked: Bool, half: Int) -> [UInt8] {
        let count = 200
        var bytes: [UInt8] = []
        if half == 0 {
            bytes += "POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ".utf8
            append(to: &bytes)
            let length = 2 * count * masked.count
            let framing = isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(length + 3)\r\n\r\n"
            bytes.appendWiping(Array("\r\n\(framing)".utf8))
            if isChunked { bytes.appendWiping(Array((String(length, radix: 16) + "\r\n").utf8)) }
        }
        for _ in 0..<count { append(to: &bytes) }
        return bytes
    }

    /// How often the text, or the end of one, lies in this process's memory.
    func traces() throws -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        // What was copied to be looked at must not be found again: it lies amid pages of which nobody else has any.
        let size = 1 << 16
        let pages = unsafe mmap(nil, 3 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let start = try unsafe #require(unsafe pages)
        defer { unsafe munmap(start, 3 * size) }
        let buffer = unsafe UnsafeRawBufferPointer(start: start + size, count: size)
        let own = unsafe UInt(bitPattern: start)..<UInt(bitPattern: start + 3 * size)
        var found = 0
        for mapping in try Self.mappings() {
            for address in stride(from: mapping.lowerBound, to: mapping.upperBound, by: size - masked.count) {
                let chunk = address..<min(mapping.upperBound, address + UInt(size))
                guard !chunk.overlaps(own) else { continue }
                let count = unsafe pread(memory, start + size, chunk.count, off_t(address))
                guard count > 0 else { break }
                for piece in [0, masked.count / 2] {
                    found += unsafe occurrences(of: piece, in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }
        }
        return found
    }

    /// How often half of the text is there that begins at `piece`.
    private func occurrences(of piece: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        let half = masked.count / 2
        var (found, position) = (0, 0)
        while position + half <= bytes.count,
            let hit = unsafe memchr(
                start + position,
                CInt(masked[piece] ^ mask[piece]),
                bytes.count - half - position + 1
            )
        {
            position = unsafe start.distance(to: UnsafeRawPointer(hit))
            // No closure: a scan comes here a million times, and nothing is inlined in a debug build.
            var length = 1
            while length < half, unsafe bytes[position + length] == masked[piece + length] ^ mask[piece + length] {
                length += 1
            }
            found += length == half ? 1 : 0
            position += 1
        }
        return found
    }

    private static func mappings() throws -> [Range<UInt>] {
        try MemoryScan.lines(of: "/proc/self/maps").compactMap { line in
            let fields = line.split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return bounds.count == 2 && fields[1].hasPrefix("rw") ? bounds[0]..<bounds[1] : nil
        }
    }
}
