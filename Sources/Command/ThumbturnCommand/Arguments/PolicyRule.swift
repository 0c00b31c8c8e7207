import Thumbturn
import ThumbturnConsole

/// A rule of the vault's policy that `policy set` changes, under the name used there.
enum PolicyRule: String, Hashable, Sendable, CaseIterable {
    case autoLock = "auto-lock"
    case strongAfterIdle = "strong-after-idle"
    case strongAfterDays = "strong-after-days"
    case leastAssurance = "least-assurance"
    case lockInBackground = "lock-in-background"
    case offlinePassword = "offline-password"

    /// Returns the rules that apply to a policy.
    static func all(of policy: VaultPolicy) -> [PolicyRule] {
        allCases.filter { $0 != .offlinePassword || policy.strongFactor == .accountPassword }
    }

    /// Returns the rule's value in a policy, as `policy set` accepts it.
    func value(in policy: VaultPolicy) -> String {
        switch self {
        case .autoLock: policy.locksAfterIdle.written
        case .strongAfterIdle: policy.strongFactorAfterIdle?.written ?? Self.never
        case .strongAfterDays: policy.strongFactorMaxAge.map(Self.days) ?? Self.never
        case .leastAssurance: policy.minimumAssurance.name
        case .lockInBackground: policy.locksInBackground ? Self.yes : Self.no
        case .offlinePassword: policy.allowsOfflinePassword ? Self.yes : Self.no
        }
    }

    fileprivate static let (never, yes, no) = ("never", "yes", "no")

    /// The names, each with the words it accepts as a value, if any.
    static var operands: ValueForm {
        .pairs(
            allCases.map(\.rawValue),
            Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.words) })
        )
    }

    private var words: [String] {
        switch self {
        case .autoLock: []
        case .strongAfterIdle, .strongAfterDays: [Self.never]
        case .leastAssurance: Assurance.allCases.map(\.name)
        case .lockInBackground, .offlinePassword: [Self.yes, Self.no]
        }
    }

    private static func days(_ span: Milliseconds) -> String {
        let day = Milliseconds.days(1).count
        return span.count % day == 0 ? "\(span.count / day)" : span.written
    }

    /// The values the rule accepts, for messages.
    fileprivate var form: Words {
        switch self {
        case .autoLock: Words("10s or more, such as `5m`", "10s ou plus, tel `5m`")
        case .strongAfterIdle: Words("a span such as `30m`, or `never`", "une durée telle `30m`, ou `never`")
        case .strongAfterDays: Words("days such as `3`, or `never`", "des jours, tels `3`, ou `never`")
        case .leastAssurance:
            Words(
                "`simulated`, `softwareFile`, `osKeychain` or `hardwareBound`",
                "`simulated`, `softwareFile`, `osKeychain` ou `hardwareBound`"
            )
        case .lockInBackground, .offlinePassword: Words("`yes` or `no`", "`yes` ou `no`")
        }
    }
}

/// A rule and its new value.
enum PolicySetting: Hashable, Sendable {
    case autoLock(Milliseconds)
    case strongAfterIdle(Milliseconds?)
    case strongAfterDays(Milliseconds?)
    case leastAssurance(Assurance)
    case lockInBackground(Bool)
    case offlinePassword(Bool)

    /// Parses a rule's name and value.
    ///
    /// - Throws: `.usage`, which never quotes the arguments.
    init(_ name: String, _ value: String) throws(Failure) {
        guard let rule = PolicyRule(rawValue: name) else {
            let names = PolicyRule.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw .usage(Words("the rules are \(names)", "les règles sont \(names)"))
        }
        let isNever = value == PolicyRule.never
        let span = Milliseconds(written: value)
        let setting: PolicySetting? =
            switch rule {
            case .autoLock: span.flatMap { $0 < .seconds(10) ? nil : .autoLock($0) }
            case .strongAfterIdle: isNever ? .strongAfterIdle(nil) : span.map { .strongAfterIdle($0) }
            case .strongAfterDays:
                isNever
                    ? .strongAfterDays(nil) : (Milliseconds(written: value + "d") ?? span).map { .strongAfterDays($0) }
            case .leastAssurance: Assurance.allCases.first { $0.name == value }.map { .leastAssurance($0) }
            case .lockInBackground: Self.flag(value).map { .lockInBackground($0) }
            case .offlinePassword: Self.flag(value).map { .offlinePassword($0) }
            }
        guard let setting else {
            throw .usage(Words("\(name) takes ", "\(name) demande ") + rule.form)
        }
        self = setting
    }

    private static func flag(_ value: String) -> Bool? {
        switch value {
        case PolicyRule.yes: true
        case PolicyRule.no: false
        default: nil
        }
    }

    /// The rule being set.
    var rule: PolicyRule {
        switch self {
        case .autoLock: .autoLock
        case .strongAfterIdle: .strongAfterIdle
        case .strongAfterDays: .strongAfterDays
        case .leastAssurance: .leastAssurance
        case .lockInBackground: .lockInBackground
        case .offlinePassword: .offlinePassword
        }
    }

    /// Applies the setting to a policy.
    func apply(to policy: inout VaultPolicy) {
        switch self {
        case .autoLock(let span): policy.locksAfterIdle = span
        case .strongAfterIdle(let span): policy.strongFactorAfterIdle = span
        case .strongAfterDays(let span): policy.strongFactorMaxAge = span
        case .leastAssurance(let assurance): policy.minimumAssurance = assurance
        case .lockInBackground(let isOn): policy.locksInBackground = isOn
        case .offlinePassword(let isOn): policy.allowsOfflinePassword = isOn
        }
    }
}

extension Milliseconds {
    private static let units: [(letter: Character, size: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000),
    ]

    /// The span in the largest unit that divides it, such as `5m`; a started second counts as a whole one.
    fileprivate var written: String {
        let count = wholeSeconds * 1_000
        for unit in Self.units where count >= unit.size && count % unit.size == 0 {
            return "\(count / unit.size)\(unit.letter)"
        }
        return "0s"
    }

    /// Parses digits and a unit, up to a century.
    fileprivate init?(written text: String) {
        guard let unit = Self.units.first(where: { $0.letter == text.last }) else { return nil }
        let digits = text.dropLast()
        // `Int64` would accept a sign too.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits),
            count <= Milliseconds.days(36_500).count / unit.size
        else { return nil }
        self.init(count * unit.size)
    }
}
