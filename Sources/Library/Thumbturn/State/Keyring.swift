import ThumbturnRules

/// The keys in memory: of the open session, and of one that may take its place; no other code replaces either.
final class Keyring {
    /// The open session; nil while locked.
    private(set) var session: Session?
    /// A session that may become the open one: an opened slot that the rules are still judging, or a key being created.
    private(set) var candidate: Session?
    /// The unlock attempt that the rules are judging.
    private(set) var attempt: UnlockAttempt?
    /// How often an explicit lock has ended all attempts.
    private(set) var lockCount: UInt64 = 0
    private var idleTimer: Task<Void, Never>?

    deinit { idleTimer?.cancel() }

    /// Keeps a session until the rules open or refuse it.
    func propose(_ session: Session) { candidate = session }

    /// Discards a session that will not be opened.
    func dropCandidate() {
        candidate?.forget()
        candidate = nil
    }

    /// Opens the candidate in place of the open session; without one, the open session gets the scope.
    func open(_ scope: SessionScope) {
        if let candidate {
            candidate.secretSuffices = session?.secretSuffices ?? false
            session?.forget()
            session = candidate
        }
        candidate = nil
        session?.scope = scope
    }

    /// Zeroises all keys.
    func erase() {
        dropCandidate()
        session?.forget()
        session = nil
        idleTimer?.cancel()
    }

    /// Starts an attempt to open the vault.
    func newAttempt(at now: ClockReading) -> UnlockAttempt { UnlockAttempt(at: now, with: self) }

    /// Ends all attempts that have started.
    func endAttempts() { lockCount &+= 1 }

    /// Notes which attempt the rules are judging; nil once they have.
    func judge(_ attempt: UnlockAttempt?) { self.attempt = attempt }

    /// Replaces the timer that locks an idle session.
    func watch(by timer: Task<Void, Never>) {
        idleTimer?.cancel()
        idleTimer = timer
    }
}

/// One attempt to open the vault, from the moment it was requested.
///
/// A lock before it completes ends it: from any step, it opens nothing any more (A36).
struct UnlockAttempt {
    let startedAt: ClockReading
    private let keys: Keyring
    private let lockCount: UInt64

    fileprivate init(at now: ClockReading, with keys: Keyring) {
        startedAt = now
        self.keys = keys
        lockCount = keys.lockCount
    }

    /// Checks that no lock has ended the attempt.
    ///
    /// - Throws: `.locked` after a lock.
    func requireOngoing() throws(VaultError) { if lockCount != keys.lockCount { throw VaultError(.locked) } }
}
