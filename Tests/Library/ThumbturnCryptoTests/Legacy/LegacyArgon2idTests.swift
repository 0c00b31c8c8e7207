import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct LegacyArgon2idTests {
    private struct Vector: Decodable {
        let id: String
        let password, salt, key: HexBytes
        let memoryKiB, passes, lanes: UInt32
    }

    @Test(.enabled(if: LegacyArgon2id.builtIn != nil, "this system has one lane only"))
    func `several lanes give what two other implementations give`() throws {
        let argon2id = try #require(LegacyArgon2id.builtIn)
        for vector in try VectorFile<Vector>.load("crypto/argon2id-lanes.json").tests {
            let key = try argon2id.derive(
                from: SecretBytes(vector.password.bytes),
                salt: vector.salt.bytes,
                cost: LegacyArgon2id.Cost(memoryKiB: vector.memoryKiB, passes: vector.passes, lanes: vector.lanes)
            )
            #expect(key.exposed == vector.key.bytes, "\(vector.id)")
        }
    }

    @Test(.enabled(if: LegacyArgon2id.builtIn != nil, "this system has one lane only"))
    func `one lane gives what libsodium gives`() throws {
        let argon2id = try #require(LegacyArgon2id.builtIn)
        let password = SecretBytes(Array("280714".utf8))
        let salt = (0..<16).map { UInt8($0) }
        let ours = try Argon2id.derive(
            from: password,
            salt: salt,
            parameters: Argon2Parameters(memoryKiB: 256, passes: 2)
        )
        let theirs = try argon2id.derive(
            from: password,
            salt: salt,
            cost: LegacyArgon2id.Cost(memoryKiB: 256, passes: 2, lanes: 1)
        )
        #expect(ours.exposed == theirs.exposed)
    }

    @Test(
        arguments: [
            (0, 1, 1), (7, 1, 1), (31, 3, 4), (127, 1, 16), (262_145, 1, 4), (UInt32.max, 1, 4), (64, 0, 4),
            (64, 11, 4),
            (64, .max, 4), (64, 1, 0), (65_536, 1, 17), (65_536, 1, .max),
        ] as [(UInt32, UInt32, UInt32)]
    )
    func `a cost out of bounds is refused before anything runs`(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
        let cost = LegacyArgon2id.Cost(memoryKiB: memoryKiB, passes: passes, lanes: lanes)
        #expect(Self.refusal(of: cost, salt: [UInt8](repeating: 0, count: 16)) == .parametersOutOfRange)
    }

    @Test(arguments: [0, 7, 65, 4_096])
    func `a salt that no format has is refused before anything runs`(count: Int) {
        let cost = LegacyArgon2id.Cost(memoryKiB: 64, passes: 1, lanes: 4)
        #expect(Self.refusal(of: cost, salt: [UInt8](repeating: 0, count: count)) == .parametersOutOfRange)
    }

    @Test(arguments: [(8, 1, 1), (128, 10, 16), (262_144, 1, 4)] as [(UInt32, UInt32, UInt32)], [8, 64])
    func `the bounds themselves are allowed`(cost: (UInt32, UInt32, UInt32), saltByteCount: Int) throws {
        let cost = LegacyArgon2id.Cost(memoryKiB: cost.0, passes: cost.1, lanes: cost.2)
        let echo = LegacyArgon2id { (_, salt, given) throws(CryptoError) in
            #expect(given == cost && salt.count == saltByteCount)
            return SecretBytes([UInt8](repeating: 5, count: 32))
        }
        let salt = [UInt8](repeating: 0, count: saltByteCount)
        #expect(try echo.derive(from: SecretBytes([1]), salt: salt, cost: cost).byteCount == 32)
    }

    @Test(arguments: [0, 16, 31, 33, 64])
    func `a function that gives another number of bytes is not believed`(count: Int) {
        let wrong = LegacyArgon2id { (_, _, _) throws(CryptoError) in
            SecretBytes([UInt8](repeating: 5, count: count))
        }
        let error = cryptoError { () throws(CryptoError) in
            try wrong.derive(
                from: SecretBytes([1]),
                salt: [UInt8](repeating: 0, count: 16),
                cost: LegacyArgon2id.Cost(memoryKiB: 64, passes: 1, lanes: 4)
            )
        }
        #expect(error == .backendFailed)
    }

    private static func refusal(of cost: LegacyArgon2id.Cost, salt: [UInt8]) -> CryptoError? {
        let never = LegacyArgon2id { (_, _, _) throws(CryptoError) in
            Issue.record("ran")
            throw .backendFailed
        }
        return cryptoError { () throws(CryptoError) in
            try never.derive(from: SecretBytes([1]), salt: salt, cost: cost)
        }
    }
}
