import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct LegacyParsingTests {
    // MARK: Recognised

    @Test func `each sample is recognised for what it is, without a key`() throws {
        for sample in try LegacySample.openSSL() {
            #expect(try LegacySealed(reading: secret(sample.bytes)).format == .openSSL, "\(sample.id)")
        }
        for sample in try LegacySample.argon2() {
            let version = sample.id.hasPrefix("version 1") || sample.id == "a note" ? 1 : 2
            #expect(try LegacySealed(reading: secret(sample.bytes)).format == .argon2(version: version), "\(sample.id)")
        }
    }

    @Test func `base64 may stand in lines of any length and end`() throws {
        let binary = try LegacySample.named("12 words, binary")
        let text = Self.base64(binary.bytes)
        for length in [1, 11, 60, 64, 76, text.count] {
            for ending in ["\n", "\r\n", " \n"] {
                let lines = stride(from: 0, to: text.count, by: length).map { start in
                    String(text.dropFirst(start).prefix(length))
                }
                // The magic must stand in one piece.
                let isWhole = length >= 11
                let code = Self.refusal("\n" + lines.joined(separator: ending) + ending)?.code
                #expect(code == (isWhole ? nil : .legacyMalformed), "\(length)")
            }
        }
    }

    @Test func `a byte-order mark and the spaces of Unicode are white space around and in base64 and JSON`() throws {
        let base64 = Self.base64(try LegacySample.named("12 words, binary").bytes)
        #expect(Self.refusal("\u{FEFF}\(base64)\u{A0}\r\n") == nil)
        #expect(Self.refusal("\u{3000}\(base64.prefix(40))\u{2028}\(base64.dropFirst(40))\u{200B}") == nil)
        let fields = try Self.fields(of: "version 2, 12 words")
        let object = Self.object(["cipher", "iv", "salt", "version"], fields)
        #expect(Self.refusal("\u{FEFF}" + object.replacing(",", with: ",\u{A0}") + "\u{3000}") == nil)
        #expect(Self.refusal("\u{FEFF}")?.diagnostic == "nothing in it")
    }

    @Test func `JSON may have white space wherever it allows any, and its fields in any order`() throws {
        let fields = try Self.fields(of: "version 2, 12 words")
        let texts = [
            "  { \"version\" :\t2 ,\r\n" + Self.object(["cipher", "iv", "salt"], fields).dropFirst() + "\n",
            Self.object(["salt", "iv", "version", "cipher"], fields),
            Self.object(["iv", "cipher", "version", "salt"], fields, salt: fields["salt"]?.uppercased()),
        ]
        for text in texts {
            #expect(try LegacySealed(reading: secret(text)).format == .argon2(version: 2))
        }
    }

    @Test func `a version that says 1 is version 1`() throws {
        let fields = try Self.fields(of: "version 1, 12 words")
        let text = Self.object(["cipher", "iv", "salt", "version"], fields, version: "1")
        #expect(try LegacySealed(reading: secret(text)).format == .argon2(version: 1))
    }

    @Test func `the cost is the version's`() {
        #expect(LegacyFormat.openSSL.cost == nil)
        #expect(
            LegacyFormat.argon2(version: 1).cost == LegacyArgon2id.Cost(memoryKiB: 32 * 1_024, passes: 2, lanes: 6)
        )
        #expect(
            LegacyFormat.argon2(version: 2).cost == LegacyArgon2id.Cost(memoryKiB: 64 * 1_024, passes: 3, lanes: 4)
        )
        for version in [-1, 0, 3, .max] { #expect(LegacyFormat.argon2(version: version).cost == nil) }
    }

    // MARK: Refused

    @Test(arguments: [
        ("", "nothing in it"), (" \r\n\t ", "nothing in it"), (MnemonicTests.valid, "no known format"),
        ("Salted", "cut short"), ("salted__12345678", "no known format"), ("U2FsdGVkX2", "no known format"),
        ("hello", "no known format"), ("[]", "no known format"), ("280714", "no known format"),
        ("{}", "no known format"),
        ("{\"a\":\"b\"}", "no known format"), ("{\"cipher\":1,\"iv\":\"\"}", "no known format"),
        ("{\"cipher\":\"\"}", "no known format"), ("{\"cipher\":\"\",\"iv\":2}", "no known format"),
        (String(repeating: " ", count: 4_097), "too long"),
        ("Salted__" + String(repeating: "a", count: 4_096), "too long"),
    ])
    func `what is no former wallet is refused`(text: String, why: String) {
        #expect(Self.refusal(text)?.code == .legacyMalformed)
        #expect(Self.refusal(text)?.diagnostic == why)
    }

    @Test(.holds("A52"), arguments: ["0", "3", "10", "999999999"])
    func `an unknown version has an error of its own, whatever else it brings, and does not repeat the number`(
        version: String
    ) throws {
        let fields = try Self.fields(of: "version 2, 12 words")
        let known = Self.object(["cipher", "iv", "salt", "version"], fields, version: version)
        let more =
            Self.object(["version", "iv", "cipher", "salt"], fields, version: version).dropLast() + ",\"kdf\":\"x\"}"
        for text in [known, String(more)] {
            #expect(Self.refusal(text) == VaultError(.legacyVersionUnknown))
            #expect(Self.refusal(text)?.diagnostic == "no known version")
        }
    }

    @Test func `a file from before there were salts is of an unknown version`() throws {
        let text = Self.object(["cipher", "iv"], try Self.fields(of: "version 1, 12 words"))
        #expect(Self.refusal(text)?.code == .legacyVersionUnknown)
        #expect(Self.refusal(text)?.diagnostic == "older than salts")
    }

    @Test(arguments: [
        ("-1", "no whole number"), ("2.0", "not JSON"), ("2e0", "not JSON"), ("02", "no whole number"),
        ("00", "no whole number"), ("1234567890", "a number too large"), ("99999999999999999999", "a number too large"),
        ("\"2\"", "the version is no number"), ("null", "no whole number"), ("true", "no whole number"),
        ("[2]", "no whole number"), ("{\"a\":1}", "no whole number"), ("", "no whole number"), ("2 2", "not JSON"),
    ])
    func `a version that is no whole number is malformed`(version: String, why: String) throws {
        let text = Self.object(
            ["cipher", "iv", "salt", "version"],
            try Self.fields(of: "version 2, 12 words"),
            version: version
        )
        #expect(Self.refusal(text)?.code == .legacyMalformed)
        #expect(Self.refusal(text)?.diagnostic == why)
    }

    @Test(arguments: ["iv", "salt"], ["", "0", "0123456789abcdef", "g123456789abcdef0123456789abcdef", "long"])
    func `salt and vector are 32 hexadecimal digits`(name: String, value: String) throws {
        var fields = try Self.fields(of: "version 2, 12 words")
        fields[name] = value == "long" ? String(repeating: "a", count: 33) : value
        let text = Self.object(["cipher", "iv", "salt", "version"], fields)
        #expect(Self.refusal(text)?.code == .legacyMalformed)
        #expect(Self.refusal(text)?.diagnostic == "salt and iv are 32 hexadecimal digits")
    }

    @Test func `a salt that is a number is malformed`() throws {
        let fields = try Self.fields(of: "version 2, 12 words")
        let text = Self.object(["cipher", "iv", "version"], fields).dropLast() + ",\"salt\":1}"
        #expect(Self.refusal(String(text))?.diagnostic == "salt and iv are 32 hexadecimal digits")
    }

    @Test(arguments: [
        ("", "cut short"), ("AAAA", "cut short"), ("AAA", "cut short"), ("A", "cut short"),
        ("AAAAAAAAAAAAAAAAAAAAAA", "cut short"), ("AAAAAAAAAAAAAAAAAAAAAB==", "not base64"), ("====", "not base64"),
        ("A===", "not base64"), ("AA=A", "not base64"), ("AAAA====", "not base64"), ("AAA-", "not base64"),
        ("AAAAAAAAAAAAAAAAAAAAAA==AAAA", "not base64"),
    ])
    func `a ciphertext that is not base64 of whole blocks is refused`(cipher: String, why: String) throws {
        var fields = try Self.fields(of: "version 2, 12 words")
        fields["cipher"] = cipher
        let text = Self.object(["cipher", "iv", "salt", "version"], fields)
        #expect(Self.refusal(text)?.code == .legacyMalformed)
        #expect(Self.refusal(text)?.diagnostic == why)
    }

    @Test(arguments: [
        (",\"more\":1}", "a field too many"), (",\"iv\":\"0\"}", "a name comes twice"), (",}", "not JSON"),
        ("}}", "more than an object"), ("},", "more than an object"), ("}\0", "more than an object"),
        (",\"a\\u0062\":1}", "not plain text"), (",\"é\":1}", "not plain text"), (",\"\u{7F}\":1}", "not plain text"),
        (",\"a\nb\":1}", "not plain text"), (",a:1}", "not JSON"), (",\"a\" 1}", "not JSON"),
        (",\"a\":}", "no whole number"),
        (";\"a\":1}", "not JSON"), (",\"a\":'b'}", "no whole number"), ("]", "not JSON"), ("/* */}", "not JSON"),
    ])
    func `JSON of another shape is malformed`(end: String, why: String) throws {
        let fields = try Self.fields(of: "version 2, 12 words")
        let text = Self.object(["cipher", "iv", "salt", "version"], fields).dropLast() + end
        #expect(Self.refusal(String(text))?.code == .legacyMalformed)
        #expect(Self.refusal(String(text))?.diagnostic == why)
    }

    @Test func `JSON that is cut anywhere says so`() throws {
        let bytes = try LegacySample.named("version 2, 24 words").bytes
        for count in 1..<bytes.count {
            let refusal = Self.refusal(bytes.prefix(count))
            #expect(refusal == VaultError(.legacyMalformed), "\(count)")
            #expect(refusal?.diagnostic == "cut short", "\(count)")
        }
    }

    @Test(arguments: ["12 words, 64 columns", "12 words, one line", "24 words, binary"])
    func `the format of OpenSSL that is cut is refused, but for cuts between blocks`(id: String) throws {
        let sample = try LegacySample.named(id)
        let whole = try LegacySealed(reading: secret(sample.bytes)).ciphertext.count
        var readable: Set<Int> = []
        for count in 1..<sample.bytes.count {
            do {
                readable.insert(try LegacySealed(reading: secret(sample.bytes.prefix(count))).ciphertext.count)
            } catch {
                #expect(error == VaultError(.legacyMalformed) && error.diagnostic == "cut short", "\(count)")
            }
        }
        // A last line feed may go; in base64 some blocks end between two groups and so can't be cut off unseen.
        readable.remove(whole)
        #expect(readable.allSatisfy { $0.isMultiple(of: 16) && $0 < whole })
    }

    @Test(.holds("A52")) func `no refusal tells what it was given`() throws {
        let sentinels = [
            "{\"cipher\":\"sentinel\",\"iv\":\"sentinel\",\"salt\":\"sentinel\"}", "{\"sentinel\":sentinel}",
            "sentinel",
            "U2FsdGVkX1sentinel", "{\"cipher\":\"a\",\"iv\":\"\",\"version\":\"sentinel\"}",
        ]
        for text in sentinels {
            let refusal = try #require(Self.refusal(text))
            #expect(!String(reflecting: refusal).contains("sentinel"))
        }
    }

    @Test func `no bytes make the parser stop the process`() throws {
        var numbers = SeededGenerator(seed: 1)
        let samples = try (LegacySample.openSSL() + LegacySample.argon2()).map(\.bytes)
        var refused = 0
        for round in 0..<20_000 {
            let bytes = numbers.mutate(samples[round % samples.count])
            guard let refusal = Self.refusal(bytes) else { continue }
            refused += 1
            #expect([.legacyMalformed, .legacyVersionUnknown].contains(refusal.code), "seed 1, round \(round)")
        }
        #expect(refused > 1_000)
    }

    // MARK: Helpers

    private static func refusal(_ text: String) -> VaultError? { refusal(Array(text.utf8)) }

    private static func refusal(_ bytes: some Sequence<UInt8>) -> VaultError? {
        failure { () throws(VaultError) in _ = try LegacySealed(reading: secret(bytes)) }
    }

    /// The texts of a sample's fields.
    private static func fields(of id: String) throws -> [String: String] {
        let words = String(decoding: try LegacySample.named(id).bytes, as: UTF8.self)
            .split { "{}\":,".contains($0) }.map(String.init)
        return Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
        )
    }

    private static func object(
        _ names: [String],
        _ fields: [String: String],
        version: String? = nil,
        salt: String? = nil
    ) -> String {
        let body = names.map { name in
            switch name {
            case "version": "\"version\":\(version ?? fields[name] ?? "")"
            case "salt": "\"salt\":\"\(salt ?? fields[name] ?? "")\""
            default: "\"\(name)\":\"\(fields[name] ?? "")\""
            }
        }
        return "{" + body.joined(separator: ",") + "}"
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(bytes.count, start + 3)])
            let padded: [UInt8] = group + [UInt8](repeating: 0, count: 3 - group.count)
            let bits = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
            for digit in 0...group.count { text.append(alphabet[bits >> (18 - 6 * digit) & 0x3F]) }
            text += String(repeating: "=", count: 3 - group.count)
        }
        return text
    }
}
