#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whole files, for this user only.
enum File {
    static func read(_ path: String) throws -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FuzzError(what: "\(path) can't be read") }
        defer { _ = close(file) }
        var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
        guard unsafe pread(file, &bytes, bytes.count, 0) == bytes.count else {
            throw FuzzError(what: "\(path) is short")
        }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FuzzError(what: "\(path) can't be written") }
        defer { _ = close(file) }
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw FuzzError(what: "\(path) is full")
        }
    }

    static func remove(_ path: String) { _ = unsafe unlink(path) }
}
