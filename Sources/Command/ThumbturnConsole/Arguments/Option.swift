package import ThumbturnRules

/// An option as the table of commands lists it, whatever its value is.
package protocol OptionForm: Sendable {
    /// How it is written.
    var name: String { get }
    /// What stands behind it; nil where nothing does.
    var value: ValueForm? { get }
}

extension OptionForm {
    /// Whether its value stands behind it.
    package var takesValue: Bool { value != nil }
}

/// What a value can be, as far as a shell completes it.
package enum ValueForm: Hashable, Sendable {
    /// Something that only its owner knows.
    case any
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
    /// One of these.
    case words([String])
    /// One of these, and then one of those that can stand behind it.
    case pairs([String], [String: [String]])
    /// The name of a command.
    case command
}

/// An option, and how its value is read: `Void` for one that says all by being there.
package struct Option<Value: Sendable>: OptionForm {
    package let name: String
    package let value: ValueForm?
    fileprivate let read: @Sendable (String) throws(Failure) -> Value

    /// An option with a value behind it.
    package init(
        _ name: String,
        _ value: ValueForm = .any,
        reading read: @escaping @Sendable (String) throws(Failure) -> Value
    ) {
        (self.name, self.value, self.read) = (name, value, read)
    }
}

extension Option where Value == Void {
    /// An option without a value.
    package init(_ name: String) {
        self.name = name
        value = nil
        read = { _ in }
    }

    /// Asks what a command does.
    package static var help: Self { Self("--help") }
    /// Asks which version this is.
    package static var version: Self { Self("--version") }
    /// Asks for results as JSON.
    package static var json: Self { Self("--json") }
}

extension Option where Value == String {
    /// An option whose value is a text with something in it.
    package static func text(_ name: String, _ value: ValueForm = .any) -> Self {
        Self(name, value) { text throws(Failure) in
            guard !text.isEmpty else { throw .usage(Words("\(name) is empty", "\(name) est vide")) }
            return text
        }
    }
}

/// The options of a command line, each with what stands behind it.
package struct GivenOptions: Sendable {
    private var values: [String: String] = [:]

    /// Whether an option without a value is there.
    package subscript(option: Option<Void>) -> Bool { values[option.name] != nil }

    /// The value of an option; nil where it is not there.
    package subscript<Value>(option: Option<Value>) -> Value? {
        get throws(Failure) {
            guard let text = values[option.name] else { return nil }
            return try option.read(text)
        }
    }

    /// How those that are there are written, in order.
    var names: [String] { values.keys.sorted() }

    /// Whether there is one besides these.
    func hasOthers(than options: [any OptionForm]) -> Bool {
        !values.keys.allSatisfy { name in options.contains { $0.name == name } }
    }

    /// Takes one more, as it was written.
    mutating func add(_ name: String, _ value: String) throws(Failure) {
        guard values.updateValue(value, forKey: name) == nil else {
            throw .usage(Words("an option is given twice", "une option est donnée deux fois"))
        }
    }
}

extension Failure {
    /// A command line that is not understood; which help explains it is added where the line was read.
    package static func usage(_ detail: Words?) -> Failure { Failure(.usage, detail) }
}
