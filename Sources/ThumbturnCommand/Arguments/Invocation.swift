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
        var given = GivenOptions()
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
                try given.add(name, "")
                continue
            }
            guard let value = value ?? rest.popFirst() else {
                throw .usage(Words("an option needs a value", "une option demande une valeur"))
            }
            try given.add(name, value)
        }
        options = try Options(given)
        command = try Self.command(words, given)
    }

    private static func command(_ words: [String], _ given: GivenOptions) throws(Failure) -> Command {
        if given[.version] { return .version }
        guard !words.isEmpty else {
            if given[.help] { return .help(nil) }
            throw .usage(Words("there is no command", "il n'y a pas de commande"))
        }
        guard let syntax = Syntax.find(words) else {
            // `thumbturn wallet --help`: the group alone is no command.
            if given[.help], words.count == 1, !Syntax.group(words[0]).isEmpty {
                return .help(Syntax.Name(text: words[0]))
            }
            throw .usage(Words("the command is unknown", "la commande est inconnue"))
        }
        if given[.help] { return .help(syntax.name) }
        let operands = Array(words.dropFirst(syntax.name.wordCount))
        guard !given.hasOthers(than: syntax.options + Options.forms) else {
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
