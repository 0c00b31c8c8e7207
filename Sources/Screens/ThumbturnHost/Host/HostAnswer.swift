package import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// What an action gives: JSON, and a secret beside it where the action asks for one.
public struct HostAnswer: Sendable {
    /// `{"error":null}`, or why it was refused: `{"error":{"code":…,"hint":…,"message":…,"recoverable":…}}`.
    public let json: String
    /// What was asked for, such as a recovery key; nil for most actions.
    package let secret: HeldSecret?

    init(_ reply: HostReply) {
        json = JSON.object([("error", reply.error?.json ?? .null)]).wireText
        secret = reply.secret
    }

    init(_ error: HostError, in language: Language) {
        json = JSON.object([("error", error.json(in: language))]).wireText
        secret = nil
    }

    /// Lends the secret that came with the answer; nil if none did.
    public func withSecret<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result? {
        try secret?.bytes.withBytes(body)
    }
}
