import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct PrivateKeyTests {
    private static let digits = "00112233445566778899aabbccddeeff0123456789abcdef0fedcba987654321"

    @Test(
        .holds("K-05"),
        arguments: [
            digits, digits.uppercased(), "0x" + digits, "0X" + digits.uppercased(), " \t" + digits + "\r\n",
            "\n0x" + digits + " ", "\u{FEFF}" + digits + "\u{A0}",
        ]
    )
    func `64 digits read in either case, with a prefix and white space around`(text: String) throws {
        let key = try PrivateKey.key(of: secret(text))
        #expect(try key.revealed() == bytes(ofHexadecimal: Self.digits))
        #expect(try PrivateKey.text(of: key).revealedText() == Self.digits)
    }

    @Test(.holds("K-05")) func `every key comes back from its text`() throws {
        var numbers = SeededGenerator(seed: 64)
        for round in 0..<200 {
            let key = numbers.bytes(32)
            let text = try PrivateKey.text(of: secret(key))
            #expect(text.revealedText() == hexadecimal(key), "seed 64, round \(round)")
            #expect(try PrivateKey.key(of: text).revealed() == key, "seed 64, round \(round)")
        }
    }

    @Test(arguments: [
        String(repeating: "0", count: 63) + "1",
        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",  // the order of secp256k1
        String(repeating: "f", count: 64),
    ])
    func `no curve is presumed: the least and the greatest value pass`(text: String) throws {
        #expect(try PrivateKey.text(of: PrivateKey.key(of: secret(text))).revealedText() == text)
    }

    private static let cut = String(digits.dropLast())

    @Test(
        .holds("A52"),
        arguments: [
            "", " ", "0x", "0x0x\(cut.dropLast())", "x\(digits)", "\(digits)0", cut, "0x\(cut)", "0x\(digits)0",
            "\(digits) 0",
            "0x \(digits)", "\(digits)\0", "\(cut)\u{A0}", "\(digits.prefix(32)) \(digits.suffix(32))",
            "g\(digits.dropFirst())", "\(cut)G", "\(cut)\0", "\(cut)/", "\(cut):", "\(cut)@", "\(cut)`",
            "\(cut.dropLast())é",
            String(repeating: "0", count: 64), "0x" + String(repeating: "0", count: 64),
            String(repeating: "1", count: 10_240),
        ]
    )
    func `anything else is refused, and the error holds nothing of it`(text: String) throws {
        let error = try #require(failure { () throws(VaultError) in _ = try PrivateKey.key(of: secret(text)) })
        #expect(error.code == .privateKeyMalformed)
        #expect(!String(reflecting: error).contains("112233"))
    }

    @Test(arguments: [0, 31, 33, 64])
    func `a key of another length has no text`(count: Int) {
        let error = failure { () throws(VaultError) in
            _ = try PrivateKey.text(of: secret(Array(repeating: 1, count: count)))
        }
        #expect(error?.code == .privateKeyMalformed)
    }

    @Test func `zero has no text`() {
        let error = failure { () throws(VaultError) in
            _ = try PrivateKey.text(of: secret(Array(repeating: 0, count: 32)))
        }
        #expect(error?.code == .privateKeyMalformed)
    }
}
