import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file or pipe that is read once, from its beginning, in pieces: of any length, in the memory of one piece.
package final class InputFile {
    private static let pieceByteCount = 1 << 16

    private let descriptor: Int32
    private let isOwn: Bool
    private let unreadable: Failure

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: `-` means standard input.
    ///   - unreadable: what to throw when it can't be opened or read.
    package init(_ path: String, orThrow unreadable: Failure) throws(Failure) {
        self.unreadable = unreadable
        isOwn = path != "-"
        descriptor = isOwn ? unsafe open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else { throw unreadable }
    }

    deinit { if isOwn, descriptor >= 0 { close(descriptor) } }

    /// Returns the next piece; nil at the end.
    package func next() throws(Failure) -> [UInt8]? {
        var count = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { buffer, initialized in
            repeat {
                count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        guard count >= 0 else { throw unreadable }
        return piece.isEmpty ? nil : piece
    }

    /// Returns what stands up to the end of the first line, or more; all of it where no line ends.
    ///
    /// - Parameter limit: the number of bytes that need no end of a line.
    package func firstLine(upTo limit: Int) throws(Failure) -> [UInt8] {
        var start: [UInt8] = []
        while start.count <= limit, !start.contains(UInt8(ascii: "\n")), let piece = try next() { start += piece }
        return start
    }

    /// Returns all of it, or nil for more than `limit` bytes.
    package func contents(upTo limit: Int) throws(Failure) -> [UInt8]? {
        var contents: [UInt8] = []
        while let piece = try next() {
            contents += piece
            guard contents.count <= limit else { return nil }
        }
        return contents
    }
}
