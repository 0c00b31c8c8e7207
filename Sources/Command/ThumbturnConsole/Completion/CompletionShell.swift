package import ThumbturnRules

/// A shell that completes command lines.
package enum CompletionShell: String, Hashable, Sendable, CaseIterable {
    case bash
    case zsh
    case fish
}

extension CommandGrammar {
    /// What a shell reads so that it completes this program's command lines.
    ///
    /// No command is run for it: names of wallets are secrets of a locked vault.
    package func completion(for shell: CompletionShell, in language: Language) -> String {
        switch shell {
        case .bash: bashCompletion
        case .zsh: zshCompletion(in: language)
        case .fish: fishCompletion(in: language)
        }
    }

    /// Every option of every command, each once.
    var allOptions: [any OptionForm] {
        var options: [any OptionForm] = []
        for form in optionsOfAll + rows.flatMap(\.options) where !options.contains(where: { $0.name == form.name }) {
            options.append(form)
        }
        return options
    }

    /// The first words of all commands, and what can stand behind each.
    var namesInPairs: ValueForm {
        .pairs(firstWords, Dictionary(uniqueKeysWithValues: firstWords.map { ($0, verbs(behind: $0)) }))
    }

    /// What stands behind the first word: the second words of a group, or nothing.
    func verbs(behind word: String) -> [String] { group(word).map { String($0.name.words[1]) } }

    /// The options that a value of this kind stands behind, as patterns of a shell's `case`.
    func optionPattern(_ separator: String, where isMeant: (ValueForm) -> Bool) -> String {
        allOptions.filter { $0.value.map(isMeant) ?? false }.map(\.name).joined(separator: separator)
    }
}
