import ThumbturnJSON
package import ThumbturnRules

/// What the screen of a wallet's words asks of `WordsModel`, and, by the first, of the app.
package enum WordsAction: Hashable, Sendable {
    /// Shows the screen for a wallet.
    case show(wallet: Identifier)
    /// Continues with the owner's secret, which comes beside it.
    case submitSecret
    /// Proves the owner by the device's own prompt, in system mode.
    case enterBySystem
    /// Asks for the words while they are shown; they come beside the answer, with one space between them.
    case showWords
    /// The owner has written the words down.
    case wordsWritten
    /// Compares the word that the step asks for with one that comes beside it.
    case answer
    /// Starts over.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "show": self = .show(wallet: try members.identifier("wallet"))
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "enterBySystem": self = .enterBySystem
        case "showWords": self = .showWords
        case "wordsWritten": self = .wordsWritten
        case "answer":
            try members.secret()
            self = .answer
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .show(let wallet): ActionForm("show", [("wallet", .string(wallet.text))])
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .enterBySystem: ActionForm("enterBySystem")
        case .showWords: ActionForm("showWords")
        case .wordsWritten: ActionForm("wordsWritten")
        case .answer: ActionForm("answer", takesSecret: true)
        case .cancel: ActionForm("cancel")
        }
    }
}
