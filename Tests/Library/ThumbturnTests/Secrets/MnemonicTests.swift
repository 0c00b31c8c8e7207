import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct MnemonicTests {
    // MARK: What BIP-39 says

    @Test func `the list holds the 2048 published words in alphabetical order`() {
        #expect(Reference.words.count == 2_048)
        #expect(MnemonicWords.packed.count == 2_048)
        #expect(Reference.words == Reference.words.sorted())
        let file = Reference.words.joined(separator: "\n") + "\n"
        #expect(
            hexadecimal(SHA256.digest(Array(file.utf8)))
                == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
        )
    }

    @Test(.holds("K-05")) func `entropy of one repeated byte reads and writes as the definition says`() throws {
        for sample in try MnemonicSamples.facts() {
            try expectBothDirections(sample)
        }
    }

    @Test(.holds("K-05"), .enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"))
    func `the published vectors read and write`() throws {
        for sample in try MnemonicSamples.published() {
            try expectBothDirections(sample)
        }
    }

    @Test(.holds("K-05"))
    func `every entropy comes back from its text, and the text is what a plain implementation writes`()
        throws
    {
        var numbers = SeededGenerator(seed: 39)
        for round in 0..<500 {
            let count = try #require(Mnemonic.WordCount.allCases.randomElement(using: &numbers))
            let entropy = numbers.bytes(count.entropyByteCount)
            let text = try Mnemonic.text(of: secret(entropy))
            #expect(try text.revealedText() == Reference.text(of: entropy), "seed 39, round \(round)")
            #expect(try Mnemonic.entropy(of: text).revealed() == entropy, "seed 39, round \(round)")
        }
    }

    @Test(.holds("K-05"), arguments: Mnemonic.WordCount.allCases)
    func `new entropy has the length for its words and differs each time`(count: Mnemonic.WordCount) throws {
        let first = Mnemonic.makeEntropy(words: count)
        let second = Mnemonic.makeEntropy(words: count)
        #expect(first.byteCount == count.entropyByteCount)
        #expect(first.revealed() != second.revealed())
        #expect(try Mnemonic.text(of: first).revealedText().split(separator: " ").count == count.rawValue)
    }

    @Test func `24 words are the default`() {
        #expect(Mnemonic.makeEntropy().byteCount == 32)
    }

    // MARK: What is tolerated

    @Test(arguments: [
        valid.uppercased(), valid.replacing("ban", with: "BaN"), "  \(valid)", "\(valid)\n", "\(valid)\r\n",
        "\t" + valid.split(separator: " ").joined(separator: " \t\n ") + "   ", "\u{FEFF}\(valid)\u{A0}",
        valid.replacing(" ", with: "\u{A0}"), valid.replacing(" ", with: "\u{3000}"),
        valid.replacing(" ", with: "\u{2028}\u{200B}\u{2060}\u{202F}\u{205F}\u{1680}\u{85}\u{2003}"),
    ])
    func `case and white space do not matter`(text: String) throws {
        #expect(try Mnemonic.entropy(of: secret(text)).revealed() == [UInt8](repeating: 0, count: 16))
    }

    // MARK: What is refused

    @Test(arguments: [0, 1, 3, 9, 11, 13, 14, 16, 23, 25, 27, 48])
    func `another number of words is refused`(count: Int) {
        let text = Array(repeating: "abandon", count: count).joined(separator: " ")
        let error = failure { () throws(VaultError) in _ = try Mnemonic.entropy(of: secret(text)) }
        #expect(error?.code == .mnemonicLengthWrong)
    }

    @Test(arguments: [0, 4, 12, 15, 17, 31, 33, 36, 64])
    func `entropy of another length is refused`(count: Int) {
        let entropy = [UInt8](repeating: 7, count: count)
        let error = failure { () throws(VaultError) in _ = try Mnemonic.text(of: secret(entropy)) }
        #expect(error?.code == .mnemonicLengthWrong)
    }

    @Test(.holds("A52"), arguments: 1...12)
    func `an unknown word is named by its place, never by itself`(position: Int) throws {
        var words = Self.valid.split(separator: " ").map(String.init)
        words[position - 1] = "sentinel"
        let text = words.joined(separator: " ")
        let error = try #require(
            failure { () throws(VaultError) in _ = try Mnemonic.entropy(of: secret(text)) }
        )
        #expect(error.code == .mnemonicWordUnknown)
        #expect(error.diagnostic == "word \(position)")
        #expect(!String(reflecting: error).contains("sentinel"))
    }

    @Test func `the first of several unknown words is named`() {
        let text = "abandon nosuch abandon nosuch " + Array(repeating: "abandon", count: 8).joined(separator: " ")
        let error = failure { () throws(VaultError) in _ = try Mnemonic.entropy(of: secret(text)) }
        #expect(error?.diagnostic == "word 2")
    }

    @Test(arguments: [
        Array("abou".utf8), Array("abouts".utf8), Array("aboutabout".utf8), Array("abo\0ut".utf8),
        Array("about\0".utf8), Array("\0about".utf8), Array("about\0\0\0".utf8), Array("about.".utf8),
        Array("ab0ut".utf8),
        Array("a".utf8), Array("zzzzzzzz".utf8), Array("{bout".utf8), Array("abóut".utf8), Array("ａｂｏｕｔ".utf8),
        Array("about\u{A1}".utf8), Array("about\u{3001}".utf8), Array("about\u{2010}".utf8), [0xC2], [0xE2, 0x80],
        [0xE3, 0x80], [0xEF, 0xBB], [0xFF], [0xC3], [0xE1, 0xE2, 0xEF, 0xF5, 0xF4], [0x01, 0x02, 0x0F, 0x15, 0x14],
        [0x0B], [0x7F],
    ])
    func `a word that is cut, lengthened, or not of ASCII letters is unknown`(word: [UInt8]) {
        let text = Array(repeatElement("abandon ", count: 11).joined().utf8) + word
        let error = failure { () throws(VaultError) in _ = try Mnemonic.entropy(of: secret(text)) }
        #expect(error == VaultError(.mnemonicWordUnknown, "word 12"))
    }

    @Test func `any replaced word is refused, but for those that keep the checksum`() throws {
        let words = try Reference.text(of: Array(1...16)).split(separator: " ").map(String.init)
        var accepted = 0
        var tried = 0
        for position in words.indices {
            for replacement in Reference.words where replacement != words[position] {
                var changed = words
                changed[position] = replacement
                tried += 1
                let error = failure { () throws(VaultError) in
                    _ = try Mnemonic.entropy(of: secret(changed.joined(separator: " ")))
                }
                let keepsChecksum = Reference.hasChecksum(changed)
                #expect((error == nil) == keepsChecksum, "word \(position + 1): \(replacement)")
                #expect(error == nil || error?.code == .mnemonicChecksumWrong)
                accepted += keepsChecksum ? 1 : 0
            }
        }
        #expect(tried == 12 * 2_047)
        // Four bits of checksum: one in sixteen, give or take six standard deviations.
        #expect((tried / 16 - 228...tried / 16 + 228).contains(accepted))
    }

    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            (String(repeating: "a", count: 10_240), ErrorCode.mnemonicLengthWrong),
            (String(repeating: "a ", count: 5_120), .mnemonicLengthWrong),
            (String(repeating: " ", count: 10_240), .mnemonicLengthWrong),
            (String(repeating: "\0", count: 10_240), .mnemonicLengthWrong),
            (String(repeating: "abandon ", count: 1_280), .mnemonicLengthWrong),
            (String(repeating: "abandon ", count: 11) + String(repeating: "z", count: 10_240), .mnemonicWordUnknown),
        ]
    )
    func `ten kilobytes are refused like anything else`(text: String, code: ErrorCode) {
        let error = failure { () throws(VaultError) in _ = try Mnemonic.entropy(of: secret(text)) }
        #expect(error?.code == code)
    }

    // MARK: Helpers

    static let valid =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

    private func expectBothDirections(_ sample: MnemonicSample) throws {
        #expect(hexadecimal(try Mnemonic.entropy(of: secret(sample.mnemonic)).revealed()) == sample.entropy)
        let entropy = try bytes(ofHexadecimal: sample.entropy)
        #expect(try Mnemonic.text(of: secret(entropy)).revealedText() == sample.mnemonic)
        #expect(try Reference.text(of: entropy) == sample.mnemonic)
    }
}

/// BIP-39 once more, with strings, arrays and one `Bool` a bit: nothing in common with the product but SHA-256.
private enum Reference {
    static let words = MnemonicWords.text.description.split(whereSeparator: \.isWhitespace).map(String.init)
    private static let indices = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($1, $0) })

    static func text(of entropy: [UInt8]) throws -> String {
        let all = bits(of: entropy) + bits(of: SHA256.digest(entropy)).prefix(entropy.count / 4)
        return stride(from: 0, to: all.count, by: 11)
            .map { words[all[$0..<$0 + 11].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }] }
            .joined(separator: " ")
    }

    static func hasChecksum(_ mnemonic: [String]) -> Bool {
        let all = mnemonic.compactMap { indices[$0] }.flatMap { index in (0..<11).map { index >> (10 - $0) & 1 == 1 } }
        let entropyBits = all.prefix(all.count / 33 * 32)
        let entropy = stride(from: 0, to: entropyBits.count, by: 8)
            .map { entropyBits[$0..<$0 + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) } }
        return all.dropFirst(entropyBits.count).elementsEqual(bits(of: SHA256.digest(entropy)).prefix(all.count / 33))
    }

    private static func bits(of bytes: [UInt8]) -> [Bool] {
        bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
    }
}
