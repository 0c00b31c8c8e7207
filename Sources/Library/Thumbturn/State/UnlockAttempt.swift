import ThumbturnRules

/// One attempt to open the vault, from the moment it was requested.
///
/// A lock before it completes ends it: from any step, it opens nothing any more (A36).
struct UnlockAttempt {
    /// A door that all attempts since the last lock go through.
    final class Door {
        fileprivate var isShut = false

        /// Ends every attempt that has started.
        func shut() { isShut = true }
    }

    let startedAt: ClockReading
    private let door: Door

    init(at now: ClockReading, through door: Door) {
        startedAt = now
        self.door = door
    }

    /// Checks that no lock has ended the attempt.
    ///
    /// - Throws: `.locked` after a lock.
    func requireOngoing() throws(VaultError) {
        if door.isShut { throw VaultError(.locked) }
    }
}
