package import ThumbturnRules

/// Commands that help shows together, under a title.
package struct CommandGroup<Command: Sendable>: Sendable {
    package let title: Words
    private let made: @Sendable () -> [CommandSyntax<Command>]

    /// The rows; they are made when they are asked for, since a command that stands in another group needs none of them.
    package var rows: [CommandSyntax<Command>] { made() }

    /// Puts rows under a title.
    package init(_ title: Words, _ rows: @autoclosure @escaping @Sendable () -> [CommandSyntax<Command>]) {
        (self.title, made) = (title, rows)
    }
}

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

    package let program: String
    /// The rows, in the order in which help lists them.
    package let groups: [CommandGroup<Command>]
    package let optionsOfAll: [any OptionForm]
    private let common: Common

    /// All rows.
    package var rows: [CommandSyntax<Command>] { groups.flatMap(\.rows) }

    /// Takes the table of a program.
    ///
    /// - Parameter optionsOfAll: those that every command takes, before or after its name.
    package init(
        of program: String,
        _ groups: [CommandGroup<Command>],
        optionsOfAll: [any OptionForm],
        common: Common
    ) {
        (self.program, self.groups, self.common) = (program, groups, common)
        self.optionsOfAll = optionsOfAll + [Option.help, Option.version]
    }

    /// Reads a command line, without the program's name; without a command it asks for help, as a group alone does.
    ///
    /// - Throws: `.usage`, and never with a word of what was given, because it may be a secret in the wrong place. What is near
    ///   to it is told by the names of the table alone.
    package func parse(_ arguments: [String]) throws(Failure) -> (command: Command, given: GivenOptions) {
        var line = Line()
        // As other programs take them.
        let arguments =
            ["version", "-V"].contains(arguments.count == 1 ? arguments[0] : "") ? ["--version"] : arguments
        do throws(Failure) { try read(arguments, &line) } catch { throw advised(error, nil) }
        return (try command(line), line.given)
    }

    /// The rows of two words that begin with `word`.
    package func group(_ word: String) -> [CommandSyntax<Command>] {
        rows.filter { $0.name.wordCount == 2 && $0.name.group == word }
    }

    /// The first words of all names, each once.
    package var firstWords: [String] {
        var words: [String] = []
        for row in rows where !words.contains(row.name.group) { words.append(row.name.group) }
        return words
    }

    /// What `help` with these words explains.
    package func subject(_ words: [String]) throws(Failure) -> CommandName? {
        guard !words.isEmpty else { return nil }
        if words.count == 1, !group(words[0]).isEmpty { return CommandName(text: words[0]) }
        guard let syntax = find(words), syntax.name.wordCount == words.count else { throw unknown(words, "help ") }
        return syntax.name
    }

    /// The row whose name begins the words; two words come before one.
    private func find(_ words: [String]) -> CommandSyntax<Command>? {
        let pair = words.prefix(2).joined(separator: " ")
        let rows = groups.lazy.flatMap(\.rows)
        return rows.first { $0.name.text == pair } ?? rows.first { $0.name.text == words.first }
    }

    private func command(_ line: Line) throws(Failure) -> Command {
        let (words, given) = (line.words, line.given)
        let syntax = find(words)
        guard
            !given.hasOthers(than: (syntax?.options ?? []) + optionsOfAll)
                || !given.hasOthers(than: rows.flatMap(\.options) + optionsOfAll)
        else {
            throw unknownOption(given, of: syntax)
        }
        if given[.version] { return common.version }
        guard let first = words.first else {
            guard !given.hasOthers(than: optionsOfAll) else { throw unknownOption(given, of: nil) }
            return common.help(nil)
        }
        guard let syntax else {
            guard words.count == 1, !group(first).isEmpty else { throw unknown(words) }
            return common.help(CommandName(text: first))
        }
        if given[.help] { return common.help(syntax.name) }
        guard !given.hasOthers(than: syntax.options + optionsOfAll) else { throw unknownOption(given, of: syntax) }
        do throws(Failure) { return try command(syntax, line) } catch { throw advised(error, syntax.name) }
    }

    private func command(_ syntax: CommandSyntax<Command>, _ line: Line) throws(Failure) -> Command {
        let operands = Array(line.words.dropFirst(syntax.name.wordCount))
        guard syntax.takesNegatives || !line.hasNegative else { throw unknownOption(line.given, of: syntax) }
        guard syntax.operandCount.contains(operands.count) else {
            let isShort = operands.count < syntax.operandCount.lowerBound
            throw .usage(
                isShort
                    ? Words("a word is missing", "il manque un mot")
                    : Words("there are too many words", "il y a trop de mots")
            )
        }
        return try syntax.command(operands, line.given)
    }
}

// How the words of a command line are told apart.
extension CommandGrammar {
    private struct Line {
        var words: [String] = []
        var given = GivenOptions()
        /// Whether one of the words is a number below zero, such as `-1y`: of most commands that is no word.
        var hasNegative = false
    }

    private func read(_ arguments: [String], _ line: inout Line) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                line.words += rest
                return
            }
            // A dash alone stands for what comes in or goes out.
            guard argument.hasPrefix("-"), argument != "-" else {
                line.words.append(argument)
                continue
            }
            if ("0"..."9").contains(argument.dropFirst().first ?? "-") {
                line.words.append(argument)
                line.hasNegative = true
                continue
            }
            let (name, value) = Self.split(argument == "-h" ? "--help" : argument)
            guard let form = form(of: name), form.takesValue else {
                guard value == nil || form(of: name) == nil else {
                    throw .usage(Words("an option takes no value", "une option est sans valeur"))
                }
                try line.given.add(name, "")
                continue
            }
            guard let value = value ?? rest.popFirst() else {
                throw .usage(Words("an option needs a value", "une option demande une valeur"))
            }
            try line.given.add(name, value)
        }
    }

    private func form(of name: String) -> (any OptionForm)? {
        optionsOfAll.first { $0.name == name } ?? rows.lazy.flatMap(\.options).first { $0.name == name }
    }

    private static func split(_ argument: String) -> (name: String, value: String?) {
        guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }
}

// What is said of a line that is not understood.
extension CommandGrammar {
    /// The same failure with the help that explains the command; others keep what they advise.
    private func advised(_ failure: Failure, _ name: CommandName?) -> Failure {
        guard failure.code == .usage, failure.hint == nil else { return failure }
        var advised = failure
        advised.hint = Words("see ", "voir ") + help(on: name?.text)
        return advised
    }

    private func help(on name: String?) -> Words { Words("`\(program) help\(name.map { " " + $0 } ?? "")`") }

    /// - Parameter before: what stands before the command's name.
    private func unknown(_ words: [String], _ before: String = "") -> Failure {
        var failure = Failure.usage(Words("the command is unknown", "la commande est inconnue"))
        let group = group(words[0])
        let names = group.isEmpty ? names(like: words) : names(like: words, in: group)
        let help = help(on: group.isEmpty ? nil : words[0])
        failure.hint = likely(names.map { "\(program) \(before)\($0)" }, help)
        return failure
    }

    private func unknownOption(_ given: GivenOptions, of syntax: CommandSyntax<Command>?) -> Failure {
        var failure = Failure.usage(Words("an option is unknown", "une option est inconnue"))
        let forms = (syntax?.options ?? rows.flatMap(\.options)) + optionsOfAll
        let unknown = given.names.first { name in !forms.contains { $0.name == name } }
        let help = help(on: syntax?.name.text)
        guard let unknown, unknown.hasPrefix("--") else {
            failure.hint =
                Words(
                    "a word that begins with a dash stands behind `--`; see ",
                    "un mot qui commence par un tiret se place après `--` ; voir "
                ) + help
            return failure
        }
        let names = Likeness.names(like: unknown, among: Array(Set(forms.map(\.name))).sorted())
        failure.hint = likely(names, help)
        return failure
    }

    /// What may have been meant, else where all stands.
    private func likely(_ names: [String], _ help: Words) -> Words {
        let all = Words("see ", "voir ") + help
        return Likeness.question(names, else: all) ?? all
    }

    private func names(like words: [String], in group: [CommandSyntax<Command>]) -> [String] {
        guard words.count > 1 else { return [] }
        let verbs = group.map { String($0.name.words[1]) }
        return Likeness.names(like: words[1], among: verbs).map { words[0] + " " + $0 }
    }

    /// Names whose first word is like the first, or whose second word it is: `list` is half of `wallet list`.
    private func names(like words: [String]) -> [String] {
        let near = Likeness.names(like: words[0], among: firstWords)
        guard near.isEmpty else {
            // `walet list` is told whole.
            return near.map { word in
                let whole = ([word] + words.dropFirst().prefix(1)).joined(separator: " ")
                return rows.contains { $0.name.text == whole } ? whole : word
            }
        }
        let meant = Likeness.synonyms[words[0]] ?? [words[0]]
        let halves = rows.filter { $0.name.wordCount == 2 && meant.contains(String($0.name.words[1])) }
        return halves.prefix(3).map(\.name.text)
    }
}
