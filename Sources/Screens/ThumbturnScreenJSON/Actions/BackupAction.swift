import ThumbturnJSON

/// What the screen of backups asks of `BackupModel`.
package enum BackupAction: Hashable, Sendable {
    /// Goes on to the owner's secret.
    case start
    /// Writes the backup; the PIN or password comes beside it.
    case submitSecret
    /// Proves the owner by the device's own prompt, in system mode, and writes the backup.
    case enterBySystem
    /// Starts over.
    case cancel
    /// Hides the present reminder.
    case later

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "start": self = .start
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "enterBySystem": self = .enterBySystem
        case "cancel": self = .cancel
        case "later": self = .later
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .start: ActionForm("start")
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .enterBySystem: ActionForm("enterBySystem")
        case .cancel: ActionForm("cancel")
        case .later: ActionForm("later")
        }
    }
}
