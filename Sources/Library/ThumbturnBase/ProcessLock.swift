import ThumbturnFiles
package import ThumbturnRules

/// Keeps other processes, and other vault objects on the same folder, out of a transition (A12, A38).
///
/// A lock belongs to an open file, so it ends with the process in any case.
package final class ProcessLock: Sendable {
    /// The file in the folder.
    package static let fileName = "lock"
    private let lock: FileLock
    private let turnstilePath: String

    /// Opens the lock file of `folder`, and creates it if it is missing.
    package init(in folder: String) throws(VaultError) {
        do { lock = try FileLock(folder + "/" + Self.fileName) } catch { throw VaultError("lock", error) }
        turnstilePath = folder + "/" + Self.fileName + ".next"
    }

    /// Waits for the lock.
    ///
    /// - Throws: `.busy` when others keep it for `Patience.vaultLock`.
    package func acquire() async throws(VaultError) {
        // The waiting process holds the turnstile, so that the last holder of the lock can't overtake it. It only keeps
        // the order: if it can't be created, as on a full disk, there is none.
        let turnstile = try? FileLock(turnstilePath)
        defer { turnstile?.release() }
        var isNext = turnstile == nil
        for attempt in 0..<Int(Patience.vaultLock.count / 5) {
            if let turnstile, !isNext { isNext = try Self.take(turnstile) }
            if isNext, try tryAcquire() { return }
            // Transitions take milliseconds; only a KDF in another process takes longer.
            try? await Task.sleep(nanoseconds: attempt < 20 ? 1_000_000 : 5_000_000)
        }
        throw VaultError(.busy)
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: whether it did.
    package func tryAcquire() throws(VaultError) -> Bool { try Self.take(lock) }

    /// Releases the lock to the next process.
    package func release() { lock.release() }

    private static func take(_ lock: FileLock) throws(VaultError) -> Bool {
        do { return try lock.tryAcquire() } catch {
            guard case .system = error else { throw VaultError("lock", error) }
            throw VaultError(FolderNeed.locks)
        }
    }
}
