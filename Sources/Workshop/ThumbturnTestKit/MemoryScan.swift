import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

#if os(Linux)
/// Searches the memory of another process for secrets, through `/proc`.
package struct MemoryScan {
    /// The minimum number of consecutive bytes of a secret that count as found.
    package static let windowByteCount = 12

    /// A part of a secret found in memory.
    package struct Hit: Hashable, Sendable, CustomStringConvertible {
        package let secret: String
        package let address: UInt
        package let byteCount: Int
        /// The line of `/proc/PID/maps`, or the file.
        package let mapping: String

        package var description: String {
            "\(byteCount) bytes of \(secret) at \(String(address, radix: 16)) in \(mapping)"
        }
    }

    /// The number of bytes that could be read.
    package private(set) var byteCount = 0
    /// The parts found, each address once.
    package private(set) var hits: [Hit] = []

    // A window of 12 bytes contains one of the pieces of 6 that start at every seventh byte of its secret.
    private static let pieceByteCount = 6
    private static let pieceDistance = 7
    private static let chunk = 1 << 20

    /// Scans every readable mapping of a process.
    package init(of process: Int32, for secrets: [String: [UInt8]]) throws {
        let maps = try Self.lines(of: "/proc/\(process)/maps")
        let memory = unsafe open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw POSIXError(.EACCES) }
        defer { close(memory) }
        for line in maps {
            let fields = line.split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, fields[1].hasPrefix("r") else { continue }
            scan(bounds[0]..<bounds[1], of: memory, mapping: line, for: secrets)
        }
    }

    /// Scans a file, such as a core dump.
    package init(of file: String, for secrets: [String: [UInt8]]) throws {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.ENOENT) }
        defer { close(descriptor) }
        scan(0..<UInt(lseek(descriptor, 0, SEEK_END)), of: descriptor, mapping: file, for: secrets)
    }

    /// Reads a file of `/proc` to its end; it has no length, and each read returns as much as the kernel chooses.
    package static func lines(of path: String) throws -> [String] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw POSIXError(.ENOENT) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func scan(
        _ range: Range<UInt>,
        of memory: Int32,
        mapping: String,
        for secrets: [String: [UInt8]]
    ) {
        let overlap = secrets.values.map(\.count).max() ?? 0
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        var start = range.lowerBound
        while start < range.upperBound {
            let wanted = min(Self.chunk, Int(range.upperBound - start))
            let count = unsafe pread(memory, &buffer, wanted, off_t(start))
            guard count > 0 else { return }  // the kernel's own pages
            byteCount += count
            for (name, secret) in secrets {
                find(secret, name, in: buffer, count, at: start, mapping)
            }
            if count < wanted || start + UInt(count) == range.upperBound { return }
            start += UInt(max(1, count - overlap))
        }
    }

    private mutating func find(
        _ secret: [UInt8],
        _ name: String,
        in buffer: [UInt8],
        _ count: Int,
        at base: UInt,
        _ mapping: String
    ) {
        for piece in stride(from: 0, through: secret.count - Self.pieceByteCount, by: Self.pieceDistance) {
            var position = 0
            while let found = Self.position(
                of: secret[piece..<piece + Self.pieceByteCount],
                in: buffer,
                position..<count
            ) {
                position = found + 1
                var (first, last) = (0, Self.pieceByteCount)
                while piece + first > 0, found + first > 0, secret[piece + first - 1] == buffer[found + first - 1] {
                    first -= 1
                }
                while piece + last < secret.count, found + last < count, secret[piece + last] == buffer[found + last] {
                    last += 1
                }
                let address = base + UInt(found + first)
                guard last - first >= Self.windowByteCount, !hits.contains(where: { $0.address == address }) else {
                    continue
                }
                hits.append(Hit(secret: name, address: address, byteCount: last - first, mapping: mapping))
            }
        }
    }

    private static func position(of piece: ArraySlice<UInt8>, in buffer: [UInt8], _ range: Range<Int>) -> Int? {
        unsafe buffer.withUnsafeBytes { buffer -> Int? in
            unsafe piece.withUnsafeBytes { piece -> Int? in
                guard let start = buffer.baseAddress, let needle = piece.baseAddress else { return nil }
                var position = range.lowerBound
                let last = range.upperBound - piece.count
                while position <= last,
                    let found = unsafe memchr(start + position, Int32(piece[0]), last - position + 1)
                {
                    position = unsafe UnsafeRawPointer(found) - start
                    if unsafe memcmp(found, needle, piece.count) == 0 { return position }
                    position += 1
                }
                return nil
            }
        }
    }
}
#endif
