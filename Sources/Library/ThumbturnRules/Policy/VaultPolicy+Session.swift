extension VaultPolicy {
    /// Whether an open session that was last used at `lastActivity` has to lock now.
    ///
    /// A clock that makes no sense locks: the owner loses a prompt, a thief a session.
    package func sessionIsStale(since lastActivity: ClockReading, at now: ClockReading) -> Bool {
        switch ClockReading.relation(from: lastActivity, to: now) {
        case .elapsed(_, let most): most > locksAfterIdle
        case .wallMoved(let boottime): boottime > locksAfterIdle
        case .backward, .rebooted: true
        }
    }
}
