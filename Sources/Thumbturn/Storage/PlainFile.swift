import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that may lie anywhere, open for reading.
final class PlainFile {
    let byteCount: Int
    private let descriptor: Int32

    /// - Throws: `.vaultMissing`, `.vaultUnsafe` when it is no plain file, `.backupTooLarge`, `.storageUnavailable`.
    init(_ path: String) throws(VaultError) {
        descriptor = try FileCopy.openSource(path)
        var status = stat()
        byteCount = unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    deinit { _ = close(descriptor) }

    /// Some of its bytes; fewer where it ends before.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        var total = 0
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while total < count {
                let rest = unsafe buffer.baseAddress.map { unsafe $0 + total }
                let step = unsafe pread(descriptor, rest, count - total, off_t(offset + total))
                if step < 0, errno == EINTR { continue }
                if step < 0 { failure = errno }
                if step <= 0 { break }
                total += step
            }
            initialized = total
        }
        guard failure == 0 else { throw VaultError("read", errno: failure) }
        return bytes
    }
}
