import ThumbturnRules

extension CommandGrammar {
    /// Returns the completion for zsh: a file `_thumbturn` on `fpath`, or input for `source`.
    func zshCompletion(in language: Language) -> String {
        let name = "_" + program
        let lines =
            [
                "#compdef \(program)",
                "# Completion of \(program) for zsh, written by `\(program) completion zsh`.",
                "\(name)() {",
                "    local curcontext=$curcontext state state_descr line",
                "    local -A opt_args",
                "    local -a every names",
                "    every=(",
            ] + optionsOfAll.map { "        " + zshOption($0) } + [
                "    )",
                "    _arguments -S -C $every '1: :->name' '*:: :->rest' && return",
                "    case $state in",
                "    name)",
                "        names=(",
            ] + firstWords.map { "            " + zshEntry($0, zshSummary(of: $0, language)) } + [
                "        )",
                "        _describe -t commands command names",
                "        ;;",
                "    rest)",
                "        case $line[1] in",
            ] + firstWords.flatMap { zshCase(of: $0, language) } + [
                "        esac",
                "        ;;",
                "    esac",
                "}",
                "if [[ $funcstack[1] == \(name) ]]; then",
                "    \(name) \"$@\"",
                "else",
                "    compdef \(name) \(program)",
                "fi",
            ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the purpose of a command, or the second words of a group.
    private func zshSummary(of word: String, _ language: Language) -> String {
        rows.first { $0.name.text == word }?.summary.in(language) ?? verbs(behind: word).joined(separator: ", ")
    }

    private func zshCase(of word: String, _ language: Language) -> [String] {
        let row = rows.first { $0.name.text == word }
        let group = group(word)
        if let row, group.isEmpty { return ["        \(word)) " + zshArguments(of: row) + " ;;"] }
        let own = row.map { $0.options.map { " " + zshOption($0) }.joined() } ?? ""
        return [
            "        \(word))",
            "            _arguments -S -C $every\(own) '1: :->verb' '*:: :->rest' && return",
            "            case $state in",
            "            verb)",
            "                names=(",
        ] + group.map { "                    " + zshEntry(String($0.name.words[1]), $0.summary.in(language)) } + [
            "                )",
            "                _describe -t commands command names\(row.map { "; " + zshAction(of: $0.operand) } ?? "")",
            "                ;;",
            "            rest)",
            "                case $line[1] in",
        ] + group.map { "                \($0.name.words[1])) " + zshArguments(of: $0) + " ;;" } + [
            "                esac",
            "                ;;",
            "            esac",
            "            ;;",
        ]
    }

    private func zshArguments(of row: CommandSyntax<Command>) -> String {
        let options = row.options.map { " " + zshOption($0) }.joined()
        let most = row.operandCount.upperBound
        if case .pairs(let words, let next) = row.operand == .command ? namesInPairs : row.operand {
            // zsh evaluates a list in parentheses when it needs it.
            let cases = words.map { " \($0)) names=(\((next[$0] ?? []).joined(separator: " "))) ;;" }.joined()
            return "names=(); case $words[2] in\(cases) esac; "
                + "_arguments -S $every\(options) '1: :(\(words.joined(separator: " ")))' '2: :($names)'"
        }
        // A message about the expected value would suppress the completion of options.
        let action = row.operand == .any ? "{true}" : zshAction(of: row.operand)
        let operands = most == 0 ? "" : " '\(most == 1 ? "1" : "*"): :\(action)'"
        return "_arguments -S $every\(options)\(operands)"
    }

    private func zshOption(_ form: any OptionForm) -> String {
        // Completes `--device files` and `--device=files`.
        let name = (form.isRepeatable ? "*" : "") + form.name
        return form.value.map { "'\(name)=: :\(zshAction(of: $0))'" } ?? "'\(name)'"
    }

    private func zshAction(of form: ValueForm) -> String {
        switch form {
        case .any: " "
        case .file: "_files"
        case .folder: "_files -/"
        case .words(let words), .pairs(let words, _): "(\(words.joined(separator: " ")))"
        case .command: zshAction(of: namesInPairs)
        }
    }

    private func zshEntry(_ word: String, _ summary: String) -> String {
        Shell.quoted(
            word + ":" + summary.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
        )
    }
}
