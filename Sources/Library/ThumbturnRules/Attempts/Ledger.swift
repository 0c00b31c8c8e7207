/// What is written while the vault is locked: attempts, failures, times of use, and the biometric slot's revocation.
///
/// It can only restrict: the effective state is the head minus this. Each row follows an earlier one, and the device's
/// anchor names the newest; `LedgerMachine` decides which row to believe, and in which order row and anchor are
/// written.
package struct Ledger: Hashable, Sendable {
    /// A biometric slot that must not be used any more.
    package struct Revocation: Hashable, Sendable {
        package let slot: Identifier
        package let reason: RevocationReason

        package init(slot: Identifier, reason: RevocationReason) {
            self.slot = slot
            self.reason = reason
        }
    }

    package let vault: Identifier
    /// Increases with every attempt, failure, revocation and commit of a head; the mark is unique to this row.
    package var position: LedgerPosition
    /// The mark of the preceding row; nil for a vault's first.
    package var parent: Identifier?
    /// SHA-256 of the stored head that this row vouches for; nil while none was verified.
    package var head: [UInt8]?
    package var attempts = AttemptRecord()
    /// The record before an attempt that may be in progress, or failed: restored if the attempt was no guess.
    package var beforeAttempt: AttemptRecord?
    package var biometricFailures: UInt32 = 0
    package var wasLockedOut = false
    package var lastStrongAuthentication: ClockReading?
    package var lastUse: ClockReading?
    package var lastServerContact: ClockReading?
    /// When an account's password was last tried without its server, since the last login.
    package var lastOfflineAttempt: ClockReading?
    /// The newest policy epoch that the account's server stated; nil for a vault without an account.
    package var policyEpoch: UInt64?
    /// Whether the server last said that the account has revoked this device.
    package var deviceIsRevoked = false
    package var revocation: Revocation?
    /// The slots that belong to the vault.
    ///
    /// A replaced slot stays invalid even if head and slot rows are rolled back (A7). A recreated ledger names none.
    package var slots: [Identifier] = []

    package init(vault: Identifier, position: LedgerPosition, parent: Identifier? = nil) {
        self.vault = vault
        self.position = position
        self.parent = parent
    }

    /// Creates the ledger that precedes the first row.
    package init(founding vault: Identifier) { self.init(vault: vault, position: .founding(mark: vault)) }

    /// Clears the attempts, and one that may be in progress.
    package mutating func clearAttempts() {
        attempts = AttemptRecord()
        beforeAttempt = nil
    }

    /// Clears everything that a strong unlock clears, and records its time.
    package mutating func acknowledgeStrongUnlock(at now: ClockReading) {
        clearAttempts()
        biometricFailures = 0
        wasLockedOut = false
        lastStrongAuthentication = now
        lastUse = now
        lastOfflineAttempt = nil
    }

    /// Returns whether a clock is consistent with every recorded reading, and behind none of them.
    ///
    /// After the clock is set back and the device rebooted, only wall time is left to compare.
    package func isDatedBefore(_ now: ClockReading) -> Bool {
        [lastStrongAuthentication, lastUse, lastServerContact, lastOfflineAttempt, attempts.since].allSatisfy {
            reading in
            guard let reading else { return true }
            switch ClockReading.relation(from: reading, to: now) {
            case .elapsed: return true
            case .rebooted: return now.wall >= reading.wall - TimeRelation.tolerance
            case .backward, .wallMoved: return false
            }
        }
    }

    /// Records the server's answer (F-107-09).
    ///
    /// - Returns: why biometrics are revoked; nil when they are not.
    package mutating func accept(_ answer: ServiceAnswer, at now: ClockReading) -> RevocationReason? {
        switch answer {
        case .epoch(let epoch) where epoch >= policyEpoch ?? epoch:
            let hasRisen = policyEpoch.map { $0 < epoch } ?? false
            policyEpoch = epoch
            lastServerContact = now
            deviceIsRevoked = false
            return hasRisen ? .passwordChanged : nil
        case .epoch, .deviceRevoked:
            // An epoch never decreases: the server has lost earlier answers. Contact before that does not count any
            // more.
            lastServerContact = nil
            deviceIsRevoked = answer == .deviceRevoked
            return .serverWordMissing
        }
    }

    /// Returns the replacement of a ledger that can't be believed: the strictest one, dated (INV-107-08, A8, A20).
    ///
    /// - Parameters:
    ///   - anchor: the anchor's position; nil when there is none.
    ///   - mark: random, for this row.
    static func madeAnew(
        vault: Identifier,
        after anchor: LedgerPosition?,
        mark: Identifier,
        at now: ClockReading
    ) -> Ledger {
        // Without an anchor it must follow nothing: otherwise a copy of it would be believed wherever the next anchor
        // is removed.
        var ledger = Ledger(vault: vault, position: .following(anchor, mark: mark), parent: anchor?.mark ?? mark)
        ledger.attempts = .unreliable(at: now)
        return ledger
    }

    /// Returns the row that follows this one, with no attempt in progress.
    package func successor(mark: Identifier) -> Ledger {
        var next = self
        next.position = .following(position, mark: mark)
        next.parent = position.mark
        next.beforeAttempt = nil
        return next
    }

    /// Returns the row that counts an attempt which is about to begin.
    func countingAttempt(at now: ClockReading, mark: Identifier) -> Ledger {
        var next = successor(mark: mark)
        next.attempts = attempts.countingAttempt(at: now)
        next.beforeAttempt = attempts
        // Only the account's server counts attempts itself.
        if policyEpoch != nil { next.lastOfflineAttempt = now }
        return next
    }

    /// This row without an attempt that was no guess.
    package var withoutAttempt: Ledger {
        var row = self
        if let beforeAttempt { row.attempts = beforeAttempt }
        row.beforeAttempt = nil
        return row
    }
}

extension LedgerPosition {
    /// Returns the position after one that may not exist.
    static func following(_ former: LedgerPosition?, mark: Identifier) -> LedgerPosition {
        LedgerPosition(sequence: sequence(after: former), mark: mark)
    }

    /// Returns the next sequence number; it saturates instead of trapping, since an anchor may be forged.
    static func sequence(after former: LedgerPosition?) -> UInt64 {
        let (sum, overflow) = (former?.sequence ?? 0).addingReportingOverflow(1)
        return overflow ? .max : sum
    }
}
