import Glibc

/// Reads lines from a descriptor, blocking.
final class LineReader {
    /// The most bytes of a line, which is far more than a state has.
    private static let maximumByteCount = 4 << 20

    private let descriptor: Int32
    private var unread: [UInt8] = []
    /// How far `unread` was searched for the end of a line.
    private var searched = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Returns the next line without its end; `nil` at the end, after an error, and for a line that is too long.
    func next() -> [UInt8]? {
        while true {
            if let end = unread[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(unread[..<end])
                unread.removeFirst(end + 1)
                searched = 0
                return line
            }
            searched = unread.count
            guard unread.count <= Self.maximumByteCount, readOn() else { return nil }
        }
    }

    private func readOn() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            unread += chunk[..<count]
            return true
        }
    }
}

extension Int32 {
    /// Writes all bytes to this descriptor, blocking.
    ///
    /// - Returns: whether the other end took them.
    func writeAll(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in unsafe writeAll(buffer.bytes) }
    }

    /// Writes all lent bytes to this descriptor, blocking, without copying them.
    func writeAll(_ bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var rest = unsafe buffer
            while unsafe !rest.isEmpty {
                let count = unsafe write(self, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
    }
}
