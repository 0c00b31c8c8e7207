import ThumbturnJSON
import ThumbturnScreenJSON

/// What the entry into an account asks of `AccountEntryModel`.
package enum AccountEntryAction: Hashable, Sendable {
    /// Chooses between a new account and one that exists.
    case choose(AccountEntryFields.Way)
    /// Takes the account's name.
    case enterName(account: String)
    /// Continues with the password that the step asks for, which comes beside it.
    case submitSecret
    /// Turns biometrics on, or leaves them off.
    case answerOffer(consent: Bool)
    /// Returns to the step before.
    case back
    /// Leaves the screen.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "choose":
            let chosen = try members.text("way")
            guard let way = AccountEntryFields.Way.allCases.first(where: { $0.name == chosen }) else {
                throw .memberWrong
            }
            self = .choose(way)
        case "enterName": self = .enterName(account: try members.text("account"))
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "answerOffer": self = .answerOffer(consent: try members.flag("consent"))
        case "back": self = .back
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .choose(let way): ActionForm("choose", [("way", .string(way.name))])
        case .enterName(let account): ActionForm("enterName", [("account", .string(account))])
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .answerOffer(let consent): ActionForm("answerOffer", [("consent", .bool(consent))])
        case .back: ActionForm("back")
        case .cancel: ActionForm("cancel")
        }
    }
}
