import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct LegacyOpeningTests {
    // MARK: With the right PIN

    @Test func `every sample of OpenSSL's command line opens, or is refused as it should be`() throws {
        for sample in try LegacySample.openSSL() { try Self.expectOutcome(of: sample, argon2id: nil) }
    }

    @Test(.enabled(if: LegacyArgon2id.builtIn != nil, "this system has one lane only"))
    func `every sample under Argon2id opens, or is refused as it should be`() throws {
        for sample in try LegacySample.argon2() { try Self.expectOutcome(of: sample, argon2id: .builtIn) }
    }

    @Test(.enabled(if: LegacyArgon2id.builtIn != nil, "this system has one lane only"))
    func `the salt's digits are tried before the bytes they stand for, and these only when the digits fail`() throws {
        for (id, tries) in [("version 2, 12 words", 1), ("version 2, salt decoded", 2)] {
            let sample = try LegacySample.named(id)
            let sealed = try LegacySealed(reading: secret(sample.bytes))
            let kept = KeptArgon2id(pin: sample.pin, salts: sealed.salts)
            #expect(sealed.salts.map(\.count) == [32, 16])
            #expect(try sealed.open(with: secret(sample.pin), argon2id: kept.value).revealed() == sample.mnemonic)
            #expect(kept.salted == Array(sealed.salts.prefix(tries)), "\(id)")
        }
    }

    // MARK: With a wrong one

    @Test(arguments: ["", "280715", "2807140", "28071", " 280714", "280714\n", "PIN"])
    func `a wrong PIN is refused in every format`(pin: String) throws {
        for id in ["12 words, 64 columns", "version 1, 12 words", "version 2, 12 words"] {
            let sealed = try LegacySealed(reading: secret(LegacySample.named(id).bytes))
            let kept = KeptArgon2id(pin: "280714", salts: sealed.salts)
            #expect(Self.refusal(sealed, pin, kept.value) == VaultError(.legacySecretRefused), "\(id)")
            #expect(kept.salted == (sealed.format == .openSSL ? [] : sealed.salts), "\(id)")
        }
    }

    @Test func `a wrong PIN whose padding fits by chance is refused like the others`() throws {
        let sealed = try LegacySealed(reading: secret(LegacySample.named("12 words, 64 columns").bytes))
        var fitting = 0
        for number in 0..<5_000 {
            let key = try LegacyKey(digesting: secret("x\(number)"), salt: sealed.salts[0])
            guard Self.fits(key, sealed) else { continue }
            fitting += 1
            let refusal = Self.refusal(sealed, "x\(number)", nil)
            #expect(refusal == VaultError(.legacySecretRefused), "x\(number)")
            let opaque = failure { () throws(VaultError) in
                _ = try sealed.open(with: secret("x\(number)"), argon2id: nil, as: .opaque)
            }
            #expect(opaque == VaultError(.legacySecretRefused), "what may be noise takes no file's place: x\(number)")
        }
        // One in 255 of 5,000, give or take four standard deviations.
        #expect((2...37).contains(fitting), "\(fitting)")
    }

    @Test func `a wrong PIN under Argon2id whose padding fits by chance, with either salt, is refused`() throws {
        let sealed = try LegacySealed(reading: secret(LegacySample.named("version 2, 24 words").bytes))
        let kept = KeptArgon2id(pin: "862203", salts: [])
        let cost = try #require(sealed.format.cost)
        var fitting = [0, 0]
        for number in 0..<2_500 {
            for (index, salt) in sealed.salts.enumerated() {
                let key = try LegacyKey(
                    stretching: secret("x\(number)"),
                    salt: salt,
                    cost: cost,
                    by: kept.value,
                    initializationVector: sealed.initializationVector
                )
                guard Self.fits(key, sealed) else { continue }
                fitting[index] += 1
                #expect(Self.refusal(sealed, "x\(number)", kept.value) == VaultError(.legacySecretRefused))
            }
        }
        // One in 255 of 2,500 each, give or take three standard deviations.
        #expect(fitting.allSatisfy { (1...19).contains($0) }, "\(fitting)")
    }

    // MARK: Something else inside

    @Test(arguments: [
        (#""legal winner""#, LegacyLikeness.quoted), (#"{"mnemonic":"legal winner"}"#, .object), (#"["legal"]"#, .list),
        (" {\n} ", .object), ("\"", .text), ("legal winner thank", .words(3)),
        ("abaisser abandon abdiquer", .otherWords(3)),
        ("légal ñandú 日本", .otherWords(3)), ("buy 2 milk", .text), ("", .nothing), (" \n", .nothing),
        (String(repeating: "4F", count: 32), .form(.digits)),
        ("0x" + String(repeating: "4f", count: 32), .form(.digits)),
        ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", .form(.importKey)),
        ("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617\n", .form(.importKey)),
        (
            "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
            .form(.extendedKey)
        ),
        ("a\u{1B}[2Jb", .bytes), ("a\u{0}", .bytes),
    ])
    func `what is no mnemonic is told by its form`(text: String, likeness: LegacyLikeness) {
        #expect(LegacyLikeness(of: secret(text)) == likeness)
    }

    @Test(arguments: [
        ("a note", "2 words, not all of the English list", 8), ("13 words", "13 words", 76),
        ("binary inside", "bytes that are no text", 32),
    ])
    func `something else under the right PIN is told as that, and comes out as it is`(
        id: String,
        told: String,
        count: Int
    ) throws {
        let sample = try LegacySample.named(id)
        let sealed = try LegacySealed(reading: secret(sample.bytes))
        let refusal = Self.refusal(sealed, sample.pin, nil)
        #expect(refusal == VaultError(.legacyHoldsOther) && refusal?.diagnostic == told)
        let opened = try sealed.open(with: secret(sample.pin), argon2id: nil, as: .opaque).revealed()
        #expect(opened.count == count)
        #expect(Self.refusal(sealed, "000001", nil) == VaultError(.legacySecretRefused))
    }

    // MARK: Damaged

    @Test(arguments: ["12 words, binary", "12 words, one line"])
    func `a flipped bit in the format of OpenSSL is refused, or changes nothing`(id: String) throws {
        try Self.expectNoOtherMnemonic(from: LegacySample.named(id), argon2id: nil)
    }

    @Test(.enabled(if: LegacyArgon2id.builtIn != nil, "this system has one lane only"))
    func `a flipped bit under Argon2id is refused, or changes nothing`() throws {
        // Without a tag, a change of the vector can make a word of another: here none of them keeps the checksum.
        let sample = try LegacySample.named("version 2, 12 words")
        let sealed = try LegacySealed(reading: secret(sample.bytes))
        let kept = KeptArgon2id(pin: sample.pin, salts: sealed.salts)
        try Self.expectNoOtherMnemonic(from: sample, argon2id: kept.value)
    }

    @Test(arguments: ["12 words, 64 columns", "24 words, binary"])
    func `what is cut anywhere does not open`(id: String) throws {
        let sample = try LegacySample.named(id)
        var opened = 0
        for count in 0..<sample.bytes.count {
            let cut = secret(sample.bytes.prefix(count))
            let error = failure { () throws(VaultError) in
                _ = try LegacySealed(reading: cut).open(with: secret(sample.pin))
            }
            if error == nil { opened += 1 }
            #expect(
                error == nil || error?.code == .legacyMalformed || error?.code == .legacySecretRefused,
                "\(count)"
            )
        }
        // All but the line feed at the end.
        #expect(opened == (id == "24 words, binary" ? 0 : 1))
    }

    // MARK: Without what it takes

    @Test func `without several lanes, what needs them has a version that is unknown here`() throws {
        let sealed = try LegacySealed(reading: secret(LegacySample.named("version 2, 12 words").bytes))
        #expect(Self.refusal(sealed, "280714", nil) == VaultError(.legacyVersionUnknown))
    }

    @Test(arguments: [
        (CryptoError.outOfMemory, ErrorCode.storageUnavailable), (.backendFailed, .storageUnavailable),
        (.parametersOutOfRange, .legacyMalformed), (.malformed, .legacyMalformed),
        (.authenticationFailed, .legacySecretRefused),
    ])
    func `a derivation that fails is no wrong PIN`(failure: CryptoError, code: ErrorCode) throws {
        let sealed = try LegacySealed(reading: secret(LegacySample.named("version 2, 12 words").bytes))
        let failing = LegacyArgon2id { (_, _, _) throws(CryptoError) in throw failure }
        #expect(Self.refusal(sealed, "280714", failing)?.code == code)
    }

    // MARK: Helpers

    /// Whether the padding fits what this key makes of the ciphertext.
    private static func fits(_ key: borrowing LegacyKey, _ sealed: LegacySealed) -> Bool {
        do throws(CryptoError) {
            _ = try key.open(sealed.ciphertext)
            return true
        } catch {
            return false
        }
    }

    private static func expectOutcome(of sample: LegacySample, argon2id: LegacyArgon2id?) throws {
        let sealed = try LegacySealed(reading: secret(sample.bytes))
        var entropy: [UInt8]?
        let error = failure { () throws(VaultError) in
            entropy = try sealed.open(with: secret(sample.pin), argon2id: argon2id).revealed()
        }
        #expect(error?.code.text == sample.error, "\(sample.id)")
        #expect(entropy == sample.mnemonic, "\(sample.id)")
        #expect((error == nil) == (sample.mnemonic != nil), "\(sample.id)")
    }

    private static func refusal(_ sealed: LegacySealed, _ pin: String, _ argon2id: LegacyArgon2id?) -> VaultError? {
        failure { () throws(VaultError) in _ = try sealed.open(with: secret(pin), argon2id: argon2id) }
    }

    private static func expectNoOtherMnemonic(from sample: LegacySample, argon2id: LegacyArgon2id?) throws {
        let expected = try #require(sample.mnemonic)
        var refused = 0
        for bit in 0..<(8 * sample.bytes.count) {
            var bytes = sample.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            var entropy: [UInt8]?
            let error = failure { () throws(VaultError) in
                entropy = try LegacySealed(reading: secret(bytes))
                    .open(with: secret(sample.pin), argon2id: argon2id).revealed()
            }
            #expect(entropy == nil || entropy == expected, "bit \(bit)")
            refused += error == nil ? 0 : 1
            let codes: [ErrorCode] = [
                .legacyMalformed, .legacyVersionUnknown, .legacySecretRefused, .legacyChecksumWrong, .legacyHoldsOther,
            ]
            #expect(error.map { codes.contains($0.code) } ?? true, "bit \(bit)")
        }
        // Only the case of a letter, or white space for other white space, goes unseen.
        #expect(refused > 8 * sample.bytes.count * 9 / 10)
    }
}
