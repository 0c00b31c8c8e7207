/// How a vault is opened, apart from its recovery key; one of the two at every committed state (S-03).
public enum UnlockMode: UInt8, Hashable, Sendable, CaseIterable {
    /// The PIN or password, and biometrics where they are enabled.
    case local = 0
    /// What the device itself asks for, and nothing else (seed 000).
    case system = 1

    /// The name as it appears in JSON.
    package var name: String {
        switch self {
        case .local: "local"
        case .system: "system"
        }
    }

    /// Tells the mode from the slots that a head lists, or where it lists no way in that stands there, from those that do.
    ///
    /// Where both are listed, which no commit allows, the vault asks for the PIN. So it does where a head lists the system's
    /// alone and only a PIN's stands: a damaged head keeps nobody out.
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
