import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

@Suite("What is made of an account's password") struct AccountPasswordTests {
    private static let salt = [UInt8](1...16)

    // By argon2-cffi 23.1.0 and the HKDF of cryptography, as Tests/Service/ServicePeers uses them: 19,456 KiB, 2 passes, salt 01…10.
    @Test(arguments: [
        (
            "correct horse 41 battery", "9141f3c652e9a7cdc6fdebe6b386c3f2bab5734abaab250fb76e7ff36c1ee91a",
            "add071d53cd002e7e049c8963280f6e9455d796bac16270c120ea327b691217b"
        ),
        (
            "Gr\u{FC}\u{DF}e, \u{43C}\u{438}\u{440}",
            "061ad0af64c64e7c180462b75dab4e7775ac0709a9f10ec158654570519ae86f",
            "be5c904fac2605be8852aacbf8a6f3909d3f26d88535659589a029cb31097c86"
        ),
    ])
    func `one run of Argon2id gives what enters SRP, as text, and the envelope's key`(
        password: String,
        text: String,
        key: String
    ) throws {
        let made = try AccountPassword(SecretBytes(text: password), salt: Self.salt, kdf: AccountRoom.kdf)
        #expect(made.srpText.withBytes { $0.exposedText } == text)
        #expect(made.envelopeKey.bytes.withBytes { $0.exposed } == TextCode.hexadecimal.decode(Array(key.utf8)))
        #expect(made.envelopeKey.salt == Self.salt && made.envelopeKey.kdf == AccountRoom.kdf)
    }

    @Test(.holds("SRP-21"), arguments: [(19_455, 2), (19_456, 1), (262_145, 3), (262_144, 11), (0, 0), (.max, 3)])
    func `a cost outside of the bounds is not run`(memoryKiB: UInt32, passes: UInt32) {
        let kdf = Argon2Parameters(memoryKiB: memoryKiB, passes: passes)
        #expect(throws: AccountFailure.crypto(.parametersOutOfRange)) {
            _ = try AccountPassword(SecretBytes(text: "a password"), salt: Self.salt, kdf: kdf)
        }
    }

    @Test func `a new one has a salt of its own, whose first byte is not zero`() throws {
        let salts = Set((0..<4_000).map { _ in AccountPassword.drawSalt() })
        #expect(salts.count == 4_000 && salts.allSatisfy { $0.count == 16 && $0[0] != 0 })
        let made = try AccountPassword.make(SecretBytes(text: "a password"), kdf: AccountRoom.kdf)
        #expect(made.envelopeKey.salt.count == 16 && !salts.contains(made.envelopeKey.salt))
    }

    @Test(arguments: ["", "a\nb", "a\u{7F}", "\0", String(repeating: "a", count: 1_025)])
    func `what nobody can have chosen is refused without a run`(text: String) {
        #expect(!Self.isWellFormed(text))
        #expect(throws: AccountFailure.passwordMalformed) {
            _ = try AccountPassword(SecretBytes(text: text), salt: Self.salt, kdf: AccountRoom.kdf)
        }
    }

    @Test func `it is taken as it was typed, and told where it is not ASCII`() {
        #expect(Self.isWellFormed(String(repeating: "a", count: 1_024)) && Self.isWellFormed(" \u{E9} "))
        #expect(Self.isASCII(" a~") && !Self.isASCII("a\u{E9}"))
    }

    private static func isWellFormed(_ text: String) -> Bool {
        let password = SecretBytes(text: text)
        return AccountPassword.isWellFormed(password)
    }

    private static func isASCII(_ text: String) -> Bool {
        let password = SecretBytes(text: text)
        return AccountPassword.isASCII(password)
    }

    @Test func `a login is held against what is known of the last one`() {
        let kdf = Argon2Parameters(memoryKiB: 65_536, passes: 3)
        func login(_ group: SRPGroup, _ memoryKiB: UInt32, _ passes: UInt32, _ salt: UInt8) -> VaultAccount.Login {
            let kdf = Argon2Parameters(memoryKiB: memoryKiB, passes: passes)
            return VaultAccount.Login(group: group, cost: kdf, salt: [UInt8](repeating: salt, count: 16))
        }
        let known = VaultAccount.Login(group: .bits3072, cost: kdf, salt: [UInt8](repeating: 1, count: 16))
        #expect(!login(.bits3072, 65_536, 3, 1).isWeaker(than: known))
        #expect(!login(.bits3072, 65_536, 3, 2).isWeaker(than: known))
        #expect(!login(.bits4096, 65_537, 4, 1).isWeaker(than: known))
        #expect(login(.bits2048, 262_144, 10, 1).isWeaker(than: known))
        #expect(login(.bits4096, 65_535, 10, 2).isWeaker(than: known))
        #expect(login(.bits4096, 262_144, 2, 2).isWeaker(than: known))
    }
}
