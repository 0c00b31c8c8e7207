import Thumbturn
import ThumbturnConsole

/// A rule of the vault's policy that `policy set` changes, under the name used there.
struct PolicyRule: Hashable, Sendable {
    let name: String
    private let about: Words
    private let inDays: Bool
    private let field: VaultPolicy.Field

    private init?(_ field: VaultPolicy.Field) {
        guard let setting = field.setting else { return nil }
        (name, about, inDays, self.field) = (setting.name, setting.about, setting.inDays, field)
    }

    /// All rules; what is yes or no comes last.
    static let all: [PolicyRule] = {
        let rules = VaultPolicy.Field.all.compactMap { PolicyRule($0) }
        return rules.filter { !$0.isFlag } + rules.filter { $0.isFlag }
    }()

    private var isFlag: Bool { if case .flag = field.kind { true } else { false } }

    /// Returns the rules that apply to a policy.
    static func all(of policy: VaultPolicy) -> [PolicyRule] {
        all.filter { !$0.field.needsService || policy.strongFactor == .accountPassword }
    }

    /// The names, each with the words it accepts as a value, if any.
    static var operands: ValueForm {
        .pairs(all.map { $0.name }, Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.accepted.words) }))
    }

    /// What each rule means, and the values that it accepts.
    static var help: Words {
        all.map { rule in
            let (about, values) = (rule.about, rule.accepted.briefly)
            return Words(
                "\(rule.name): \(about.english) (\(values.english))",
                "\(rule.name) : \(about.french) (\(values.french))"
            )
        }
        .joined(separator: Words("; ", " ; "))
    }

    static func == (one: PolicyRule, other: PolicyRule) -> Bool { one.name == other.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// The values of a rule. None that the owner sets is a number, or an assurance that may be missing.
extension PolicyRule {
    /// Returns the rule's value in a policy, as `policy set` accepts it.
    func value(in policy: VaultPolicy) -> String {
        switch field.kind {
        case .flag(let at, _): policy[at] ? "yes" : "no"
        case .span(let at, _): policy[at].written
        case .limit(let at): policy[at].map { inDays ? $0.writtenInDays : $0.written } ?? "never"
        case .assurance(let at): policy[at].name
        case .count, .optionalAssurance: ""
        }
    }

    /// Sets the rule's value; returns false if the text is no such value.
    fileprivate func set(_ text: String, in policy: inout VaultPolicy) -> Bool {
        let span = (inDays ? Milliseconds(written: text + "d") : nil) ?? Milliseconds(written: text)
        switch field.kind {
        case .flag(let at, _):
            guard accepted.words.contains(text) else { return false }
            policy[at] = text == "yes"
        case .span(let at, let shortest):
            guard let span, span >= shortest else { return false }
            policy[at] = span
        case .limit(let at):
            guard span != nil || accepted.words.contains(text) else { return false }
            policy[at] = span
        case .assurance(let at):
            guard let assurance = Assurance.allCases.first(where: { $0.name == text }) else { return false }
            policy[at] = assurance
        case .count, .optionalAssurance: return false
        }
        return true
    }

    /// The values that the rule accepts: words to complete, then all, for the help and for a message.
    fileprivate var accepted: (words: [String], briefly: Words, form: Words) {
        let never = ["never"]
        switch field.kind {
        case .span(_, let shortest):
            let briefly = Words("\(shortest.written) or more", "\(shortest.written) ou plus")
            return ([], briefly, briefly + Words(", such as `5m`", ", tel `5m`"))
        case .limit where inDays:
            return (never, Words("3, never"), Words("days such as `3`, or `never`", "des jours, tels `3`, ou `never`"))
        case .limit:
            let form = Words("a span such as `30m`, or `never`", "une durée telle `30m`, ou `never`")
            return (never, Words("30m, never"), form)
        case .flag, .assurance, .count, .optionalAssurance:
            let words = isFlag ? ["yes", "no"] : Assurance.allCases.map { $0.name }
            let quoted = words.map { "`\($0)`" }
            let (first, last) = (quoted.dropLast().joined(separator: ", "), quoted.last ?? "")
            let form = Words("\(first) or \(last)", "\(first) ou \(last)")
            return (words, Words(words.joined(separator: ", ")), form)
        }
    }
}

/// A rule and its new value.
struct PolicySetting: Hashable, Sendable {
    /// The rule being set.
    let rule: PolicyRule
    private let value: String

    /// Parses a rule's name and value.
    ///
    /// - Throws: `.usage`, which never quotes the arguments.
    init(_ name: String, _ value: String) throws(Failure) {
        guard let rule = PolicyRule.all.first(where: { $0.name == name }) else {
            let names = PolicyRule.all.map { "`\($0.name)`" }.joined(separator: ", ")
            throw .usage(Words("the rules are \(names)", "les règles sont \(names)"))
        }
        var policy = VaultPolicy.wallet
        guard rule.set(value, in: &policy) else {
            throw .usage(Words("\(name) takes ", "\(name) demande ") + rule.accepted.form)
        }
        (self.rule, self.value) = (rule, value)
    }

    /// Applies the setting to a policy.
    func apply(to policy: inout VaultPolicy) { _ = rule.set(value, in: &policy) }
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

    /// The span as a number of days where it is one.
    fileprivate var writtenInDays: String {
        let day = Milliseconds.days(1).count
        return count % day == 0 ? "\(count / day)" : written
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
