extension VaultPolicy {
    /// Returns whether an open session that was last used at `lastActivity` must lock now.
    ///
    /// Locks when a clock is implausible: that costs the owner a prompt, and a thief the session.
    package func sessionIsStale(since lastActivity: ClockReading, at now: ClockReading) -> Bool {
        switch ClockReading.relation(from: lastActivity, to: now) {
        case .elapsed(_, let most): most > locksAfterIdle
        case .wallMoved(let boottime): boottime > locksAfterIdle
        case .backward, .rebooted: true
        }
    }
}
