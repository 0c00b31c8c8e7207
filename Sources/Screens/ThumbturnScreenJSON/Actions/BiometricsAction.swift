import ThumbturnJSON

/// What the settings about biometrics ask of `BiometricSettingsObject`.
package enum BiometricsAction: Hashable, Sendable {
    /// Turns biometrics on; the PIN or password comes beside it. The owner agrees by asking for it.
    case enable
    /// Turns biometrics off; the PIN or password comes beside it.
    case disable
    /// Turns biometrics off where the policy requires no secret.
    case disableWithoutSecret
    /// Reads vault and sensor again.
    case refresh
    /// Removes the last error from the screen.
    case resetError

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "enable":
            try members.secret()
            self = .enable
        case "disable":
            try members.secret()
            self = .disable
        case "disableWithoutSecret": self = .disableWithoutSecret
        case "refresh": self = .refresh
        case "resetError": self = .resetError
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .enable: ActionForm("enable", takesSecret: true)
        case .disable: ActionForm("disable", takesSecret: true)
        case .disableWithoutSecret: ActionForm("disableWithoutSecret")
        case .refresh: ActionForm("refresh")
        case .resetError: ActionForm("resetError")
        }
    }
}
