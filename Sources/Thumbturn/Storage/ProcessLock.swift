import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps other processes, and other vault objects on the same folder, out of a transition (A12, A38).
///
/// The lock belongs to an open file, so it ends with the process however that ends.
final class ProcessLock: Sendable {
    static let fileName = "lock"
    private let descriptor: Int32

    /// Opens the lock file of `folder`, and makes it when it is missing.
    init(in folder: String) throws(VaultError) {
        descriptor = unsafe open(
            folder + "/" + Self.fileName,
            O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
            0o600
        )
        guard descriptor >= 0 else {
            throw errno == ELOOP ? VaultError(.vaultUnsafe) : VaultError(.storageUnavailable, "lock: errno \(errno)")
        }
    }

    deinit { _ = close(descriptor) }

    /// Waits for the lock.
    ///
    /// - Throws: `.busy` when another holder keeps it for 10 s.
    func acquire() async throws(VaultError) {
        for attempt in 0..<2_000 {
            if try tryAcquire() { return }
            // Transitions take milliseconds; only a KDF in another process takes longer.
            try? await Task.sleep(nanoseconds: attempt < 20 ? 1_000_000 : 5_000_000)
        }
        throw VaultError(.busy)
    }

    /// Takes the lock if nobody has it.
    ///
    /// - Returns: whether it did.
    func tryAcquire() throws(VaultError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else {
            throw VaultError(.storageUnavailable, "lock: errno \(errno)")
        }
        return false
    }

    /// Waits as `acquire`, for a caller that speaks of refusals.
    func acquire(or refusal: DeviceRefusal) async throws(DeviceRefusal) {
        do { try await acquire() } catch { throw refusal }
    }

    func release() { _ = flock(descriptor, LOCK_UN) }
}
