/// What is written while the vault is locked: attempts, failures, times of use, and the right of the biometric slot.
///
/// It can only take rights away: the state is the head minus this. Each row follows one before it, and the device's anchor
/// names the newest; `LedgerMachine` says which row is believed, and in which order row and anchor are written.
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
    /// Rises with every attempt, failure, revocation and commit of a head; the mark is this row's own.
    package var position: LedgerPosition
    /// The mark of the row that this one follows; nil for a vault's first.
    package var parent: Identifier?
    /// SHA-256 of the stored head that this row vouches for; nil while nobody verified one.
    package var head: [UInt8]?
    package var attempts = AttemptRecord()
    /// What was counted before an attempt that may be under way, or was refused: it is put back where it was none.
    package var beforeAttempt: AttemptRecord?
    package var biometricFailures: UInt32 = 0
    package var wasLockedOut = false
    package var lastStrongAuthentication: ClockReading?
    package var lastUse: ClockReading?
    package var lastServerContact: ClockReading?
    /// When an account's password was last tried without its server, since the last login.
    package var lastOfflineAttempt: ClockReading?
    /// The newest epoch that the account's server has named; nil for a vault without an account.
    package var policyEpoch: UInt64?
    /// Whether the server's last word was that the account has revoked this device.
    package var deviceIsRevoked = false
    package var revocation: Revocation?
    /// The slots that belong to the vault.
    ///
    /// A slot that was changed away stays away, whatever head and row are put back (A7). A ledger that was made anew names none.
    package var slots: [Identifier] = []

    package init(vault: Identifier, position: LedgerPosition, parent: Identifier? = nil) {
        self.vault = vault
        self.position = position
        self.parent = parent
    }

    /// What a ledger begins from: no row at all.
    package init(founding vault: Identifier) {
        self.init(vault: vault, position: .founding(mark: vault))
    }

    /// Forgets the attempts, and one that may be under way.
    package mutating func clearAttempts() {
        attempts = AttemptRecord()
        beforeAttempt = nil
    }

    /// Forgets all that a strong unlock forgives, and dates it.
    package mutating func acknowledgeStrongUnlock(at now: ClockReading) {
        clearAttempts()
        biometricFailures = 0
        wasLockedOut = false
        lastStrongAuthentication = now
        lastUse = now
        lastOfflineAttempt = nil
    }

    /// Whether a clock makes sense beside every reading that was written, and is behind none of them.
    ///
    /// Who set it back and rebooted leaves only wall time to go by.
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

    /// Takes in what the account's server said (F-107-09).
    ///
    /// - Returns: why the finger's right ends; nil where it stays.
    package mutating func hear(_ word: ServerWord, at now: ClockReading) -> RevocationReason? {
        switch word {
        case .epoch(let epoch) where epoch >= policyEpoch ?? epoch:
            let hasRisen = policyEpoch.map { $0 < epoch } ?? false
            policyEpoch = epoch
            lastServerContact = now
            deviceIsRevoked = false
            return hasRisen ? .passwordChanged : nil
        case .epoch, .deviceRevoked:
            // An epoch never falls: whoever answers has lost words that were said. What was heard before counts no more.
            lastServerContact = nil
            deviceIsRevoked = word == .deviceRevoked
            return .serverWordMissing
        }
    }

    /// What stands in the place of a ledger that can't be believed: the strictest reading, dated (INV-107-08, A8, A20).
    ///
    /// - Parameters:
    ///   - anchor: where the anchor stands; nil where there is none.
    ///   - mark: drawn for this row.
    static func madeAnew(
        vault: Identifier,
        after anchor: LedgerPosition?,
        mark: Identifier,
        at now: ClockReading
    ) -> Ledger {
        // Where there is no anchor it follows nothing: kept as a copy, it would be believed wherever the next anchor is removed.
        var ledger = Ledger(vault: vault, position: .following(anchor, mark: mark), parent: anchor?.mark ?? mark)
        ledger.attempts = .unreliable(at: now)
        return ledger
    }

    /// The row that follows this one, with no attempt under way.
    package func successor(mark: Identifier) -> Ledger {
        var next = self
        next.position = .following(position, mark: mark)
        next.parent = position.mark
        next.beforeAttempt = nil
        return next
    }

    /// The row that counts an attempt which is about to begin.
    func countingAttempt(at now: ClockReading, mark: Identifier) -> Ledger {
        var next = successor(mark: mark)
        next.attempts = attempts.countingAttempt(at: now)
        next.beforeAttempt = attempts
        // Only the account's server counts for itself.
        if policyEpoch != nil { next.lastOfflineAttempt = now }
        return next
    }

    /// The same row without the attempt that was none.
    package var withoutAttempt: Ledger {
        var row = self
        if let beforeAttempt { row.attempts = beforeAttempt }
        row.beforeAttempt = nil
        return row
    }
}

extension LedgerPosition {
    /// The position after one that may not exist.
    static func following(_ former: LedgerPosition?, mark: Identifier) -> LedgerPosition {
        LedgerPosition(sequence: sequence(after: former), mark: mark)
    }

    /// The number after that; it stops at the end of its range instead of trapping, since an anchor may lie.
    static func sequence(after former: LedgerPosition?) -> UInt64 {
        let (sum, overflow) = (former?.sequence ?? 0).addingReportingOverflow(1)
        return overflow ? .max : sum
    }
}
