/// A secret that the owner types, or could write down.
@nonexhaustive
public enum StrongSecret: Hashable, Sendable, CaseIterable {
    /// The PIN or password.
    case localSecret
    /// The recovery key.
    case recovery
    /// The account's password, which the service has just verified.
    case accountPassword
    /// The account's password without the service, if the policy allows that.
    case offlinePassword

    /// Whether each try is counted here, before its secret is stretched; otherwise it can't be guessed, or the service
    /// counts.
    package var isCounted: Bool {
        switch self {
        case .localSecret, .offlinePassword: true
        case .recovery, .accountPassword: false
        }
    }
}

/// Which slot kinds may be combined, and which of them a ledger must know.
package enum SlotRules {
    /// Returns whether a head with these slots may be committed.
    ///
    /// K-10: a way in remains that the system can't close. S-03: only one mode has a key in the secure store.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of its slots, each of which was opened once, or confirmed.
    ///   - isHalfMigrated: biometrics are then the only slot, and the former app's data under the PIN is the other way
    ///     in.
    ///   - ownerHoldsWords: whether the app declared that the owner can do without: the system's slot may then be alone.
    package static func mayCommit(
        _ kinds: Set<SlotKind>,
        isHalfMigrated: Bool,
        ownerHoldsWords: Bool = false
    ) -> Bool {
        if isHalfMigrated { return kinds == [.biometric] }
        if ownerHoldsWords, kinds == [.system] { return true }
        guard kinds.contains(where: { $0.isHeldByOwner }) else { return false }
        // A PIN beside an account's password would bypass it (INV-107-01).
        guard kinds.count(where: { $0.keepsLedger }) <= 1 else { return false }
        return Set(kinds.compactMap { $0.mode }).count <= 1
    }

    /// Returns whether a ledger knows the slot that a PIN would open.
    ///
    /// An attacker can roll back a replaced slot's rows and a head that lists them, but not the ledger (A7). A
    /// recreated ledger names no slots, and waits for a verified head instead of being recreated forever. A biometric
    /// slot that the ledger does not name is ignored, and a recovery slot needs no ledger.
    ///
    /// - Parameters:
    ///   - known: the slots that the ledger names.
    ///   - local: the slot that a PIN would open.
    ///   - awaitsLocal: whether a former app's PIN is still to become that slot; otherwise, without the slot, no ledger
    ///     is believed.
    package static func ledger(
        naming known: [Identifier],
        knows local: Identifier?,
        awaitsLocal: Bool = false
    ) -> Bool {
        known.isEmpty || (local.map(known.contains) ?? awaitsLocal)
    }
}
