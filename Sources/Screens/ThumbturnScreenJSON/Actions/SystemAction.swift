import ThumbturnJSON

/// What the settings about system authentication ask of `SystemSettingsObject`.
package enum SystemAction: Hashable, Sendable {
    /// The owner has read the warning and agrees.
    case agree
    /// Continues with the secret that the step asks for, which comes beside it.
    case submitSecret
    /// Turns system authentication on by a finger or face, where the policy allows that.
    case enableByBiometrics
    /// Makes the recovery key that must exist first (C15).
    case makeRecoveryKey
    /// Asks for the recovery key while it is shown; it comes beside the answer.
    case showRecoveryKey
    /// The owner has written the recovery key down.
    case recoveryKeyIsWritten
    /// Returns to the warning.
    case cancel
    /// Reads vault and device again.
    case refresh

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "agree": self = .agree
        case "submitSecret":
            try members.secret()
            self = .submitSecret
        case "enableByBiometrics": self = .enableByBiometrics
        case "makeRecoveryKey": self = .makeRecoveryKey
        case "showRecoveryKey": self = .showRecoveryKey
        case "recoveryKeyIsWritten": self = .recoveryKeyIsWritten
        case "cancel": self = .cancel
        case "refresh": self = .refresh
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .agree: ActionForm("agree")
        case .submitSecret: ActionForm("submitSecret", takesSecret: true)
        case .enableByBiometrics: ActionForm("enableByBiometrics")
        case .makeRecoveryKey: ActionForm("makeRecoveryKey")
        case .showRecoveryKey: ActionForm("showRecoveryKey")
        case .recoveryKeyIsWritten: ActionForm("recoveryKeyIsWritten")
        case .cancel: ActionForm("cancel")
        case .refresh: ActionForm("refresh")
        }
    }
}
