import ThumbturnJSON

/// What the first start asks of `OnboardingModel`.
package enum OnboardingAction: Hashable, Sendable {
    /// Continues with the PIN or password that the step asks for, which comes beside it.
    case submitSecret
    /// Turns biometrics on as the vault is made, or leaves them off.
    case answer(consent: Bool)
    /// The owner has read why biometrics are not on.
    case goOn
    /// Removes the last error from the screen.
    case resetError

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "answer": self = .answer(consent: try members.flag("consent"))
        case "goOn": self = .goOn
        case "resetError": self = .resetError
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .answer(let consent): ActionForm("answer", [("consent", .bool(consent))])
        case .goOn: ActionForm("goOn")
        case .resetError: ActionForm("resetError")
        }
    }
}
