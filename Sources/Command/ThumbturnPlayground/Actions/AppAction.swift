import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// What the playground's app does around the library's screens.
enum AppAction: Hashable, Sendable {
    /// The app comes to the front, or leaves it.
    case appBecame(AppPhase)
    /// The app's language.
    case language(Language)
    /// Takes over what a former app left, by a finger.
    case migrate
    /// The trail as a signed file; the PIN comes beside it.
    case exportTrail
    /// A transition of the credential vault.
    case credentials(CredentialAction)
    /// The owner's other device does something.
    case elsewhere(ElsewhereAction)

    /// Whether an action of this screen and name is one of these, and not of the library's screens.
    static func has(_ screen: String, _ name: String) -> Bool {
        switch (screen, name) {
        case ("app", "appBecame"), ("app", "language"), ("onboarding", "migrate"), ("trail", "export"),
            ("credentials", _), ("elsewhere", _):
            true
        default: false
        }
    }

    init(_ json: JSON) throws(ScreenActionError) {
        var members = try ActionMembers(json)
        let (screen, name) = (try members.text("screen"), try members.text("name"))
        switch (screen, name) {
        case ("app", "appBecame"): self = .appBecame(try Self.phase(members.text("phase")))
        case ("app", "language"): self = .language(try Self.language(members.text("language")))
        case ("onboarding", "migrate"): self = .migrate
        case ("trail", "export"):
            try members.secret()
            self = .exportTrail
        case ("elsewhere", _):
            guard let action = ElsewhereAction(rawValue: name) else { throw .unknownAction }
            try members.secret()
            self = .elsewhere(action)
        case ("credentials", _):
            guard let action = CredentialAction(rawValue: name) else { throw .unknownAction }
            self = .credentials(action)
        default: throw .unknownAction
        }
        try members.finish()
    }

    var takesSecret: Bool { form.takesSecret }

    /// The one form of the action, members sorted by name.
    var json: JSON { form.json(on: screen) }

    private var screen: String {
        switch self {
        case .appBecame, .language: "app"
        case .migrate: "onboarding"
        case .exportTrail: "trail"
        case .credentials: "credentials"
        case .elsewhere: "elsewhere"
        }
    }

    private var form: ActionForm {
        switch self {
        case .appBecame(let phase): ActionForm("appBecame", [("phase", .string(phase.name))])
        case .language(let language): ActionForm("language", [("language", .string(language.code))])
        case .migrate: ActionForm("migrate")
        case .exportTrail: ActionForm("export", takesSecret: true)
        case .credentials(let action): ActionForm(action.rawValue)
        case .elsewhere(let action): ActionForm(action.rawValue, takesSecret: true)
        }
    }

    private static func phase(_ name: String) throws(ScreenActionError) -> AppPhase {
        guard let phase = AppPhase.allCases.first(where: { $0.name == name }) else { throw .memberWrong }
        return phase
    }

    private static func language(_ code: String) throws(ScreenActionError) -> Language {
        guard let language = Language.allCases.first(where: { $0.code == code }) else { throw .memberWrong }
        return language
    }
}

extension AppPhase {
    var name: String {
        switch self {
        case .active: "active"
        case .inactive: "inactive"
        case .background: "background"
        }
    }
}
