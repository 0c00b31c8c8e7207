import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// What the playground's app does around the library's screens.
enum AppAction: Hashable, Sendable {
    /// The app comes to the front, or leaves it.
    case appBecame(AppPhase)
    /// The app's language.
    case language(Language)

    // Before there is a vault.

    /// Begins to make one.
    case create
    /// Begins to make one with a mnemonic that the owner has.
    case importWords
    /// A new PIN, or the same once more; it comes beside it.
    case submitNewSecret
    /// The mnemonic, which comes beside it.
    case submitWords
    /// The answer to "Enable biometric unlock?".
    case answerOffer(consent: Bool)
    /// Takes over what a former app left, by a finger.
    case migrate
    /// Back to the start.
    case cancel

    // Behind the lock.

    /// A wallet with a new mnemonic.
    case createWallet(String)
    /// A wallet with a mnemonic, which comes beside it.
    case importWallet(String)
    /// The mnemonic of the wallet with this id; the PIN comes beside it, and the mnemonic beside the answer.
    case exportWallet(String)
    /// The trail as a signed file; the PIN comes beside it.
    case exportTrail
    /// A transition of the credential vault.
    case credentials(CredentialAction)

    static let screens: Set = ["app", "onboarding", "wallets", "trail", "credentials"]

    init(_ json: JSON) throws(ScreenActionError) {
        var members = try ActionMembers(json)
        let (screen, name) = (try members.text("screen"), try members.text("name"))
        switch (screen, name) {
        case ("app", "appBecame"): self = .appBecame(try Self.phase(members.text("phase")))
        case ("app", "language"): self = .language(try Self.language(members.text("language")))
        case ("onboarding", "create"): self = .create
        case ("onboarding", "import"): self = .importWords
        case ("onboarding", "submitSecret"):
            try members.secret()
            self = .submitNewSecret
        case ("onboarding", "submitWords"):
            try members.secret()
            self = .submitWords
        case ("onboarding", "answerOffer"): self = .answerOffer(consent: try members.flag("consent"))
        case ("onboarding", "migrate"): self = .migrate
        case ("onboarding", "cancel"): self = .cancel
        case ("wallets", "create"): self = .createWallet(try members.text("wallet"))
        case ("wallets", "import"):
            try members.secret()
            self = .importWallet(try members.text("wallet"))
        case ("wallets", "export"):
            try members.secret()
            self = .exportWallet(try members.text("wallet"))
        case ("trail", "export"):
            try members.secret()
            self = .exportTrail
        case ("credentials", _):
            guard let action = CredentialAction(rawValue: name) else { throw .unknownAction }
            self = .credentials(action)
        default: throw Self.screens.contains(screen) ? .unknownAction : .unknownScreen
        }
        try members.finish()
    }

    var takesSecret: Bool { form.takesSecret }

    /// The one form of the action, members sorted by name.
    var json: JSON {
        let (screen, form) = (screen, form)
        var members = form.members + [("name", .string(form.name)), ("screen", .string(screen))]
        if form.takesSecret { members.append(("secret", .string(ActionMembers.taken))) }
        return .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }

    private var screen: String {
        switch self {
        case .appBecame, .language: "app"
        case .create, .importWords, .submitNewSecret, .submitWords, .answerOffer, .migrate, .cancel: "onboarding"
        case .createWallet, .importWallet, .exportWallet: "wallets"
        case .exportTrail: "trail"
        case .credentials: "credentials"
        }
    }

    private var form: ActionForm {
        switch self {
        case .appBecame(let phase): ActionForm("appBecame", [("phase", .string(phase.name))])
        case .language(let language): ActionForm("language", [("language", .string(language.code))])
        case .create: ActionForm("create")
        case .importWords: ActionForm("import")
        case .submitNewSecret: ActionForm("submitSecret", takesSecret: true)
        case .submitWords: ActionForm("submitWords", takesSecret: true)
        case .answerOffer(let consent): ActionForm("answerOffer", [("consent", .bool(consent))])
        case .migrate: ActionForm("migrate")
        case .cancel: ActionForm("cancel")
        case .createWallet(let name): ActionForm("create", [("wallet", .string(name))])
        case .importWallet(let name): ActionForm("import", [("wallet", .string(name))], takesSecret: true)
        case .exportWallet(let id): ActionForm("export", [("wallet", .string(id))], takesSecret: true)
        case .exportTrail: ActionForm("export", takesSecret: true)
        case .credentials(let action): ActionForm(action.rawValue)
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
