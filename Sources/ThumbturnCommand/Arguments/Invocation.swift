import Thumbturn
import ThumbturnConsole

/// A command line that was understood.
struct Invocation: Hashable, Sendable {
    var options = Options()
    let command: Command

    /// Reads a command line, without the program's name.
    ///
    /// - Throws: `.usage`, and never with a word of what was given, because it may be a secret in the wrong place.
    init(parsing arguments: [String]) throws(Failure) {
        var words: [String] = []
        var given: [String: String] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("--") || argument == "-h" else {
                words.append(argument)
                continue
            }
            let (name, value) = Self.split(argument == "-h" ? "--help" : argument)
            guard Syntax.optionsWithValue.contains(name) else {
                guard value == nil else {
                    throw .usage(Words("an option takes no value", "une option est sans valeur"))
                }
                try Self.set(name, "", in: &given)
                continue
            }
            guard let value = value ?? rest.popFirst() else {
                throw .usage(Words("an option needs a value", "une option demande une valeur"))
            }
            try Self.set(name, value, in: &given)
        }
        options = try Self.takeOptions(from: &given)
        command = try Self.command(words, given)
    }

    private static func takeOptions(from given: inout [String: String]) throws(Failure) -> Options {
        var options = Options()
        options.json = given.removeValue(forKey: "--json") != nil
        if let folder = given.removeValue(forKey: "--vault") {
            guard !folder.isEmpty else { throw .usage(Words("--vault is empty", "--vault est vide")) }
            options.vault = folder
        }
        if let number = given.removeValue(forKey: "--secret-fd") {
            guard let descriptor = Int32(number), descriptor >= 0 else {
                throw .usage(Words("--secret-fd takes a number", "--secret-fd demande un nombre"))
            }
            options.secretDescriptor = descriptor
        }
        if let device = given.removeValue(forKey: "--device") {
            guard let option = DeviceOption(rawValue: device) else {
                throw .usage(
                    Words(
                        "--device takes `linux`, `files` or `simulated`",
                        "--device demande `linux`, `files` ou `simulated`"
                    )
                )
            }
            options.device = option
        }
        if let least = given.removeValue(forKey: "--require") {
            guard least == "hardware" else {
                throw .usage(Words("--require takes `hardware`", "--require demande `hardware`"))
            }
            options.requiresHardware = true
        }
        return options
    }

    private static func command(_ words: [String], _ given: [String: String]) throws(Failure) -> Command {
        if given["--version"] != nil { return .version }
        guard !words.isEmpty else {
            if given["--help"] != nil { return .help(nil) }
            throw .usage(Words("there is no command", "il n'y a pas de commande"))
        }
        guard let syntax = Syntax.find(words) else {
            // `thumbturn wallet --help`: the group alone is no command.
            if given["--help"] != nil, words.count == 1, !Syntax.group(words[0]).isEmpty {
                return .help(Syntax.Name(text: words[0]))
            }
            throw .usage(Words("the command is unknown", "la commande est inconnue"))
        }
        if given["--help"] != nil { return .help(syntax.name) }
        let operands = Array(words.dropFirst(syntax.name.wordCount))
        for option in given.keys where !syntax.options.contains(option) {
            throw .usage(Words("an option is unknown", "une option est inconnue"), for: syntax.name)
        }
        guard syntax.operandCount.contains(operands.count) else {
            let detail =
                operands.count < syntax.operandCount.lowerBound
                ? Words("a word is missing", "il manque un mot")
                : Words("there are too many words", "il y a trop de mots")
            throw .usage(detail, for: syntax.name)
        }
        do { return try syntax.command(operands, given) } catch {
            throw error.code == .usage ? .usage(error.detail, for: syntax.name) : error
        }
    }

    private static func set(_ name: String, _ value: String, in given: inout [String: String]) throws(Failure) {
        guard given.updateValue(value, forKey: name) == nil else {
            throw .usage(Words("an option is given twice", "une option est donnée deux fois"))
        }
    }

    private static func split(_ argument: String) -> (name: String, value: String?) {
        guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }
}

extension Failure {
    /// A command line that is not understood.
    static func usage(_ detail: Words?, for name: Syntax.Name? = nil) -> Failure {
        let help = name.map { "`thumbturn help \($0.text)`" } ?? "`thumbturn help`"
        return Failure(.usage, detail, hint: Words("see \(help)", "voir \(help)"))
    }
}
