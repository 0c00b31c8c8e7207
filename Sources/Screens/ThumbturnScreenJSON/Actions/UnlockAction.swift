import ThumbturnJSON

/// What the lock screen asks of `AppUnlockObject`, and, by the last two, of the app (`LockExits`).
package enum UnlockAction: Hashable, Sendable {
    /// Shows the system's prompt for a finger or face.
    case unlockWithBiometric
    /// Shows the device's own authentication, in system mode (S-06).
    case unlockWithSystem
    /// Tries a PIN or password, which comes beside it.
    case submitSecret
    /// Turns biometrics on again after a revocation, or leaves them off.
    case answerOffer(consent: Bool)
    /// Replaces a former PIN that the vault's rules refuse, by one that comes beside it.
    case chooseSecret
    /// Keeps two different wallets, and names the second.
    case keepBoth(wallet: String)
    /// Prompts for the finger or face once more.
    case askBiometricsAgain
    /// Continues without biometrics, as the owner was told.
    case goOnWithoutBiometrics
    /// Leaves the wallet half migrated.
    case stopMoving
    /// Accepts a restored older copy as the vault.
    case acceptOlderCopy(typed: String)
    /// Leaves an older copy as it is.
    case onlyExport
    /// Asks again whether to accept an older copy.
    case askAboutOlderCopy
    /// Erases everything.
    case reset(typed: String)
    /// Removes the last error from the screen.
    case resetError
    /// Locks.
    case lock
    /// Opens the vault with the recovery key, which comes beside it.
    case submitRecoveryKey
    /// Starts again after everything was erased.
    case newWallet

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "unlockWithBiometric": self = .unlockWithBiometric
        case "unlockWithSystem": self = .unlockWithSystem
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "answerOffer": self = .answerOffer(consent: try members.flag("consent"))
        case "chooseSecret":
            try members.secret()
            self = .chooseSecret
        case "keepBoth": self = .keepBoth(wallet: try members.text("wallet"))
        case "askBiometricsAgain": self = .askBiometricsAgain
        case "goOnWithoutBiometrics": self = .goOnWithoutBiometrics
        case "stopMoving": self = .stopMoving
        case "acceptOlderCopy": self = .acceptOlderCopy(typed: try members.text("typed"))
        case "onlyExport": self = .onlyExport
        case "askAboutOlderCopy": self = .askAboutOlderCopy
        case "reset": self = .reset(typed: try members.text("typed"))
        case "resetError": self = .resetError
        case "lock": self = .lock
        case "submitRecoveryKey":
            try members.secret()
            self = .submitRecoveryKey
        case "newWallet": self = .newWallet
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .unlockWithBiometric: ActionForm("unlockWithBiometric")
        case .unlockWithSystem: ActionForm("unlockWithSystem")
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .answerOffer(let consent): ActionForm("answerOffer", [("consent", .bool(consent))])
        case .chooseSecret: ActionForm("chooseSecret", takesSecret: true)
        case .keepBoth(let wallet): ActionForm("keepBoth", [("wallet", .string(wallet))])
        case .askBiometricsAgain: ActionForm("askBiometricsAgain")
        case .goOnWithoutBiometrics: ActionForm("goOnWithoutBiometrics")
        case .stopMoving: ActionForm("stopMoving")
        case .acceptOlderCopy(let typed): ActionForm("acceptOlderCopy", [("typed", .string(typed))])
        case .onlyExport: ActionForm("onlyExport")
        case .askAboutOlderCopy: ActionForm("askAboutOlderCopy")
        case .reset(let typed): ActionForm("reset", [("typed", .string(typed))])
        case .resetError: ActionForm("resetError")
        case .lock: ActionForm("lock")
        case .submitRecoveryKey: ActionForm("submitRecoveryKey", takesSecret: true)
        case .newWallet: ActionForm("newWallet")
        }
    }
}
