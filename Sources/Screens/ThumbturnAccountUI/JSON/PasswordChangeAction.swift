import ThumbturnJSON
import ThumbturnScreenJSON

/// What the screen for a new password asks of `PasswordChangeModel`.
package enum PasswordChangeAction: Hashable, Sendable {
    /// Continues with the password that the step asks for, which comes beside it.
    case submitSecret
    /// Starts over.
    case startAgain
    /// Leaves the screen.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "startAgain": self = .startAgain
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .startAgain: ActionForm("startAgain")
        case .cancel: ActionForm("cancel")
        }
    }
}
