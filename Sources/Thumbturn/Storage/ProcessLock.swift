import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps other processes, and other vault objects on the same folder, out of a transition (A12, A38).
///
/// A lock belongs to an open file, so it ends with the process however that ends.
final class ProcessLock: Sendable {
    static let fileName = "lock"
    private let lock: LockFile
    private let turnstilePath: String

    /// Opens the lock file of `folder`, and makes it when it is missing.
    init(in folder: String) throws(VaultError) {
        lock = try LockFile(folder + "/" + Self.fileName)
        turnstilePath = folder + "/" + Self.fileName + ".next"
    }

    /// Waits for the lock.
    ///
    /// - Throws: `.busy` when others keep it for 10 s.
    func acquire() async throws(VaultError) {
        // Whoever waits holds this one, so that the last holder can't come back before him. It keeps an order and nothing
        // else: where it can't be made, as on a full disk, there is none.
        let turnstile = try? LockFile(turnstilePath)
        defer { turnstile?.release() }
        var isNext = turnstile == nil
        for attempt in 0..<2_000 {
            if let turnstile, !isNext { isNext = try turnstile.tryAcquire() }
            if isNext, try lock.tryAcquire() { return }
            // Transitions take milliseconds; only a KDF in another process takes longer.
            try? await Task.sleep(nanoseconds: attempt < 20 ? 1_000_000 : 5_000_000)
        }
        throw VaultError(.busy)
    }

    /// Takes the lock if nobody has it.
    ///
    /// - Returns: whether it did.
    func tryAcquire() throws(VaultError) -> Bool { try lock.tryAcquire() }

    /// Waits as `acquire`, for a caller that speaks of refusals.
    func acquire(or refusal: DeviceRefusal) async throws(DeviceRefusal) {
        do { try await acquire() } catch { throw refusal }
    }

    func release() { lock.release() }
}

/// An empty file that one open file at a time may have locked.
private final class LockFile: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws(VaultError) {
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? VaultError(.vaultUnsafe, fault: .linkedFile) : VaultError("lock", errno: errno)
        }
        // A pipe would lock too, and a file of two names would be another folder's lock. One that was just deleted has none.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
            _ = close(descriptor)
            throw VaultError(.vaultUnsafe)
        }
    }

    deinit { _ = close(descriptor) }

    func tryAcquire() throws(VaultError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else {
            throw VaultError("lock", errno: errno)
        }
        return false
    }

    func release() { _ = flock(descriptor, LOCK_UN) }
}
