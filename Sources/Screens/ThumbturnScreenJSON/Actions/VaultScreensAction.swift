import ThumbturnJSON

/// What the screens around a vault ask of `VaultScreensModel`.
package enum VaultScreensAction: Hashable, Sendable {
    /// Looks for the vault once more.
    case start
    /// Shows the way back: the recovery key, or erasing everything.
    case recover
    /// Goes back from there to the lock screen.
    case endRecovery

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "start": self = .start
        case "recover": self = .recover
        case "endRecovery": self = .endRecovery
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .start: ActionForm("start")
        case .recover: ActionForm("recover")
        case .endRecovery: ActionForm("endRecovery")
        }
    }
}
