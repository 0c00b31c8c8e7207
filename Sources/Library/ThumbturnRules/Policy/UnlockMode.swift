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
