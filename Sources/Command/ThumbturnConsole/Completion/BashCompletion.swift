extension CommandGrammar {
    /// The completion for bash alone, without other packages; also works in bash 3.2, which macOS includes.
    var bashCompletion: String {
        let name = "_" + program
        let lines =
            [
                "# Completion of \(program) for bash, written by `\(program) completion bash`.",
                "\(name)_words() {",
                "    COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))",
                "}",
                "\(name)_paths() {",
                "    local IFS=$'\\n'",
                "    compopt -o filenames 2>/dev/null",
                "    COMPREPLY=($(compgen \"$1\" -- \"$cur\"))",
                "}",
                "\(name)() {",
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
                "    local first= second= third= value= i word",
                "    COMPREPLY=()",
                "    # `--device=files` comes as three words.",
                "    if [[ $cur == = ]]; then",
                "        cur=",
                "    elif [[ $prev == = ]]; then",
                "        prev=${COMP_WORDS[COMP_CWORD-2]}",
                "    fi",
                "    for ((i = 1; i < COMP_CWORD; i++)); do",
                "        word=${COMP_WORDS[i]}",
                "        if [[ -n $value ]]; then",
                "            [[ $word == = ]] || value=",
                "            continue",
                "        fi",
                "        case $word in",
                "        \(optionPattern("|") { _ in true })) value=1 ;;",
                "        -*|=) ;;",
                "        *)",
                "            if [[ -z $first ]]; then",
                "                first=$word",
                "            elif [[ -z $second ]]; then",
                "                second=$word",
                "            elif [[ -z $third ]]; then",
                "                third=$word",
                "            fi",
                "            ;;",
                "        esac",
                "    done",
                "    case $prev in",
            ] + bashValues(name) + ["    esac", "    case $first in"] + bashCommands(name)
            + ["    esac", "}", "complete -F \(name) \(program)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func bashValues(_ name: String) -> [String] {
        var lines: [String] = []
        for form in allOptions {
            guard case .words(let words)? = form.value else { continue }
            lines.append("    \(form.name)) \(name)_words '\(words.joined(separator: " "))'; return ;;")
        }
        for (form, action) in [(ValueForm.folder, "\(name)_paths -d; "), (.file, "\(name)_paths -f; "), (.any, "")] {
            let pattern = optionPattern("|") { $0 == form }
            if !pattern.isEmpty { lines.append("    \(pattern)) \(action)return ;;") }
        }
        return lines
    }

    private func bashCommands(_ name: String) -> [String] {
        let every = optionsOfAll.map(\.name)
        var lines = [bashCase("''", name, every, .words(firstWords))]
        for word in firstWords {
            let verbs = verbs(behind: word)
            let row = rows.first { $0.name.text == word }
            if let row, verbs.isEmpty {
                lines.append(bashCase(word, name, row.options.map(\.name) + every, row.operand))
                continue
            }
            lines += ["    \(word))", "        case $second in"]
            if let row {
                // Either the second word of the name, or an operand.
                let own = row.options.map(\.name) + every
                lines.append("    " + bashCase("''", name, own, row.operand, or: verbs))
            } else {
                lines.append("    " + bashCase("''", name, every, .words(verbs)))
            }
            for row in group(word) {
                let options = row.options.map(\.name) + every
                lines.append("    " + bashCase(String(row.name.words[1]), name, options, row.operand, behind: "third"))
            }
            if let row {
                lines.append("    " + bashCase("*", name, row.options.map(\.name) + every, row.operand))
            }
            lines += ["        esac", "        ;;"]
        }
        return lines
    }

    private func bashCase(
        _ pattern: String,
        _ name: String,
        _ options: [String],
        _ operand: ValueForm,
        or verbs: [String] = [],
        behind word: String = "second"
    ) -> String {
        let also =
            verbs.isEmpty ? "" : "; COMPREPLY+=($(compgen -W '\(verbs.joined(separator: " "))' -- \"$cur\"))"
        let list = options.joined(separator: " ")
        let plain = bashAction(of: operand, name, behind: word)
        return "    \(pattern)) if [[ $cur == -* ]]; then \(name)_words '\(list)'; else \(plain)\(also); fi ;;"
    }

    /// - Parameter word: the variable with the first operand, if there is one.
    private func bashAction(of operand: ValueForm, _ name: String, behind word: String) -> String {
        switch operand {
        case .any: ":"
        case .file: "\(name)_paths -f"
        case .folder: "\(name)_paths -d"
        case .words(let words): "\(name)_words '\(words.joined(separator: " "))'"
        case .pairs(let words, let next):
            "case $\(word) in '') \(name)_words '\(words.joined(separator: " "))' ;;"
                + words.map { " \($0)) \(name)_words '\((next[$0] ?? []).joined(separator: " "))' ;;" }.joined()
                + " esac"
        case .command: bashAction(of: namesInPairs, name, behind: word)
        }
    }
}
