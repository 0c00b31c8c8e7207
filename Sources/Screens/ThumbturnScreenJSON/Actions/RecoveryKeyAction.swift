import ThumbturnJSON

/// What the screen of the recovery key asks of `RecoveryKeyModel`.
package enum RecoveryKeyAction: Hashable, Sendable {
    /// Goes on to the owner's secret, and then to a new key.
    case make
    /// Goes on to the owner's secret, and then asks for the key that was shown before.
    case typeBack
    /// Continues with what the step asks for, the owner's secret or the key, which comes beside it.
    case submitSecret
    /// Proves the owner by the device's own prompt, in system mode.
    case enterBySystem
    /// Asks for the key while it is shown; it comes beside the answer.
    case showKey
    /// The owner has written the key down.
    case keyIsWritten
    /// Starts over.
    case cancel

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "make": self = .make
        case "typeBack": self = .typeBack
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "enterBySystem": self = .enterBySystem
        case "showKey": self = .showKey
        case "keyIsWritten": self = .keyIsWritten
        case "cancel": self = .cancel
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .make: ActionForm("make")
        case .typeBack: ActionForm("typeBack")
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .enterBySystem: ActionForm("enterBySystem")
        case .showKey: ActionForm("showKey")
        case .keyIsWritten: ActionForm("keyIsWritten")
        case .cancel: ActionForm("cancel")
        }
    }
}
