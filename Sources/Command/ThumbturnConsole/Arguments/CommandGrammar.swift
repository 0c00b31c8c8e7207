package import ThumbturnRules

/// Commands that help lists together under a title.
package struct CommandGroup<Command: Sendable>: Sendable {
    package let title: Words
    private let made: @Sendable () -> [CommandSyntax<Command>]

    /// The rows, built on each access: parsing a command of another group needs none of them.
    package var rows: [CommandSyntax<Command>] { made() }

    /// Creates a group with a title.
    package init(_ title: Words, _ rows: @autoclosure @escaping @Sendable () -> [CommandSyntax<Command>]) {
        (self.title, made) = (title, rows)
    }
}

/// The command lines that a program accepts.
package struct CommandGrammar<Command: Sendable>: Sendable {
    /// The commands that every program has.
    package struct Common: Sendable {
        let help: @Sendable (CommandName?) -> Command
        let version: Command

        /// - Parameter help: returns help for one command, for a group, or for all commands.
        package init(version: Command, help: @escaping @Sendable (CommandName?) -> Command) {
            (self.help, self.version) = (help, version)
        }
    }

    package let program: String
    /// The groups, in the order in which help lists them.
    package let groups: [CommandGroup<Command>]
    package let optionsOfAll: [any OptionForm]
    private let common: Common

    /// All rows.
    package var rows: [CommandSyntax<Command>] { groups.flatMap(\.rows) }

    /// Creates a program's grammar.
    ///
    /// - Parameter optionsOfAll: the options that every command accepts, before or after its name.
    package init(
        of program: String,
        _ groups: [CommandGroup<Command>],
        optionsOfAll: [any OptionForm],
        common: Common
    ) {
        (self.program, self.groups, self.common) = (program, groups, common)
        self.optionsOfAll = optionsOfAll + [Option.help, Option.version]
    }

    /// Parses a command line without the program's name; no command, or a group alone, asks for help.
    ///
    /// - Throws: `.usage`, which never quotes an argument, because it may be a secret in the wrong place; suggestions
    ///   contain only names from the table.
    package func parse(_ arguments: [String]) throws(Failure) -> (command: Command, given: GivenOptions) {
        var line = Line()
        // Accept these spellings like other programs do.
        let arguments =
            ["version", "-V"].contains(arguments.count == 1 ? arguments[0] : "") ? ["--version"] : arguments
        do throws(Failure) { try read(arguments, &line) } catch { throw advised(error, nil) }
        return (try command(line), line.given)
    }

    /// Returns the two-word rows that start with `word`.
    package func group(_ word: String) -> [CommandSyntax<Command>] {
        rows.filter { $0.name.wordCount == 2 && $0.name.group == word }
    }

    /// The first words of all names, without duplicates.
    package var firstWords: [String] {
        var words: [String] = []
        for row in rows where !words.contains(row.name.group) { words.append(row.name.group) }
        return words
    }

    /// Returns the command or group that `help` with these words explains.
    package func subject(_ words: [String]) throws(Failure) -> CommandName? {
        guard !words.isEmpty else { return nil }
        if words.count == 1, !group(words[0]).isEmpty { return CommandName(text: words[0]) }
        guard let syntax = find(words), syntax.name.wordCount == words.count else { throw unknown(words, "help ") }
        return syntax.name
    }

    /// Returns the row whose name starts `words`; a two-word name takes precedence.
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
                    ? Words("an argument is missing", "il manque un argument")
                    : Words("there are too many arguments", "il y a trop d'arguments")
            )
        }
        return try syntax.command(operands, line.given)
    }
}

// Splits a command line into words and options.
extension CommandGrammar {
    private struct Line {
        var words: [String] = []
        var given = GivenOptions()
        /// Whether one of the words is a negative number such as `-1y`, which most commands do not accept.
        var hasNegative = false
    }

    private func read(_ arguments: [String], _ line: inout Line) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                line.words += rest
                return
            }
            // A single dash means standard input or output.
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
                    throw .usage(Words("an option takes no value", "une option n'accepte pas de valeur"))
                }
                try line.given.add(name, "")
                continue
            }
            guard let value = value ?? rest.popFirst() else {
                throw .usage(Words("an option needs a value", "une option demande une valeur"))
            }
            try line.given.add(name, value, isRepeatable: form.isRepeatable)
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

// Failures for command lines that can't be parsed.
extension CommandGrammar {
    /// Adds the command's help as the hint, unless the failure has a hint.
    private func advised(_ failure: Failure, _ name: CommandName?) -> Failure {
        guard failure.code == .usage, failure.hint == nil else { return failure }
        var advised = failure
        advised.hint = Words("see ", "voir ") + help(on: name?.text)
        return advised
    }

    private func help(on name: String?) -> Words { Words("`\(program) help\(name.map { " " + $0 } ?? "")`") }

    /// - Parameter before: the words to put before a suggested name.
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
                    "put an argument that begins with a dash after `--`; see ",
                    "placez un argument qui commence par un tiret après `--` ; voir "
                ) + help
            return failure
        }
        let names = Likeness.names(like: unknown, among: Array(Set(forms.map(\.name))).sorted())
        failure.hint = likely(names, help)
        return failure
    }

    /// Returns a question with the likely names, or else where to find help.
    private func likely(_ names: [String], _ help: Words) -> Words {
        let all = Words("see ", "voir ") + help
        return Likeness.question(names, else: all) ?? all
    }

    private func names(like words: [String], in group: [CommandSyntax<Command>]) -> [String] {
        guard words.count > 1 else { return [] }
        let verbs = group.map { String($0.name.words[1]) }
        return Likeness.names(like: words[1], among: verbs).map { words[0] + " " + $0 }
    }

    /// Returns names whose first word resembles the first, or whose second word equals it: `list` suggests `wallet
    /// list`.
    private func names(like words: [String]) -> [String] {
        let near = Likeness.names(like: words[0], among: firstWords)
        guard near.isEmpty else {
            // Suggest the whole name for `walet list`.
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
