import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct P256Tests {
    private struct Vector: Decodable {
        let id: String
        let message, publicKey, signature: HexBytes
    }

    private struct Group: WycheproofGroup {
        struct Case: Decodable {
            let tcId: Int
            let msg, sig: HexBytes
            let result: String
        }
        let publicKeyDer: HexBytes
        let tests: [Case]
    }

    private static func vectors() throws -> [Vector] {
        try VectorFile<Vector>.load("crypto/ecdsa-p256-rfc6979.json").tests
    }

    private static func error(_ signature: [UInt8], _ message: [UInt8], _ publicKey: [UInt8]) -> CryptoError? {
        cryptoError { () throws(CryptoError) in
            try P256.verify(signature: signature, of: message, publicKey: publicKey)
        }
    }

    @Test func `the RFC 6979 cases hold`() throws {
        for vector in try Self.vectors() {
            let error = Self.error(vector.signature.bytes, vector.message.bytes, vector.publicKey.bytes)
            #expect(error == nil, "\(vector.id)")
        }
    }

    @Test(.enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"))
    func `Wycheproof agrees on all 484 cases`() throws {
        var valid = 0
        for group in try WycheproofFile<Group>.load("ecdsa_secp256r1_sha256_test.json", count: 484).testGroups {
            for test in group.tests {
                let error = Self.error(test.sig.bytes, test.msg.bytes, group.publicKeyDer.bytes)
                #expect((error == nil) == (test.result == "valid"), "case \(test.tcId)")
                valid += test.result == "valid" ? 1 : 0
            }
        }
        #expect(valid == 174)
    }

    @Test func `any flipped bit of message, signature or key fails`() throws {
        let vector = try Self.vectors()[0]
        let original = [vector.signature.bytes, vector.message.bytes, vector.publicKey.bytes]
        for input in original.indices {
            for bit in 0..<(original[input].count * 8) {
                var inputs = original
                inputs[input][bit / 8] ^= 1 << (bit % 8)
                #expect(Self.error(inputs[0], inputs[1], inputs[2]) != nil, "input \(input), bit \(bit)")
            }
        }
    }

    @Test func `a signature of another key, or over another message, is refused as such`() throws {
        let vectors = try Self.vectors()
        let error = Self.error(vectors[0].signature.bytes, vectors[1].message.bytes, vectors[0].publicKey.bytes)
        #expect(error == .authenticationFailed)
    }

    @Test func `r and s of 0 are signatures of nothing`() throws {
        let vector = try Self.vectors()[0]
        let zeros: [UInt8] = [0x30, 6, 2, 1, 0, 2, 1, 0]
        #expect(Self.error(zeros, vector.message.bytes, vector.publicKey.bytes) == .authenticationFailed)
    }

    @Test func `a signature that is BER, cut, long or of another form is malformed`() throws {
        let vector = try Self.vectors()[0]
        let signature = vector.signature.bytes
        // 30 46 · 02 21 00 r · 02 21 00 s
        let (r, s) = (Array(signature[2..<37]), Array(signature[37...]))
        let forms: [[UInt8]] = [
            [], [0x30], [0x30, 0], Array(signature.dropLast()), signature + [0],
            [0x30, 0x81, 0x46] + r + s, [0x30, 0x80] + r + s + [0, 0], [0x31, 0x46] + r + s,
            [0x30, 0x47] + [2, 0x22, 0] + r[2...] + s, [0x30, 0x45] + [2, 0x20] + r[3...] + s,
            [0x30, 0x47] + [2, 0x81, 0x21] + r[2...] + s, [0x30, 0x23] + r, [0x30, 0x69] + r + s + s,
            [0x30, 0x46] + [3, 0x21] + r[2...] + s, [0x30, 0x25] + [2, 0] + s, Array(r[3...] + s[3...]),
        ]
        for form in forms {
            #expect(Self.error(form, vector.message.bytes, vector.publicKey.bytes) == .malformed, "\(form)")
        }
    }

    @Test func `a key that is compressed, hybrid, bare, on another curve or off its curve is malformed`() throws {
        let vector = try Self.vectors()[0]
        let key = vector.publicKey.bytes
        let point = Array(key[26...])
        let y = point[64]
        let x: [UInt8] = Array(point[1..<33])
        let compressed: [UInt8] = [
            0x30, 0x39, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
            0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x22, 0x00, 2 + (y & 1),
        ]
        var secp256k1 = Array(key[..<10])
        secp256k1[1] = 0x56
        secp256k1[3] = 0x10
        secp256k1 += [0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a] + key[23...]
        let forms: [[UInt8]] = [
            [], point, Array(point[1...]), compressed + x, key + [0], Array(key.dropLast()), secp256k1,
            Array(key[..<26]) + [6 + (y & 1)] + point[1...], Array(key.dropLast()) + [y ^ 1],
            Array(key[..<27]) + [UInt8](repeating: 0, count: 64), Array(key[..<26]) + [0],
            Array(key[..<27]) + [UInt8](repeating: 0xFF, count: 64),
        ]
        for form in forms {
            #expect(Self.error(vector.signature.bytes, vector.message.bytes, form) == .malformed, "\(form)")
            #expect(cryptoError { () throws(CryptoError) in try P256.check(publicKey: form) } == .malformed)
        }
        #expect(cryptoError { () throws(CryptoError) in try P256.check(publicKey: key) } == nil)
    }
}
