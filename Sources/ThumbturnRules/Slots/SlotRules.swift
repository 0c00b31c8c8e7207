// What is so of every slot of a kind. A new kind answers here, and is treated so wherever slots are.
extension SlotKind {
    /// Whether the owner holds what opens it, so that no change of the device's biometrics or passcode closes it.
    package var isHeldByOwner: Bool {
        switch self {
        case .localSecret, .recovery: true
        case .biometric, .system: false
        }
    }

    /// Whether it could be opened by trying: each try is counted, and the secret stretched.
    package var isGuessable: Bool {
        switch self {
        case .localSecret: true
        case .biometric, .recovery, .system: false
        }
    }

    /// Whether it names an item of the secure store.
    package var hasItem: Bool {
        switch self {
        case .localSecret, .biometric, .system: true
        case .recovery: false
        }
    }

    /// Whether it is worth nothing once the policy's epoch has risen.
    package var followsPolicyEpoch: Bool {
        switch self {
        case .biometric: true
        case .localSecret, .recovery, .system: false
        }
    }

    /// The mode that it is a way in of, and goes with; nil for one that outlives a change of mode.
    package var mode: UnlockMode? {
        switch self {
        case .localSecret, .biometric: .local
        case .system: .system
        case .recovery: nil
        }
    }
}

/// A secret that the owner types, or could write down.
@nonexhaustive
public enum StrongSecret: Hashable, Sendable, CaseIterable {
    /// The PIN or password.
    case localSecret
    /// The recovery key.
    case recovery

    /// The kind of slot that it opens.
    package var slot: SlotKind {
        switch self {
        case .localSecret: .localSecret
        case .recovery: .recovery
        }
    }
}

/// Which ways in may stand together, and which of them a ledger must know.
package enum SlotRules {
    /// Whether a head with these confirmed slots may be committed.
    ///
    /// K-10: a way in remains that the system can't close. S-03: only one mode holds a key in the secure store.
    ///
    /// - Parameters:
    ///   - confirmed: the kinds of slots that were opened once, or typed back.
    ///   - isHalfMigrated: biometrics stand alone then, and what a former app sealed under the PIN is what remains.
    package static func mayCommit(_ confirmed: Set<SlotKind>, isHalfMigrated: Bool) -> Bool {
        if isHalfMigrated { return confirmed == [.biometric] }
        guard confirmed.contains(where: { $0.isHeldByOwner }) else { return false }
        return Set(confirmed.compactMap { $0.mode }).count <= 1
    }

    /// Whether a ledger knows the slot that a PIN would open.
    ///
    /// The rows of a slot that was changed away can be put back beside a head that lists them, but not into the ledger
    /// (A7). One that was made anew names none, and waits for a verified head instead of being made anew for ever. A
    /// biometric slot that it does not name is none, and a recovery slot needs no ledger.
    ///
    /// - Parameters:
    ///   - known: the slots that the ledger names.
    ///   - local: the slot that a PIN would open.
    ///   - awaitsLocal: whether a former app's PIN is still to become one; else, without one, there is no ledger to believe.
    package static func ledger(
        naming known: [Identifier],
        knows local: Identifier?,
        awaitsLocal: Bool = false
    ) -> Bool {
        known.isEmpty || (local.map(known.contains) ?? awaitsLocal)
    }
}
