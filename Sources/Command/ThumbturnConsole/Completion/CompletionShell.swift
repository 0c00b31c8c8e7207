package import ThumbturnRules

/// A shell with command-line completion.
package enum CompletionShell: String, Hashable, Sendable, CaseIterable {
    case bash
    case zsh
    case fish
}

extension CommandGrammar {
    /// Returns a shell script that completes this program's command lines.
    ///
    /// It runs no command: the names of wallets are secrets of a locked vault.
    package func completion(for shell: CompletionShell, in language: Language) -> String {
        switch shell {
        case .bash: bashCompletion
        case .zsh: zshCompletion(in: language)
        case .fish: fishCompletion(in: language)
        }
    }

    /// Every option of every command, without duplicates.
    var allOptions: [any OptionForm] {
        var options: [any OptionForm] = []
        for form in optionsOfAll + rows.flatMap(\.options) where !options.contains(where: { $0.name == form.name }) {
            options.append(form)
        }
        return options
    }

    /// The first words of all commands, and the words that may follow each.
    var namesInPairs: ValueForm {
        .pairs(firstWords, Dictionary(uniqueKeysWithValues: firstWords.map { ($0, verbs(behind: $0)) }))
    }

    /// Returns the second words of a group; empty for a command of one word.
    func verbs(behind word: String) -> [String] { group(word).map { String($0.name.words[1]) } }

    /// Returns the options whose values are of a kind, as patterns for a shell's `case`.
    func optionPattern(_ separator: String, where isMeant: (ValueForm) -> Bool) -> String {
        allOptions.filter { $0.value.map(isMeant) ?? false }.map(\.name).joined(separator: separator)
    }
}
