import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

extension SecretInput {
    /// Reads a mnemonic as people write it down; a terminal asks again for just the words that are not in the list.
    ///
    /// - Returns: the words in BIP-39's spelling.
    func readMnemonic() throws(Failure) -> SecretBytes {
        guard isTyped else {
            var words = TypedMnemonic()
            let typed = try readRest(.mnemonic)
            try Self.checking { () throws(VaultError) in
                try words.add(typed)
                _ = try Mnemonic.entropy(of: words.text)
            }
            return words.text.copy()
        }
        var tries = Tries(of: self)
        while true {
            do throws(Failure) { return try typeMnemonic() } catch {
                // There is no telling which word is wrong, so start over.
                let startsAnew = [.mnemonicLengthWrong, .mnemonicChecksumWrong].contains(error.code)
                guard startsAnew, tries.hasMore else { throw error }
                tries.next(after: error)
            }
        }
    }

    private func typeMnemonic() throws(Failure) -> SecretBytes {
        var words = TypedMnemonic()
        var question = Question.mnemonic
        while true {
            var (isOver, isEmpty, isAnswer) = (false, false, true)
            try readLines(question, keepingTypedAhead: words.wordCount > 0) { (line) throws(Failure) in
                if isOver { return }
                defer { isAnswer = false }
                // Text pasted after a mnemonic may not be words; the answer to a question is, even if mistyped.
                if words.isWhole, !isAnswer { return isOver = !words.addIfKnown(line) }
                let count = words.wordCount
                try Self.checking { () throws(VaultError) in try words.add(line) }
                isEmpty = words.wordCount == count
            }
            try correct(&words)
            // The first half of 24 words may have a valid checksum by chance, so let the owner end the input.
            let isAll = isOver || isEmpty || words.wordCount >= TypedMnemonic.mostWords
            if isAll { try correctByNumber(&words) }
            if isAll, words.isWhole {
                output.note(
                    Words(
                        "\(words.wordCount) words, and their checksum is right",
                        "\(words.wordCount) mots, et leur somme de contrôle est bonne"
                    )
                )
                return words.text.copy()
            }
            question = .moreWords(after: words.wordCount)
        }
    }

    /// Asks again for each word that is not in the list.
    private func correct(_ words: inout TypedMnemonic) throws(Failure) {
        let unknown = words.unknown
        // So many unknown words are not typing mistakes.
        let isOtherLanguage = unknown.count > Tries.most && unknown.count * 2 > words.wordCount
        for place in unknown {
            var tries = isOtherLanguage ? Tries.most : 0
            repeat {
                guard tries < Tries.most else {
                    throw Failure(.mnemonicWordUnknown, Words("word \(place)", "mot \(place)"))
                }
                tries += 1
                output.note(unknownWord(place, in: words))
                if tries == Tries.most { output.note(Tries.last) }
            } while try !isCorrected(place, in: &words)
        }
    }

    private func unknownWord(_ place: Int, in words: borrowing TypedMnemonic) -> Words {
        let near = words.words(near: place)
        guard near.isEmpty else {
            let list = near.joined(separator: ", ")
            return Words(
                "word \(place) is not in the English list of BIP-39; near it: \(list)",
                "le mot \(place) n'est pas dans la liste anglaise BIP-39 ; proches : \(list)"
            )
        }
        return Words(
            "word \(place) is not in the English list of BIP-39; for words of another language, use --opaque",
            "le mot \(place) n'est pas dans la liste anglaise BIP-39 ; pour une autre langue, utilisez --opaque"
        )
    }

    /// Asks for one word; asks again if the input is several words, which is not a mistake in the word.
    private func isCorrected(_ place: Int, in words: inout TypedMnemonic) throws(Failure) -> Bool {
        while true {
            switch try words.correct(place, with: read(.word(place))) {
            case .right: return true
            case .unknown, .several(0): return false
            case .several(let count):
                output.note(
                    Words(
                        "these are \(count) words: type word \(place) alone",
                        "voilà \(count) mots : tapez le mot \(place) seul"
                    )
                )
            }
        }
    }

    /// Lets the owner compare words that are all in the list but have a wrong checksum, and name the mistaken one.
    ///
    /// - Throws: `mnemonicLengthWrong`; `mnemonicChecksumWrong` if no number is given, which starts over.
    private func correctByNumber(_ words: inout TypedMnemonic) throws(Failure) {
        for _ in 0..<Tries.most {
            do throws(Failure) {
                return try Self.checking { () throws(VaultError) in _ = try Mnemonic.entropy(of: words.text) }
            } catch {
                guard error.code == .mnemonicChecksumWrong, let place = try readMistaken(in: words) else { throw error }
                guard (1...words.wordCount).contains(place) else { continue }
                guard try isCorrected(place, in: &words) else {
                    output.note(Failure(.mnemonicWordUnknown, unknownWord(place, in: words)))
                    continue
                }
            }
        }
        try Self.checking { () throws(VaultError) in _ = try Mnemonic.entropy(of: words.text) }
    }

    /// Returns the position of the mistaken word, 0 for an invalid answer, or `nil` for no answer.
    private func readMistaken(in words: borrowing TypedMnemonic) throws(Failure) -> Int? {
        let question = Words(
            "Number of the wrong word (Enter: type all again)",
            "Numéro du mot erroné (Entrée : tout retaper)"
        )
        let answer: SecretBytes?
        if canShow {
            // Without the trailing space.
            let typed = words.text.copy().prefix(words.text.byteCount - 1)
            let lines = typed.withBytes { SecretText.numbered($0, width: output.width) }
            let title = Words(
                "These words are all in the list, but their checksum is wrong. Compare them with yours.",
                "Ces mots sont tous dans la liste, mais leur somme de contrôle est fausse. Comparez-les aux vôtres."
            )
            answer = try show(title, lines, until: question)
        } else {
            answer = try readIfPresent(Question(label: question, limit: 64, tooLong: .usage, isHidden: false))
        }
        guard let answer, answer.byteCount > 0 else { return nil }
        // Parse it byte by byte: the user may have typed the word itself.
        return answer.withBytes { bytes in
            (0..<bytes.byteCount).reduce(0) { place, index in
                let byte = bytes.byte(at: index)
                return (0x30...0x39).contains(byte) ? min(place * 10 + Int(byte - 0x30), 1_000) : place
            }
        }
    }

    private static func checking(_ body: () throws(VaultError) -> Void) throws(Failure) {
        do throws(VaultError) { try body() } catch { throw Failure(error) }
    }
}
