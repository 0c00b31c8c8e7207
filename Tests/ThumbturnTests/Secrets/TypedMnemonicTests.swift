import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct TypedMnemonicTests {
    private static let list = MnemonicWords.text.description.split(whereSeparator: \.isWhitespace).map(String.init)
    private static let words = text(of: 1).split(separator: " ").map(String.init)
    private static let whole = words.joined(separator: " ")

    private static func numbered(_ mark: String, _ end: String) -> String {
        words.enumerated().map { "\($0 + 1)\(mark)\($1)" }.joined(separator: end)
    }

    /// The mnemonic whose entropy counts up.
    private static func text(of first: UInt8) -> String {
        (try? Mnemonic.text(of: secret(first...first + 31)).revealedText()) ?? ""
    }

    /// What was read of a text, in the open.
    private struct Reading {
        let count: Int
        let unknown: [Int]
        let isWhole: Bool
        let text: String

        init(_ typed: borrowing TypedMnemonic) {
            (count, unknown, isWhole) = (typed.wordCount, typed.unknown, typed.isWhole)
            text = typed.text.revealedText()
        }
    }

    private func typed(_ text: String) throws -> TypedMnemonic {
        var typed = TypedMnemonic()
        try typed.add(secret(text))
        return typed
    }

    /// Ways to write it down.
    private static let written: [String] = {
        let short: [String] = words.map { String($0.prefix(4)) }
        let parted: [String] = [",", ", ", "\n", "\u{3000}"].map { words.joined(separator: $0) }
        let numbers: [String] = [
            numbered(". ", "\n"), numbered(") ", "  "), numbered(": ", ", "), numbered(" ", "\r\n"), numbered("", "\t"),
            numbered(".\u{A0}", "\n"), "(\(numbered(") ", "\n("))",
        ]
        let others = [whole, whole.uppercased(), "\u{FEFF}\(whole).\n", short.joined(separator: " ")]
        return parted + numbers + others + [short.joined(separator: ";").uppercased()]
    }()

    @Test(arguments: written)
    func `words are read however they are written down`(text: String) throws {
        let typed = try typed(text)
        let reading = Reading(typed)
        #expect(reading.count == 24 && reading.unknown.isEmpty && reading.isWhole)
        #expect(reading.text == Self.whole + " ")
        let entropy = try Mnemonic.entropy(of: typed.text).revealed()
        #expect(entropy == Array(1...32))
    }

    @Test func `four letters stand for each word of the list, three or five for none but a word of that length`() {
        for (index, word) in Self.list.enumerated() {
            for count in 1...8 where count < word.count {
                let packed = secret(word.prefix(count).utf8).withBytes { MnemonicWords.pack(0..<count, of: $0) }
                let found = packed.flatMap(MnemonicWords.index(ofWritten:)).map { Self.list[Int($0)] }
                let prefix = String(word.prefix(count))
                let expected = count == 4 ? word : Self.list.contains(prefix) ? prefix : nil
                #expect(found == expected, "\(index) \(count)")
            }
        }
    }

    @Test func `what comes line by line is one mnemonic`() throws {
        var typed = TypedMnemonic()
        for start in stride(from: 0, to: 24, by: 5) {
            let isWhole = typed.isWhole
            #expect(!isWhole)
            try typed.add(secret(Self.words[start..<min(24, start + 5)].joined(separator: " ")))
        }
        let reading = Reading(typed)
        #expect(reading.isWhole && reading.count == 24)
    }

    @Test func `unknown words are named by their places, and corrected one by one`() throws {
        var words = Self.words
        (words[0], words[6], words[23]) = ("académie", "abandn", "abandon1")
        var typed = try typed(words.joined(separator: " "))
        let before = Reading(typed)
        #expect(before.unknown == [1, 7, 24] && before.count == 24 && !before.isWhole)
        #expect(!before.text.contains("abandn") && !before.text.contains("abandon1"))
        let error = failure { () throws(VaultError) in _ = try Mnemonic.entropy(of: typed.text) }
        #expect(error?.code == .mnemonicWordUnknown && error?.diagnostic == "word 1")
        for wrong in ["", "abandn", "abandon ability", "8. abandon", "?"] {
            let isRight = typed.correct(7, with: secret(wrong))
            #expect(!isRight, "\(wrong)")
        }
        let corrections = [
            (7, "7. " + Self.words[6].prefix(4)), (24, " \(Self.words[23].uppercased()) "), (1, Self.words[0]),
        ]
        for (place, word) in corrections {
            let isRight = typed.correct(place, with: secret(word))
            #expect(isRight, "\(place)")
        }
        let after = Reading(typed)
        #expect(after.text == Self.whole + " " && after.isWhole)
    }

    @Test(arguments: [(2, "misnumbered word 3"), (0, "misnumbered word 1"), (23, "misnumbered word 24")])
    func `a number that is not a word's place shows that one is missing`(missing: Int, diagnostic: String) {
        var lines = Self.numbered(". ", "\n").split(separator: "\n").map(String.init)
        lines[missing] = "99999999999999999999 \(Self.words[missing])"
        for text in [lines.joined(separator: "\n"), lines.joined(separator: "\n") + "\n25. zoo"] {
            let error = failure { () throws(VaultError) in
                var typed = TypedMnemonic()
                try typed.add(secret(text))
            }
            #expect(error?.code == .mnemonicLengthWrong && error?.diagnostic == diagnostic)
        }
    }

    @Test func `what is pasted behind a mnemonic is no part of it, and its second half is`() throws {
        var typed = try typed(Self.words[..<12].joined(separator: " "))
        for line in ["", "echo ra''n >&2", "14. zoo", "half of a secret"] {
            let isPart = typed.addIfKnown(secret(line))
            #expect(!isPart, "\(line)")
        }
        let isPart = typed.addIfKnown(secret(Self.words[12...].joined(separator: " ")))
        let reading = Reading(typed)
        #expect(isPart && reading.isWhole && reading.count == 24)
    }

    @Test func `another number of words, and a wrong checksum, are no mnemonic`() throws {
        for count in [0, 1, 11, 13, 23] {
            let reading = Reading(try typed(Self.words[..<count].joined(separator: " ")))
            #expect(!reading.isWhole && reading.count == count)
        }
        for text in [Self.whole + " zoo", Self.words.reversed().joined(separator: " ")] {
            let reading = Reading(try typed(text))
            #expect(!reading.isWhole)
        }
    }
}
