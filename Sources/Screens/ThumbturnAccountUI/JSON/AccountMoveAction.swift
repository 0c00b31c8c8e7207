import ThumbturnJSON
import ThumbturnScreenJSON

/// What the question whether the service has moved asks of `AccountMoveModel`.
package enum AccountMoveAction: Hashable, Sendable {
    /// The owner knows of the move.
    case agree
    /// Follows the service; the password comes beside it.
    case submitSecret
    /// Returns to the question.
    case back
    /// Leaves the screen.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "agree": self = .agree
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "back": self = .back
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .agree: ActionForm("agree")
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .back: ActionForm("back")
        case .cancel: ActionForm("cancel")
        }
    }
}
