// The properties of each slot kind. A new kind is defined here, and then handled accordingly everywhere.
extension SlotKind {
    /// Whether the owner has the secret that opens it, so that no change of the device's biometrics or passcode closes
    /// it.
    package var isHeldByOwner: Bool {
        switch self {
        case .localSecret, .recovery, .password: true
        case .biometric, .system: false
        }
    }

    /// Whether its secret could be guessed: each try is then counted, and the secret stretched.
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

    /// Whether it has the ledger, on a device secret that it names.
    package var keepsLedger: Bool {
        switch self {
        case .localSecret, .password: true
        case .biometric, .recovery, .system: false
        }
    }

    /// Whether it becomes invalid once the policy epoch has increased.
    package var followsPolicyEpoch: Bool {
        switch self {
        case .biometric: true
        case .localSecret, .recovery, .system, .password: false
        }
    }

    /// The mode that it belongs to, and is removed with; nil for one that survives a change of mode.
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
    /// The account's password, which the service has just verified.
    case accountPassword
    /// The account's password without the service, if the policy allows that.
    case offlinePassword

    /// The kind of slot that it opens.
    package var slot: SlotKind {
        switch self {
        case .localSecret: .localSecret
        case .recovery: .recovery
        case .accountPassword, .offlinePassword: .password
        }
    }

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
    package static func mayCommit(_ kinds: Set<SlotKind>, isHalfMigrated: Bool) -> Bool {
        if isHalfMigrated { return kinds == [.biometric] }
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
