import ThumbturnJSON

/// What the screen for a new PIN or password asks of `PINChangeModel`.
package enum PINChangeAction: Hashable, Sendable {
    /// Continues with the PIN or password that the step asks for, which comes beside it.
    case submitSecret
    /// Starts over.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .cancel: ActionForm("cancel")
        }
    }
}
