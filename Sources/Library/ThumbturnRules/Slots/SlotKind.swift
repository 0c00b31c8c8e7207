/// The ways into a vault.
///
/// Each is an envelope around the same master key.
@nonexhaustive
public enum SlotKind: UInt8, Hashable, Sendable, CaseIterable {
    /// A PIN or password, stretched, and the device secret (K-03).
    case localSecret = 1
    /// An intermediate secret under the current set of biometrics (K-04).
    case biometric = 2
    /// The recovery key, shown once and typed back.
    case recovery = 3
    /// A random secret that the system releases for any finger or face, or the device's passcode (S-02).
    case system = 4
    /// The account's key, which its password opens at the service, and the device secret (F-107-05).
    case password = 5
}

// What a kind is, a row each: the name in JSON, the label, the words, the mode, and what else holds.
extension SlotKind {
    private enum Trait { case held, guessed, item, ledger, epoch }

    private var row: (name: String, purpose: String, text: Words, mode: UnlockMode?, traits: [Trait]) {
        switch self {
        case .localSecret:
            let traits: [Trait] = [.held, .guessed, .item, .ledger]
            return ("localSecret", "pin-slot", Words("PIN or password", "code ou mot de passe"), .local, traits)
        case .biometric:
            return ("biometric", "bio-slot", Words("biometrics", "biométrie"), .local, [.item, .epoch])
        case .recovery:
            return ("recovery", "rec-slot", Words("recovery key", "clé de secours"), nil, [.held])
        case .system:
            let text = Words("system authentication", "authentification du système")
            return ("system", "sys-slot", text, .system, [.item])
        case .password:
            let text = Words("the account's password", "mot de passe du compte")
            return ("password", "pwd-slot", text, .local, [.held, .item, .ledger])
        }
    }

    /// The name as it appears in JSON.
    package var name: String { row.name }
    /// The label of HKDF and of a slot's header; no two agree.
    package var purpose: String { row.purpose }
    /// The words for it.
    package var text: Words { row.text }
    /// The mode that it belongs to, and is removed with; nil for one that survives a change of mode.
    package var mode: UnlockMode? { row.mode }

    /// Whether the owner has the secret that opens it, so that no change of the device's biometrics or passcode closes
    /// it.
    package var isHeldByOwner: Bool { row.traits.contains(.held) }

    /// Whether its secret could be guessed: each try is then counted, and the secret stretched.
    ///
    /// An account's password is tried at the service, which counts; here its slot opens with a key of full entropy.
    package var isGuessable: Bool { row.traits.contains(.guessed) }

    /// Whether it names an item of the secure store.
    package var hasItem: Bool { row.traits.contains(.item) }

    /// Whether it has the ledger, on a device secret that it names.
    package var keepsLedger: Bool { row.traits.contains(.ledger) }

    /// Whether it becomes invalid once the policy epoch has increased.
    package var followsPolicyEpoch: Bool { row.traits.contains(.epoch) }
}

/// How a vault is opened, apart from its recovery key; every committed state has exactly one of the two (S-03).
public enum UnlockMode: UInt8, Hashable, Sendable, CaseIterable {
    /// The PIN or password, and biometrics if they are enabled.
    case local = 0
    /// Only the device's own prompt (seed 000).
    case system = 1

    /// The name as it appears in JSON.
    package var name: String {
        switch self {
        case .local: "local"
        case .system: "system"
        }
    }

    /// Derives the mode from the slots that a head lists, or if none of those exists, from the slots that do.
    ///
    /// If both modes are listed, which no commit allows, the vault asks for the PIN; likewise if a head lists only the
    /// system's slot but only a PIN's exists: a damaged head must not lock the owner out.
    package init(listed: Set<SlotKind>, standing: Set<SlotKind>) {
        if listed.contains(where: { $0.mode == .local }) {
            self = .local
        } else if standing.contains(where: { $0.keepsLedger }) {
            self = listed.contains(.system) && standing.contains(.system) ? .system : .local
        } else {
            self = listed.contains(.system) || standing.contains(.system) ? .system : .local
        }
    }
}
