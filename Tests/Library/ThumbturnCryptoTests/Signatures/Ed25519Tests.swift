import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct Ed25519Tests {
    private struct Vector: Decodable {
        let id: String
        let seed, publicKey, message, signature: HexBytes
    }

    private struct Group: WycheproofGroup {
        struct Key: Decodable {
            let pk: HexBytes
        }
        struct Case: Decodable {
            let tcId: Int
            let msg, sig: HexBytes
            let result: String
        }
        let publicKey: Key
        let tests: [Case]
    }

    private static func vectors() throws -> [Vector] {
        try VectorFile<Vector>.load("crypto/ed25519-rfc8032.json").tests
    }

    private static func error(_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> CryptoError? {
        cryptoError { () throws(CryptoError) in
            try Ed25519.verify(signature: signature, of: message, publicKey: publicKey)
        }
    }

    @Test func `the RFC 8032 cases hold, signed and verified`() throws {
        for vector in try Self.vectors() {
            let key = try Ed25519PrivateKey(seed: SecretBytes(vector.seed.bytes))
            #expect(key.publicKey == vector.publicKey.bytes, "\(vector.id)")
            #expect(key.sign(vector.message.bytes) == vector.signature.bytes, "\(vector.id)")
            #expect(
                Self.error(vector.signature.bytes, vector.message.bytes, vector.publicKey.bytes) == nil,
                "\(vector.id)"
            )
        }
    }

    @Test(.enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"))
    func `Wycheproof agrees on all 151 cases`() throws {
        var valid = 0
        for group in try WycheproofFile<Group>.load("ed25519_test.json", count: 151).testGroups {
            for test in group.tests {
                let error = Self.error(test.sig.bytes, test.msg.bytes, group.publicKey.pk.bytes)
                #expect((error == nil) == (test.result == "valid"), "case \(test.tcId)")
                valid += test.result == "valid" ? 1 : 0
            }
        }
        #expect(valid == 88)
    }

    @Test func `any flipped bit of message, signature or key fails`() throws {
        let vector = try Self.vectors()[2]
        let original = [vector.signature.bytes, vector.message.bytes, vector.publicKey.bytes]
        for input in original.indices {
            for bit in 0..<(original[input].count * 8) {
                var inputs = original
                inputs[input][bit / 8] ^= 1 << (bit % 8)
                #expect(
                    Self.error(inputs[0], inputs[1], inputs[2]) == .authenticationFailed,
                    "input \(input), bit \(bit)"
                )
            }
        }
    }

    @Test func `a key or a signature of another length is malformed, and a key of small order verifies nothing`() throws
    {
        let vector = try Self.vectors()[1]
        let (signature, message, key) = (vector.signature.bytes, vector.message.bytes, vector.publicKey.bytes)
        for wrong in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(Self.error(wrong, message, key) == .malformed)
        }
        for wrong in [[], Array(key.dropLast()), key + [0]] {
            #expect(Self.error(signature, message, wrong) == .malformed)
        }
        let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        #expect(Self.error(neutral + [UInt8](repeating: 0, count: 32), message, neutral) == .authenticationFailed)
    }
}
