import ThumbturnRules

extension CommandGrammar {
    /// Returns the completion for fish: a completion file `thumbturn.fish`, or input for `source`.
    func fishCompletion(in language: Language) -> String {
        let name = "__" + program
        let lines =
            [
                "# Completion of \(program) for fish, written by `\(program) completion fish`.",
                "function \(name)_words",
                "    set -l value 0",
                "    for word in (commandline -opc)[2..]",
                "        if test $value = 1",
                "            set value 0",
                "            continue",
                "        end",
                "        switch $word",
                "            case \(optionPattern(" ") { _ in true })",
                "                set value 1",
                "            case '-*'",
                "            case '*'",
                "                printf '%s\\n' $word",
                "        end",
                "    end",
                "end",
                "function \(name)_at",
                "    set -l words (\(name)_words)",
                "    test \"$words\" = \"$argv\"",
                "end",
                "function \(name)_in",
                "    set -l words (\(name)_words)",
                "    set -l count (count $argv)",
                "    test (count $words) -ge $count; and test \"$words[1..$count]\" = \"$argv\"",
                "end",
                "complete -c \(program) -f",
            ] + optionsOfAll.map { fishOption($0, "") }
            + firstWords.flatMap { fishLines(of: $0, language) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func fishLines(of word: String, _ language: Language) -> [String] {
        let group = group(word)
        let verbs = group.map { String($0.name.words[1]) }
        let row = rows.first { $0.name.text == word }
        return [fishWord(word, at: "", row?.summary.in(language) ?? verbs.joined(separator: ", "))]
            + (row.map(fishLines) ?? [])
            + group.map { fishWord(String($0.name.words[1]), at: word, $0.summary.in(language)) }
            + group.flatMap(fishLines)
    }

    private func fishLines(of row: CommandSyntax<Command>) -> [String] {
        let place = " -n '__\(program)_in \(row.name.text)'"
        let options = row.options.map { fishOption($0, place) }
        if case .pairs(let words, let next) = row.operand == .command ? namesInPairs : row.operand {
            return options + [fishWords(words, behind: row.name.text)]
                + words.compactMap { word in
                    guard let values = next[word], !values.isEmpty else { return nil }
                    return fishWords(values, behind: row.name.text + " " + word)
                }
        }
        guard row.operandCount.upperBound > 0, let values = fishValues(of: row.operand) else { return options }
        return options + ["complete -c \(program)\(place)\(values)"]
    }

    private func fishWords(_ words: [String], behind place: String) -> String {
        "complete -c \(program) -n '__\(program)_at \(place)' -f -a \(fishQuoted(words.joined(separator: " ")))"
    }

    private func fishWord(_ word: String, at place: String, _ summary: String) -> String {
        let condition = place.isEmpty ? "__\(program)_at" : "__\(program)_at \(place)"
        return "complete -c \(program) -n '\(condition)' -a \(word) -d \(fishQuoted(summary))"
    }

    private func fishOption(_ form: any OptionForm, _ place: String) -> String {
        let value = form.value.map { " -r" + (fishValues(of: $0) ?? " -f") } ?? ""
        return "complete -c \(program)\(place) -l \(form.name.dropFirst(2))\(value)"
    }

    /// Returns what completes a value; `nil` if it can't be completed.
    private func fishValues(of form: ValueForm) -> String? {
        switch form {
        case .any: nil
        case .file: " -F"
        case .folder: " -f -a '(__fish_complete_directories)'"
        case .words(let words), .pairs(let words, _): " -f -a \(fishQuoted(words.joined(separator: " ")))"
        case .command: fishValues(of: namesInPairs)
        }
    }

    private func fishQuoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'") + "'"
    }
}
