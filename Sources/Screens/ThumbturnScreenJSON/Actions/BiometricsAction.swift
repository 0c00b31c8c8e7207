import ThumbturnJSON

/// What the settings about biometrics ask of `BiometricSettingsObject`.
package enum BiometricsAction: Hashable, Sendable {
    /// Turns biometrics on; the PIN or password comes beside it. The owner agrees by asking for it.
    case enable
    /// Turns biometrics off; the PIN or password comes beside it where the policy requires it.
    case disable(withSecret: Bool)
    /// Reads vault and sensor again.
    case refresh
    /// Removes the last error from the screen.
    case resetError

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "enable":
            try members.secret()
            self = .enable
        case "disable": self = .disable(withSecret: try members.hasSecret())
        case "refresh": self = .refresh
        case "resetError": self = .resetError
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .enable: ActionForm("enable", takesSecret: true)
        case .disable(let withSecret): ActionForm("disable", takesSecret: withSecret)
        case .refresh: ActionForm("refresh")
        case .resetError: ActionForm("resetError")
        }
    }
}
