import ThumbturnCrypto
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// What an action of the phone gives: why it was refused, a secret, or a text that is none.
struct PhoneReply {
    private let members: [(String, JSON)]
    let secret: HeldSecret?

    /// Done, and what came of it.
    init(_ more: [(String, JSON)] = []) { (members, secret) = ([("error", .null)] + more, nil) }

    /// Refused, where no screen shows it.
    init(_ code: ErrorCode, in language: Language) {
        (members, secret) = ([("error", code.json(in: language))], nil)
    }

    /// What the host answered.
    init(_ answer: HostAnswer) {
        guard case .object(let members) = answer.value else { preconditionFailure("an answer is an object") }
        (self.members, secret) = (members, answer.secret)
    }

    var json: JSON { .object(members) }

    /// A prompt is up: what comes of the action, the state tells.
    static let waiting: JSON = ["error": .null, "isWaiting": .bool(true)]
}
