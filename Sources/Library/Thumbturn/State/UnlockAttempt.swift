import ThumbturnRules

/// One try to open the vault, from the moment it was asked for.
///
/// A lock that comes before it is done ends it: it opens nothing any more, however far it has come (A36).
struct UnlockAttempt {
    /// What all attempts since the last lock go through.
    final class Door {
        fileprivate var isShut = false

        /// Ends every attempt that has begun.
        func shut() { isShut = true }
    }

    let startedAt: ClockReading
    private let door: Door

    init(at now: ClockReading, through door: Door) {
        startedAt = now
        self.door = door
    }

    /// - Throws: `.locked` once a lock came.
    func requireOngoing() throws(VaultError) {
        if door.isShut { throw VaultError(.locked) }
    }
}
