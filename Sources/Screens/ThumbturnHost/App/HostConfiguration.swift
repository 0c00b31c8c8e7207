import ThumbturnJSON
public import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnUI

/// What a host decides before there is a vault.
public struct HostConfiguration: Hashable, Sendable {
    /// The path of the app's own folder; the vault is in its folder `vault`.
    public var home: String
    /// The language of messages.
    public var language: Language
    /// The rules of a new vault.
    public var policy: VaultPolicy
    /// The kind of secret that the owner types.
    public var secret: SecretKind

    /// Creates a configuration.
    public init(
        home: String,
        language: Language = .english,
        policy: VaultPolicy = .wallet,
        secret: SecretKind = .pin(length: 6)
    ) {
        (self.home, self.language, self.policy, self.secret) = (home, language, policy, secret)
    }

    /// Reads a configuration as a host that is not Swift writes it, in JSON.
    ///
    /// `{"home":PATH,"language":"en"|"fr","policy":"wallet"|"pd107","secret":{"kind":"pin"|"password","length":N|null}}`:
    /// these members and no other, in any order. A length is one from 1 to 32 of a PIN.
    ///
    /// - Parameter bytes: UTF-8, up to 4,096 bytes.
    /// - Throws: `.configurationNotJSON` and `.configurationWrong`.
    public init(reading bytes: [UInt8]) throws(HostError) { try self.init(Self.json(bytes), home: nil) }

    /// Reads a configuration whose writer does not know where the app's folder is: the same JSON without `home`.
    public init(reading bytes: [UInt8], home: String) throws(HostError) {
        try self.init(Self.json(bytes), home: home)
    }

    private init(_ json: JSON, home added: String?) throws(HostError) {
        guard
            json.hasOnly(added == nil ? ["home", "language", "policy", "secret"] : ["language", "policy", "secret"]),
            let home = added ?? json.text("home"), !home.isEmpty, !home.utf8.contains(0),
            let language = Language.allCases.first(where: { $0.code == json.text("language") }),
            let policy = Self.policies.first(where: { $0.name == json.text("policy") })?.policy,
            let secret = json["secret"].flatMap(SecretKind.init)
        else { throw .configurationWrong }
        self.init(home: home, language: language, policy: policy, secret: secret)
    }

    private static func json(_ bytes: [UInt8]) throws(HostError) -> JSON {
        do throws(JSONError) { return try JSON(reading: bytes, byteLimit: 4_096, depthLimit: 2) } catch {
            throw .configurationNotJSON
        }
    }

    private static let policies: [(name: String, policy: VaultPolicy)] = [("wallet", .wallet), ("pd107", .pd107)]
}

extension JSON {
    /// Whether it is an object with exactly these members.
    fileprivate func hasOnly(_ names: Set<String>) -> Bool {
        guard case .object(let members) = self else { return false }
        return members.count == names.count && members.allSatisfy { names.contains($0.0) }
    }

    /// The text of this member; nil if there is none.
    fileprivate func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }
}

extension SecretKind {
    /// Reads a kind of secret; nil for anything else.
    fileprivate init?(_ json: JSON) {
        guard json.hasOnly(["kind", "length"]) else { return nil }
        switch (json.text("kind"), json["length"]) {
        case ("pin", .null): self = .pin(length: nil)
        case ("pin", .integer(let length)) where 1...Int64(PINEntry.mostDigits) ~= length:
            self = .pin(length: Int(length))
        case ("password", .null): self = .password
        default: return nil
        }
    }

    /// The form that `HostConfiguration` reads.
    var json: JSON {
        switch self {
        case .pin(let length): ["kind": .string("pin"), "length": length.map { JSON($0) } ?? .null]
        case .password: ["kind": .string("password"), "length": .null]
        }
    }
}
