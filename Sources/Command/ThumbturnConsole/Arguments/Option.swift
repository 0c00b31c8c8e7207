package import ThumbturnRules

/// An option in the table of commands, of any value type.
package protocol OptionForm: Sendable {
    /// The option's name, with its dashes.
    var name: String { get }
    /// The kind of its value; `nil` if it takes none.
    var value: ValueForm? { get }
    /// Whether it may be given several times.
    var isRepeatable: Bool { get }
}

extension OptionForm {
    /// Whether it takes a value.
    package var takesValue: Bool { value != nil }
}

/// The kinds of values that a shell can complete.
package enum ValueForm: Hashable, Sendable {
    /// A value that can't be completed.
    case any
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
    /// One of these words.
    case words([String])
    /// One of these words, then one of those that may follow it.
    case pairs([String], [String: [String]])
    /// The name of a command.
    case command
}

/// An option and the parser of its value; `Void` if it has no value.
package struct Option<Value: Sendable>: OptionForm {
    package let name: String
    package let value: ValueForm?
    package let isRepeatable: Bool
    fileprivate let read: @Sendable (String) throws(Failure) -> Value

    /// Creates an option with a value.
    package init(
        _ name: String,
        _ value: ValueForm = .any,
        isRepeatable: Bool = false,
        reading read: @escaping @Sendable (String) throws(Failure) -> Value
    ) {
        (self.name, self.value, self.isRepeatable, self.read) = (name, value, isRepeatable, read)
    }
}

extension Option where Value == Void {
    /// Creates an option without a value.
    package init(_ name: String) {
        self.name = name
        value = nil
        isRepeatable = false
        read = { _ in }
    }

    /// Asks for help about a command.
    package static var help: Self { Self("--help") }
    /// Asks for the version.
    package static var version: Self { Self("--version") }
    /// Asks for results in JSON.
    package static var json: Self { Self("--json") }
}

extension Option where Value == String {
    /// Returns an option whose value is a non-empty text.
    package static func text(_ name: String, _ value: ValueForm = .any, isRepeatable: Bool = false) -> Self {
        Self(name, value, isRepeatable: isRepeatable) { text throws(Failure) in
            guard !text.isEmpty else { throw .usage(Words("\(name) is empty", "\(name) est vide")) }
            return text
        }
    }
}

/// The options given on a command line, with their values.
package struct GivenOptions: Sendable {
    /// Each with its values, in the order in which they were written.
    private var values: [String: [String]] = [:]

    /// Returns whether an option without a value is given.
    package subscript(option: Option<Void>) -> Bool { values[option.name] != nil }

    /// Returns the value of an option; `nil` if it is not given.
    package subscript<Value>(option: Option<Value>) -> Value? {
        get throws(Failure) {
            guard let text = values[option.name]?.first else { return nil }
            return try option.read(text)
        }
    }

    /// Returns every value of an option that may be given several times.
    package func all<Value>(_ option: Option<Value>) throws(Failure) -> [Value] {
        var all: [Value] = []
        for text in values[option.name] ?? [] { all.append(try option.read(text)) }
        return all
    }

    var names: [String] { values.keys.sorted() }

    /// Returns whether an option other than these is given.
    func hasOthers(than options: [any OptionForm]) -> Bool {
        !values.keys.allSatisfy { name in options.contains { $0.name == name } }
    }

    /// Adds an option as it was written.
    mutating func add(_ name: String, _ value: String, isRepeatable: Bool = false) throws(Failure) {
        guard isRepeatable || values[name] == nil else {
            throw .usage(Words("an option is given twice", "une option est donnée deux fois"))
        }
        values[name, default: []].append(value)
    }
}

extension Failure {
    /// Returns a failure for a command line that can't be parsed; its parser adds the help to read.
    package static func usage(_ detail: Words?) -> Failure { Failure(.usage, detail) }
}
