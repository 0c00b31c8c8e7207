/// One event of the device's trail, as a list shows it.
public struct TrailEvent: Hashable, Sendable {
    /// The place in the chain, from 0; nil for failures that no record tells of yet.
    public let seq: UInt64?
    /// What happened.
    public let kind: AuditEventKind
    /// When, in milliseconds since 1970 by the device's clock, which may have been set.
    public let at: Milliseconds
    /// The reason, if there is one.
    public var reason: String?
    /// The kind of the sensor.
    public var biometryType: BiometricCapability.BiometryType?
    /// Failures in a row before this event.
    public var attemptCount: UInt32 = 0
    /// How many failures, or wallets, it tells of.
    public var count: UInt32 = 1
    /// When the last of several failures was; nil for one event.
    public var until: Milliseconds?

    /// Creates an event; set the rest as needed.
    public init(_ kind: AuditEventKind, at: Milliseconds, seq: UInt64?) {
        (self.kind, self.at, self.seq) = (kind, at, seq)
    }

    /// What happened, and why, in one language.
    ///
    /// - Parameters:
    ///   - language: the language.
    ///   - factor: the vault's strong factor; an account's vault has no PIN.
    public func text(in language: Language, asking factor: VaultPolicy.StrongFactor = .localSecret) -> String {
        let details = details(asking: factor).map { $0.words.in(language, $0.argument ?? "") }
        let what = heading(asking: factor).in(language)
        return details.isEmpty ? what : what + " (" + details.joined(separator: ", ") + ")"
    }

    /// A text, and its argument.
    package struct Detail: Hashable, Sendable {
        package let words: Words
        package var argument: String?
    }

    /// What happened, as the heading of an entry.
    package func heading(asking factor: VaultPolicy.StrongFactor) -> Words {
        kind.texts(reason: reason, asking: factor).what.headed
    }

    /// What else is known of it.
    package func details(asking factor: VaultPolicy.StrongFactor) -> [Detail] {
        var details: [Detail] = []
        if let why = kind.texts(reason: reason, asking: factor).why { details.append(Detail(words: why)) }
        if kind.isOfSensor, let biometryType, biometryType != .none { details.append(Detail(words: biometryType.text)) }
        if attemptCount > 0 { details.append(Detail(words: .failuresBefore, argument: "\(attemptCount)")) }
        if kind == .walletExported {
            if count > 1 { details.append(Detail(words: .walletsExported, argument: "\(count)")) }
        } else if until != nil, count > 1 || seq == nil {
            details.append(Detail(words: .moreFailures, argument: "\(count)"))
        }
        return details
    }
}

extension AuditEventKind {
    /// Whether the kind of sensor says more about it.
    package var isOfSensor: Bool { self == .biometricSuccess || self == .biometricFailure }
}

extension BiometricCapability.BiometryType {
    /// What the sensor reads, in one word.
    package var text: Words {
        switch self {
        case .none: Words("no sensor", "pas de capteur")
        case .touchID: Words("fingerprint", "empreinte")
        case .faceID: Words("face", "visage")
        }
    }
}
