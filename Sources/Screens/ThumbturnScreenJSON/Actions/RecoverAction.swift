import ThumbturnJSON

/// What the way back asks of `RecoverModel`.
package enum RecoverAction: Hashable, Sendable {
    /// Continues with what the step asks for, the recovery key or a new PIN or password, which comes beside it.
    case submitSecret
    /// Accepts an older copy as the vault.
    case acceptOlderCopy(typed: String)
    /// Opens an older copy as it is.
    case onlyExport
    /// The owner has no recovery key.
    case askToErase
    /// Asks for the recovery key again.
    case useRecoveryKey
    /// Erases everything.
    case erase(typed: String)
    /// The owner has read why the PIN or password stays the same.
    case goOn
    /// Goes back to the lock screen.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "acceptOlderCopy": self = .acceptOlderCopy(typed: try members.text("typed"))
        case "onlyExport": self = .onlyExport
        case "askToErase": self = .askToErase
        case "useRecoveryKey": self = .useRecoveryKey
        case "erase": self = .erase(typed: try members.text("typed"))
        case "goOn": self = .goOn
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .acceptOlderCopy(let typed): ActionForm("acceptOlderCopy", [("typed", .string(typed))])
        case .onlyExport: ActionForm("onlyExport")
        case .askToErase: ActionForm("askToErase")
        case .useRecoveryKey: ActionForm("useRecoveryKey")
        case .erase(let typed): ActionForm("erase", [("typed", .string(typed))])
        case .goOn: ActionForm("goOn")
        case .cancel: ActionForm("cancel")
        }
    }
}
