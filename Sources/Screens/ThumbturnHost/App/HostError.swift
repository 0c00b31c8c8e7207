import ThumbturnJSON
public import ThumbturnRules
import ThumbturnScreenJSON

/// Why a host can't do what was asked of it, before any model was: a mistake of the app, or a host that is closed.
///
/// It repeats nothing of what came in.
public struct HostError: Error, Hashable, Sendable {
    /// A stable code for programs, such as `SECRET_MISSING`.
    public let code: String
    private let words: Words
    private let isOver: Bool
    /// Whether the owner can go on here and now.
    private let recoverable: Bool

    private init(_ code: String, _ words: Words, isOver: Bool = false, recoverable: Bool = false) {
        (self.code, self.words, self.isOver, self.recoverable) = (code, words, isOver, recoverable)
    }

    /// What happened, in one sentence.
    public func message(in language: Language) -> String { words.in(language) }

    /// What can be done, in one sentence.
    public func hint(in language: Language) -> String {
        if recoverable { return Words("Try again.", "Réessayez.").in(language) }
        let hint =
            isOver
            ? Words("Open the vault again.", "Ouvrez le coffre à nouveau.")
            : Words("This is a fault of the app: report it.", "C'est un défaut de l'app : signalez-le.")
        return hint.in(language)
    }

    /// The form of a model's refusal.
    func json(in language: Language) -> JSON {
        [
            "code": .string(code), "hint": .string(hint(in: language)), "message": .string(message(in: language)),
            "recoverable": .bool(recoverable),
        ]
    }
}

extension HostError {
    /// The configuration is not JSON, or longer than 4,096 bytes.
    public static let configurationNotJSON = HostError(
        "CONFIGURATION_NOT_JSON",
        Words("The configuration is not JSON.", "La configuration n'est pas du JSON.")
    )
    /// A member of the configuration is missing, unknown, or has a value that it can't have.
    public static let configurationWrong = HostError(
        "CONFIGURATION_WRONG",
        Words(
            "A member of the configuration is missing, unknown or wrong.",
            "Un membre de la configuration manque, est inconnu ou est faux."
        )
    )
    /// The action takes a secret, and none came beside it.
    public static let secretMissing = HostError(
        "SECRET_MISSING",
        Words("The action takes a secret, and none came.", "L'action demande un secret, et aucun n'est venu.")
    )
    /// A secret came beside an action that takes none.
    public static let secretUnexpected = HostError(
        "SECRET_UNEXPECTED",
        Words("The action takes no secret.", "L'action ne prend pas de secret.")
    )
    /// The secret has more than `VaultHost.mostSecretBytes` bytes.
    public static let secretTooLong = HostError(
        "SECRET_TOO_LONG",
        Words("The secret is too long.", "Le secret est trop long.")
    )
    /// The request of a call of the app's own is not JSON, or a member of it is missing or wrong.
    public static let requestWrong = HostError(
        "REQUEST_WRONG",
        Words("A member of the request is missing or wrong.", "Un membre de la demande manque ou est faux.")
    )
    /// What is kept for the app is guarded by less than was asked for.
    public static let protectionWeaker = HostError(
        "PROTECTION_WEAKER",
        Words(
            "What is kept is guarded by less than was asked for.",
            "Ce qui est gardé est protégé par moins que demandé."
        )
    )
    /// The device can't be made: the app's project lacks something, which the screen `app` names.
    public static let setupWrong = HostError(
        "SETUP_WRONG",
        Words("The app's project lacks something that the device needs.", "Il manque à l'app ce que l'appareil exige.")
    )
    /// The number stands for no secret of this session and for this use: it was used, wiped, or is another's.
    public static let secretGone = HostError(
        "SECRET_GONE",
        Words(
            "What was typed was used or wiped already: type it again.",
            "La saisie a déjà servi ou a été effacée : saisissez-la à nouveau."
        ),
        recoverable: true
    )
    /// The app could not take the secret that the action gives: its owner has not seen it.
    public static let secretNotTaken = HostError(
        "SECRET_NOT_TAKEN",
        Words("The app could not take the secret.", "L'app n'a pas pu recevoir le secret."),
        recoverable: true
    )
    /// Another call that is under way has the same number, or it is no number.
    public static let ticketTaken = HostError(
        "TICKET_TAKEN",
        Words("Another call has this number.", "Un autre appel a ce numéro.")
    )
    /// The script has not opened the vault, or another one has since.
    public static let notOpen = HostError(
        "HOST_NOT_OPEN",
        Words("The vault has not been opened.", "Le coffre n'a pas été ouvert."),
        isOver: true
    )
    /// The host was closed.
    public static let closed = HostError(
        "HOST_CLOSED",
        Words("The vault was closed.", "Le coffre a été fermé."),
        isOver: true
    )

    init(_ error: ScreenActionError) { self.init(error.code, Words(error)) }
}

extension Words {
    fileprivate init(_ error: ScreenActionError) {
        self =
            switch error {
            case .notJSON: Words("The action is not JSON.", "L'action n'est pas du JSON.")
            case .notObject: Words("The action is not an object.", "L'action n'est pas un objet.")
            case .unknownScreen: Words("There is no such screen.", "Cet écran n'existe pas.")
            case .unknownAction: Words("The screen has no such action.", "L'écran n'a pas cette action.")
            case .memberMissing: Words("The action lacks a member.", "Il manque un membre à l'action.")
            case .memberWrong: Words("A member of the action is wrong.", "Un membre de l'action est faux.")
            case .memberUnknown: Words("The action has a member too many.", "L'action a un membre de trop.")
            }
    }
}
