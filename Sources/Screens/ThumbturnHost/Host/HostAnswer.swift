package import ThumbturnCrypto
package import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// What an action gives: JSON, and a secret beside it where the action asks for one.
public struct HostAnswer: Sendable {
    /// `{"error":null}`, or why it was refused: `{"error":{"code":…,"hint":…,"message":…,"recoverable":…}}`.
    public var json: String { value.wireText }
    package let value: JSON
    /// What was asked for, such as a recovery key; nil for most actions.
    package let secret: HeldSecret?

    init(_ reply: HostReply) {
        value = ["error": reply.error?.json ?? .null]
        secret = reply.secret
    }

    /// Done, with a secret that a session keeps under this number.
    init(given number: Double) {
        value = ["error": .null, "given": .integer(Int64(number))]
        secret = nil
    }

    init(_ error: HostError, in language: Language) {
        value = ["error": error.json(in: language)]
        secret = nil
    }

    /// Lends the secret that came with the answer; nil if none did.
    public func withSecret<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result? {
        try secret?.bytes.withBytes(body)
    }
}
