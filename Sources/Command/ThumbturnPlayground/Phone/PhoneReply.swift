import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// What an action of the phone gives: why it was refused, a secret, or a text that is none.
struct PhoneReply {
    var members: [(String, JSON)]
    var secret: HeldSecret?

    /// Done, or refused with this error as the screen shows it.
    init(_ error: JSON = .null) { members = [("error", error)] }

    /// Refused, where no screen shows it.
    init(_ code: ErrorCode, in language: Language) { self.init(code.json(in: language)) }

    var json: JSON { .object(members) }

    /// A prompt is up: what comes of the action, the state tells.
    static let waiting: JSON = ["error": .null, "isWaiting": .bool(true)]
}
