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
        let wrong: [(String, TypedMnemonic.Correction)] = [
            ("", .several(0)), ("abandn", .unknown), ("abandon ability", .several(2)), ("8. abandon", .unknown),
            ("?", .several(0)), ("one two three", .several(3)), (String(repeating: "4f", count: 32), .unknown),
        ]
        for (wrong, expected) in wrong {
            let outcome = typed.correct(7, with: secret(wrong))
            #expect(outcome == expected, "\(wrong)")
        }
        let corrections = [
            (7, "7. " + Self.words[6].prefix(4)), (24, " \(Self.words[23].uppercased()) "), (1, Self.words[0]),
        ]
        for (place, word) in corrections {
            let outcome = typed.correct(place, with: secret(word))
            #expect(outcome == .right, "\(place)")
        }
        let after = Reading(typed)
        #expect(after.text == Self.whole + " " && after.isWhole)
    }

    @Test(arguments: [
        ("abandn", ["abandon"]), ("abandonn", ["abandon"]), ("letterhead", ["letter"]),
        ("zoe", ["toe", "zone", "zoo"]),
        ("aple", ["able", "apple", "maple"]), ("Stroy", ["strong", "story", "destroy"]), ("qqqqq", []),
        ("académie", []),
    ])
    func `the nearest words of the list are offered, those of four letters first`(
        mistyped: String,
        near: [String]
    ) throws {
        let read = try typed(mistyped)
        #expect(read.words(near: 1) == near)
        #expect(try typed("abandon").words(near: 1).isEmpty)
        var corrected = try typed("qqqqqqqq")
        #expect(corrected.correct(1, with: secret(mistyped)) == .unknown && corrected.words(near: 1) == near)
    }

    @Test(arguments: [
        ("\"", "\""), ("'", "'"), ("`", "`"), ("\u{201C}", "\u{201D}"), ("\u{2018}", "\u{2019}"),
        ("\u{AB}\u{A0}", "\u{A0}\u{BB}"),
        ("- ", ""), ("\u{2022} ", ""), ("*", "*"), ("[", "]"), ("<", ">"), ("{\"", "\"}"), ("\u{2013} ", "\u{2026}"),
        ("", "!"),
        ("\u{200E}", "\u{200F}"), ("\u{200C}", "\u{200D}"), ("\u{2066}", "\u{2069}"), ("\u{202A}", "\u{202C}"),
        ("\u{AD}", "\u{FE0F}"),
        ("#", ""), ("_", "_"), ("/", "|"), ("\u{300C}", "\u{300D}"),
    ])
    func `quotes, marks and what is not seen are taken off around words`(before: String, after: String) throws {
        let texts = [
            Self.words.map { before + $0 + after }.joined(separator: " "), before + Self.whole + after,
            Self.words.map { before + $0 + after }.joined(separator: ","),
        ]
        for text in texts {
            let reading = Reading(try typed(text))
            #expect(reading.isWhole && reading.count == 24, "\(text)")
        }
    }

    @Test(arguments: [
        (String(repeating: "4f", count: 32), "hexadecimal digits"),
        ("0xdeadbeef" + String(repeating: "0", count: 56), "hexadecimal digits"),
        ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "a private key (WIF)"),
        (
            "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
            "an extended key (xprv)"
        ),
    ])
    func `a key is no word, and is told by its form`(key: String, form: String) {
        for text in [key, " \(key)\n", "\"\(key)\"", "1. \(key)"] {
            let error = failure { () throws(VaultError) in
                var typed = TypedMnemonic()
                try typed.add(secret(text))
            }
            #expect(error?.code == .mnemonicWordUnknown && error?.diagnostic == form, "\(text)")
        }
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
