import ThumbturnRules

/// The command lines that a program understands.
package struct CommandGrammar<Command: Sendable>: Sendable {
    /// What is understood whatever the program: its own commands mean it.
    package struct Common: Sendable {
        let help: @Sendable (CommandName?) -> Command
        let version: Command

        /// - Parameter help: help for one command, for a group of them, or for all.
        package init(version: Command, help: @escaping @Sendable (CommandName?) -> Command) {
            (self.help, self.version) = (help, version)
        }
    }

    let program: String
    /// The rows, in the order in which help lists them.
    package let rows: [CommandSyntax<Command>]
    let optionsOfAll: [any OptionForm]
    private let common: Common

    /// Takes the table of a program.
    ///
    /// - Parameter optionsOfAll: those that every command takes, before or after its name.
    package init(
        of program: String,
        _ rows: [CommandSyntax<Command>],
        optionsOfAll: [any OptionForm],
        common: Common
    ) {
        (self.program, self.rows, self.optionsOfAll, self.common) = (program, rows, optionsOfAll, common)
    }

    /// Reads a command line, without the program's name.
    ///
    /// - Throws: `.usage`, and never with a word of what was given, because it may be a secret in the wrong place.
    package func parse(_ arguments: [String]) throws(Failure) -> (command: Command, given: GivenOptions) {
        var words: [String] = []
        var given = GivenOptions()
        do throws(Failure) { try read(arguments, &words, &given) } catch { throw advised(error, nil) }
        return (try command(words, given), given)
    }

    /// The rows of two words that begin with `word`.
    package func group(_ word: String) -> [CommandSyntax<Command>] {
        rows.filter { $0.name.wordCount == 2 && $0.name.group == word }
    }

    /// What `help` with these words explains.
    package func subject(_ words: [String]) throws(Failure) -> CommandName? {
        guard !words.isEmpty else { return nil }
        if words.count == 1, !group(words[0]).isEmpty { return CommandName(text: words[0]) }
        guard let syntax = find(words), syntax.name.wordCount == words.count else { throw Self.unknown }
        return syntax.name
    }

    /// The row whose name begins the words; two words come before one.
    private func find(_ words: [String]) -> CommandSyntax<Command>? {
        let pair = words.prefix(2).joined(separator: " ")
        return rows.first { $0.name.text == pair } ?? rows.first { $0.name.text == words.first }
    }

    private func read(
        _ arguments: [String],
        _ words: inout [String],
        _ given: inout GivenOptions
    ) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                return
            }
            guard argument.hasPrefix("--") || argument == "-h" else {
                words.append(argument)
                continue
            }
            let (name, value) = Self.split(argument == "-h" ? "--help" : argument)
            guard takesValue(name) else {
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
    }

    private func command(_ words: [String], _ given: GivenOptions) throws(Failure) -> Command {
        if given[.version] { return common.version }
        guard !words.isEmpty else {
            if given[.help] { return common.help(nil) }
            throw advised(.usage(Words("there is no command", "il n'y a pas de commande")), nil)
        }
        guard let syntax = find(words) else {
            // `thumbturn wallet --help`: the group alone is no command.
            if given[.help], words.count == 1, !group(words[0]).isEmpty {
                return common.help(CommandName(text: words[0]))
            }
            throw advised(Self.unknown, nil)
        }
        if given[.help] { return common.help(syntax.name) }
        do throws(Failure) { return try command(syntax, words, given) } catch { throw advised(error, syntax.name) }
    }

    private func command(
        _ syntax: CommandSyntax<Command>,
        _ words: [String],
        _ given: GivenOptions
    ) throws(Failure) -> Command {
        let operands = Array(words.dropFirst(syntax.name.wordCount))
        guard !given.hasOthers(than: syntax.options + optionsOfAll) else {
            throw .usage(Words("an option is unknown", "une option est inconnue"))
        }
        guard syntax.operandCount.contains(operands.count) else {
            let isShort = operands.count < syntax.operandCount.lowerBound
            throw .usage(
                isShort
                    ? Words("a word is missing", "il manque un mot")
                    : Words("there are too many words", "il y a trop de mots")
            )
        }
        return try syntax.command(operands, given)
    }

    private func takesValue(_ name: String) -> Bool {
        optionsOfAll.contains { $0.name == name && $0.takesValue }
            || rows.contains { $0.options.contains { $0.name == name && $0.takesValue } }
    }

    /// The same failure with the help that explains the command; others keep what they advise.
    private func advised(_ failure: Failure, _ name: CommandName?) -> Failure {
        guard failure.code == .usage, failure.hint == nil else { return failure }
        let help = "`\(program) help\(name.map { " " + $0.text } ?? "")`"
        var advised = failure
        advised.hint = Words("see \(help)", "voir \(help)")
        return advised
    }

    private static var unknown: Failure { .usage(Words("the command is unknown", "la commande est inconnue")) }

    private static func split(_ argument: String) -> (name: String, value: String?) {
        guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }
}
