import ThumbturnJSON
import ThumbturnScreenJSON

/// What the screen of an account's devices asks of `AccountDevicesModel`.
package enum AccountDevicesAction: Hashable, Sendable {
    /// Lists or revokes; the password comes beside it.
    case submitSecret
    /// Asks for the password, to revoke the device of this identifier.
    case askToRevoke(device: String)
    /// Returns to the list.
    case back
    /// Leaves the screen.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "askToRevoke": self = .askToRevoke(device: try members.text("device"))
        case "back": self = .back
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .askToRevoke(let device): ActionForm("askToRevoke", [("device", .string(device))])
        case .back: ActionForm("back")
        case .cancel: ActionForm("cancel")
        }
    }
}
