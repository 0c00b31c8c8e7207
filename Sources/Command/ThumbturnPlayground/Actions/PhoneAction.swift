import ThumbturnAccountUI
import ThumbturnJSON
import ThumbturnScreenJSON

/// What the page asks of the phone: an action of the library's screens, of an account's, or of the app around them.
enum PhoneAction: Hashable, Sendable {
    case screen(ScreenAction)
    case account(AccountScreenAction)
    case app(AppAction)

    /// Reads an action.
    init(_ json: JSON) throws(ScreenActionError) {
        if case .string(let screen)? = json["screen"], case .string(let name)? = json["name"],
            AppAction.has(screen, name)
        {
            self = .app(try AppAction(json))
            return
        }
        do throws(ScreenActionError) { self = .account(try AccountScreenAction(json)) } catch {
            guard error == .unknownScreen else { throw error }
            self = .screen(try ScreenAction(json))
        }
    }

    /// Whether a secret comes beside it.
    var takesSecret: Bool {
        switch self {
        case .screen(let action): action.takesSecret
        case .account(let action): action.takesSecret
        case .app(let action): action.takesSecret
        }
    }

    /// The one form of the action.
    var json: JSON {
        switch self {
        case .screen(let action): action.json
        case .account(let action): action.json
        case .app(let action): action.json
        }
    }
}
