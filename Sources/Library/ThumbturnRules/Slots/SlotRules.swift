// What is so of every slot of a kind. A new kind answers here, and is treated so wherever slots are.
extension SlotKind {
    /// Whether the owner holds what opens it, so that no change of the device's biometrics or passcode closes it.
    package var isHeldByOwner: Bool {
        switch self {
        case .localSecret, .recovery, .password: true
        case .biometric, .system: false
        }
    }

    /// Whether it could be opened by trying: each try is counted, and the secret stretched.
    ///
    /// An account's password is tried at the service, which counts; here its slot opens with a key of full entropy.
    package var isGuessable: Bool {
        switch self {
        case .localSecret: true
        case .biometric, .recovery, .system, .password: false
        }
    }

    /// Whether it names an item of the secure store.
    package var hasItem: Bool {
        switch self {
        case .localSecret, .biometric, .system, .password: true
        case .recovery: false
        }
    }

    /// Whether the ledger stands beside it, on a device secret that it names.
    package var keepsLedger: Bool {
        switch self {
        case .localSecret, .password: true
        case .biometric, .recovery, .system: false
        }
    }

    /// Whether it is worth nothing once the policy's epoch has risen.
    package var followsPolicyEpoch: Bool {
        switch self {
        case .biometric: true
        case .localSecret, .recovery, .system, .password: false
        }
    }

    /// The mode that it is a way in of, and goes with; nil for one that outlives a change of mode.
    package var mode: UnlockMode? {
        switch self {
        case .localSecret, .biometric, .password: .local
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
    /// The account's password, which the service has just answered for.
    case accountPassword
    /// The account's password without the service, where the policy allows that.
    case offlinePassword

    /// The kind of slot that it opens.
    package var slot: SlotKind {
        switch self {
        case .localSecret: .localSecret
        case .recovery: .recovery
        case .accountPassword, .offlinePassword: .password
        }
    }

    /// Whether each try is counted here, before its secret is stretched; else nobody can guess it, or the service counts.
    package var isCounted: Bool {
        switch self {
        case .localSecret, .offlinePassword: true
        case .recovery, .accountPassword: false
        }
    }
}

/// Which ways in may stand together, and which of them a ledger must know.
package enum SlotRules {
    /// Whether a head with these slots may be committed.
    ///
    /// K-10: a way in remains that the system can't close. S-03: only one mode holds a key in the secure store.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of its slots, each of which was opened once, or typed back.
    ///   - isHalfMigrated: biometrics stand alone then, and what a former app sealed under the PIN is what remains.
    package static func mayCommit(_ kinds: Set<SlotKind>, isHalfMigrated: Bool) -> Bool {
        if isHalfMigrated { return kinds == [.biometric] }
        guard kinds.contains(where: { $0.isHeldByOwner }) else { return false }
        // A PIN beside an account's password would be a way round it (INV-107-01).
        guard kinds.count(where: { $0.keepsLedger }) <= 1 else { return false }
        return Set(kinds.compactMap { $0.mode }).count <= 1
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
