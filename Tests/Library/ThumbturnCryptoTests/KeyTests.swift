import Dispatch
import Testing
import ThumbturnTestKit

@testable @_spi(InsecureTestParameters) import ThumbturnCrypto

@Suite struct Argon2Tests {
    private struct Vector: Decodable {
        let id: String
        let password, salt, tag: HexBytes
        let memoryKiB, passes: UInt32
        let lanes: Int
    }

    @Test func `every one-lane vector holds, and only RFC 9106's own case is left out`() throws {
        let tests = try VectorFile<Vector>.load("crypto/argon2id.json").tests
        #expect(tests.filter { $0.lanes != 1 }.map(\.id) == ["rfc9106-5.3"])
        for vector in tests where vector.lanes == 1 {
            let derived = try Argon2id.derive(
                from: SecretBytes(vector.password.bytes),
                salt: vector.salt.bytes,
                parameters: Argon2Parameters(memoryKiB: vector.memoryKiB, passes: vector.passes),
                byteCount: vector.tag.bytes.count
            )
            #expect(derived.exposed == vector.tag.bytes, "\(vector.id)")
        }
    }

    private static let tooCheap = [(8, 1), (19_455, 2), (19_456, 1), (65_536, 0), (0, 0), (0, 3)]
        .map { Argon2Parameters(memoryKiB: $0.0, passes: $0.1) }
    private static let tooDear = [(262_145, 3), (16_777_216, 3), (UInt32.max, UInt32.max), (65_536, 11)]
        .map { Argon2Parameters(memoryKiB: $0.0, passes: $0.1) }

    @Test(
        "a cost outside the limits is refused before the derivation runs",
        .holds("A4", "A5"),
        arguments: tooCheap + tooDear
    )
    func costOutsideTheLimits(parameters: Argon2Parameters) {
        var calls = 0
        let error = cryptoError { () throws(CryptoError) in
            try StretchedSecret(
                stretching: SecretBytes([1]),
                salt: RandomBytes.make(16),
                parameters: parameters,
                limits: .standard
            ) { (secret, _, _) throws(CryptoError) in
                calls += 1
                return secret.copy()
            }
        }
        #expect(error == .parametersOutOfRange)
        #expect(calls == 0)
    }

    @Test("an absurd cost costs under 10 ms", .holds("A5"), arguments: tooDear)
    func absurdCost(parameters: Argon2Parameters) {
        let secret = SecretBytes([1])
        let salt = RandomBytes.make(16)
        // The best of a few, for another process may get in between.
        let best =
            (0..<5).map { _ in
                let start = DispatchTime.now().uptimeNanoseconds
                let error = cryptoError { () throws(CryptoError) in
                    try StretchedSecret(stretching: secret, salt: salt, parameters: parameters, limits: .standard)
                }
                #expect(error == .parametersOutOfRange)
                return DispatchTime.now().uptimeNanoseconds - start
            }.min() ?? .max
        #expect(best < 10_000_000)
    }

    @Test func `the limits include their ends`() throws {
        let limits = Argon2Limits.standard
        for parameters in [limits.floor, limits.default, limits.ceiling] {
            try limits.validate(parameters)
        }
        #expect(limits.default == Argon2Parameters(memoryKiB: 64 * 1024, passes: 3))
        #expect(limits.floor == Argon2Parameters(memoryKiB: 19 * 1024, passes: 2))
        #expect(limits.ceiling == Argon2Parameters(memoryKiB: 256 * 1024, passes: 10))
    }

    @Test(arguments: [0, 15, 17])
    func `a salt of another length is refused`(count: Int) {
        let error = cryptoError { () throws(CryptoError) in
            try StretchedSecret(
                stretching: SecretBytes([1]),
                salt: [UInt8](repeating: 0, count: count),
                parameters: Argon2Limits.insecureTest.default,
                limits: .insecureTest
            )
        }
        #expect(error == .parametersOutOfRange)
    }
}

@Suite struct KeyTests {
    private let salt = [UInt8](repeating: 9, count: 16)

    private func stretched(_ pin: String) throws -> StretchedSecret {
        try StretchedSecret(
            stretching: SecretBytes(Array(pin.utf8)),
            salt: salt,
            parameters: Argon2Limits.insecureTest.default,
            limits: .insecureTest
        )
    }

    @Test func `a wrapped master key opens with both halves, and with neither alone`() throws {
        let share = SecretBytes.random(byteCount: 32)
        let master = MasterKey.make()
        let key = KeyEncryptionKey(
            stretched: try stretched("482913"),
            deviceShare: share,
            salt: salt,
            purpose: "pin-slot"
        )
        let box = try key.wrap(master, associatedData: [1, 2])
        let again = KeyEncryptionKey(
            stretched: try stretched("482913"),
            deviceShare: share,
            salt: salt,
            purpose: "pin-slot"
        )
        #expect(MasterKey.matches(master, try again.unwrap(box, associatedData: [1, 2])) == true)

        let otherShare = SecretBytes.random(byteCount: 32)
        let otherSalt = RandomBytes.make(16)
        for (pin, share, salt, purpose) in [
            ("482914", share.exposed, salt, "pin-slot"), ("482913", otherShare.exposed, salt, "pin-slot"),
            ("482913", share.exposed, otherSalt, "pin-slot"), ("482913", share.exposed, salt, "pwd-slot"),
        ] {
            let wrong = KeyEncryptionKey(
                stretched: try stretched(pin),
                deviceShare: SecretBytes(share),
                salt: salt,
                purpose: purpose
            )
            let error = cryptoError { () throws(CryptoError) in try wrong.unwrap(box, associatedData: [1, 2]) }
            #expect(error == .authenticationFailed, "\(pin) \(purpose)")
        }
        let error = cryptoError { () throws(CryptoError) in try key.unwrap(box, associatedData: [1, 3]) }
        #expect(error == .authenticationFailed)
    }

    @Test func `any flipped bit of a wrapped key fails`() throws {
        let key = KeyEncryptionKey(secret: .make(), salt: salt, purpose: "bio-slot")
        let box = try key.wrap(.make(), associatedData: [])
        #expect(box.count == 60)
        for bit in 0..<(box.count * 8) {
            var flipped = box
            flipped[bit / 8] ^= 1 << (bit % 8)
            let error = cryptoError { () throws(CryptoError) in try key.unwrap(flipped, associatedData: []) }
            #expect(error == .authenticationFailed, "bit \(bit)")
        }
    }

    @Test func `a box of another length is malformed, even if it is authentic`() throws {
        let key = KeyEncryptionKey(secret: .make(), salt: salt, purpose: "bio-slot")
        let box = try AES256GCM.seal([UInt8](repeating: 0, count: 31), key: key.bytes)
        #expect(cryptoError { () throws(CryptoError) in try key.unwrap(box, associatedData: []) } == .malformed)
        #expect(cryptoError { () throws(CryptoError) in try key.unwrap([], associatedData: []) } == .malformed)
    }

    @Test func `a key is HKDF over both halves with the named info`() throws {
        let stretched = try stretched("482913")
        let share = SecretBytes.random(byteCount: 32)
        let key = KeyEncryptionKey(stretched: stretched, deviceShare: share, salt: salt, purpose: "pin-slot")
        let expected = try HKDFSHA256.derive(
            from: .concatenating(stretched.bytes, share),
            salt: salt,
            info: Array("thumbturn.v1.pin-slot".utf8)
        )
        #expect(SecretBytes.constantTimeEqual(key.bytes, expected) == true)

        let master = MasterKey.make()
        let derived = try HKDFSHA256.derive(
            from: master.bytes,
            salt: [],
            info: Array("thumbturn.v1.wallet-key".utf8) + [0, 7]
        )
        #expect(SecretBytes.constantTimeEqual(master.derive("wallet-key", context: [7], salt: []), derived) == true)
    }

    @Test func `purpose, context and salt each change a derived key`() {
        let master = MasterKey.make()
        let keys = [
            master.derive("ab", context: [], salt: []).exposed,
            master.derive("a", context: Array("b".utf8), salt: []).exposed,
            master.derive("ab", context: [0], salt: []).exposed,
            master.derive("ab", context: [], salt: [1]).exposed,
            MasterKey.make().derive("ab", context: [], salt: []).exposed,
        ]
        #expect(Set(keys).count == keys.count)
        #expect(master.copy().derive("ab", context: [], salt: []).exposed == keys[0])
    }

    @Test func `a random secret loads from 32 bytes only`() throws {
        let secret = RandomSecret.make()
        let loaded = try RandomSecret(loading: secret.copyBytes())
        #expect(SecretBytes.constantTimeEqual(secret.bytes, loaded.bytes) == true)
        #expect(loaded.withBytes { $0.byteCount } == 32)
        for count in [0, 31, 33] {
            let error = cryptoError { () throws(CryptoError) in
                try RandomSecret(loading: .random(byteCount: count))
            }
            #expect(error == .malformed)
        }
    }

    @Test func `two master keys differ, a copy does not`() {
        let master = MasterKey.make()
        #expect(MasterKey.matches(master, .make()) == false)
        #expect(MasterKey.matches(master, master.copy()) == true)
    }
}
