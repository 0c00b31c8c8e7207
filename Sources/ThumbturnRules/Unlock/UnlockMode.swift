/// How a vault is opened, apart from its recovery key; one of the two at every committed state (S-03).
public enum UnlockMode: UInt8, Hashable, Sendable, CaseIterable {
    /// The PIN or password, and biometrics where they are enabled.
    case local = 0
    /// What the device itself asks for, and nothing else (seed 000).
    case system = 1

    /// The name as it appears in JSON.
    public var name: String {
        switch self {
        case .local: "local"
        case .system: "system"
        }
    }

    /// Tells the mode from the slots that a head lists, or where it lists neither way in, from those that stand there.
    ///
    /// Where both are listed, which no commit allows, the vault asks for the PIN.
    public init(listed: Set<SlotKind>, standing: Set<SlotKind>) {
        if listed.contains(.localSecret) || listed.contains(.biometric) {
            self = .local
        } else if listed.contains(.system) {
            self = .system
        } else {
            self = standing.contains(.system) && !standing.contains(.localSecret) ? .system : .local
        }
    }
}
