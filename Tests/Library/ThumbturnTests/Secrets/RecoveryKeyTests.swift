import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct RecoveryKeyTests {
    // The sweeps below try about 1,800 mistakes against 20 bits of checksum; one key in about 580 would miss one of them,
    // this one none.
    private static let key = (0..<32).map { UInt8($0) }
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    // Frozen: keys written down on paper read for ever. Computed from the definition with another program.
    @Test(arguments: [
        (key, "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-2GAH-C5RR-34D1-P70X-3RFG-YTD5"),
        (Array(repeating: 0x00, count: 32), "0000-0000-0000-0000-0000-0000-0000-0000-0000-0000-0000-0000-0000-G37V"),
        (Array(repeating: 0xFF, count: 32), "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZG-N9TS"),
    ])
    func `the written form stays what it is`(key: [UInt8], text: String) throws {
        #expect(try Self.text(of: key) == text)
        #expect(try Self.parse(text) == key)
    }

    @Test func `every key comes back from its text`() throws {
        var numbers = SeededGenerator(seed: 32)
        for round in 0..<200 {
            let key = numbers.bytes(32)
            #expect(try Self.parse(Self.text(of: key)) == key, "seed 32, round \(round)")
        }
    }

    @Test func `a new key has 14 groups of four characters`() {
        let text = RecoveryKey.text(of: RandomSecret.make()).revealedText()
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        #expect(groups.count == 14)
        #expect(groups.allSatisfy { $0.count == 4 && $0.allSatisfy(Self.alphabet.contains) })
    }

    @Test func `case, spaces and dashes do not matter, and O, I and L read as digits`() throws {
        let text = try Self.text(of: Self.key)
        let bare = text.replacing("-", with: "")
        let forms = [
            text.lowercased(), bare, bare.lowercased(), text.replacing("-", with: " "),
            text.replacing("-", with: " - "),
            "\n" + text.replacing("-", with: "\r\n") + "\t", "--" + text + "--", bare.map { "\($0) " }.joined(),
            text.replacing("0", with: "O"), text.replacing("0", with: "o"), text.replacing("1", with: "I"),
            text.replacing("1", with: "i"), text.replacing("1", with: "L"), text.replacing("1", with: "l"),
        ]
        #expect(text.contains("0") && text.contains("1"))
        for form in forms {
            #expect(try Self.parse(form) == Self.key, "\(form)")
        }
    }

    @Test func `every single wrong character is noticed`() throws {
        let text = try Array(Self.text(of: Self.key))
        var tried = 0
        for position in text.indices where text[position] != "-" {
            for replacement in Self.alphabet where replacement != text[position] {
                var changed = text
                changed[position] = replacement
                tried += 1
                #expect(Self.refusal(of: String(changed)) == .recoveryKeyMalformed, "\(position): \(replacement)")
            }
        }
        #expect(tried == 56 * 31)
    }

    @Test func `every swap of neighbours is noticed, or changes nothing`() throws {
        let bare = try Array(Self.text(of: Self.key).replacing("-", with: ""))
        var noticed = 0
        for position in 0..<55 {
            var changed = bare
            changed.swapAt(position, position + 1)
            if changed == bare {
                #expect(try Self.parse(String(changed)) == Self.key)
            } else {
                #expect(Self.refusal(of: String(changed)) == .recoveryKeyMalformed, "\(position)")
                noticed += 1
            }
        }
        #expect(noticed > 45)
    }

    @Test func `bits that only fill up the 52nd character must be zero`() throws {
        let bare = try Array(Self.text(of: Self.key).replacing("-", with: ""))
        let value = try #require(Self.alphabet.firstIndex(of: bare[51]))
        #expect(value & 0xF == 0)
        for filling in 1...15 {
            var changed = bare
            changed[51] = Self.alphabet[value | filling]
            #expect(Self.refusal(of: String(changed)) == .recoveryKeyMalformed, "\(filling)")
        }
    }

    @Test(.holds("A52"))
    func `too little, too much and foreign characters are refused, and errors hold nothing of them`() throws {
        let text = try Self.text(of: Self.key)
        let cut = text.dropLast()
        let malformed: [String] = [
            "", "-", "\(cut)", "\(text.dropFirst())", "\(text)0", "\(text)\(text)", "\(text.dropLast(5))", "\(cut)U",
            "\(cut)u", "\(cut)*", "\(cut)\0", "\(text)\0", "\(cut)é", "\(text)\u{2013}",
            text.replacing("0", with: "\u{FF10}"), String(repeating: "0", count: 10_240),
        ]
        for form in malformed {
            let error = try #require(
                failure { () throws(VaultError) in _ = try RecoveryKey.parse(secret(form)) },
                "\(form)"
            )
            #expect(error.code == .recoveryKeyMalformed)
            #expect(!String(reflecting: error).contains(text.prefix(4)))
        }
    }

    // MARK: Helpers

    private static func text(of key: [UInt8]) throws -> String {
        try RecoveryKey.text(of: RandomSecret(loading: secret(key))).revealedText()
    }

    private static func parse(_ text: String) throws -> [UInt8] {
        try RecoveryKey.parse(secret(text)).copyBytes().revealed()
    }

    private static func refusal(of text: String) -> ErrorCode? {
        failure { () throws(VaultError) in _ = try RecoveryKey.parse(secret(text)) }?.code
    }
}
