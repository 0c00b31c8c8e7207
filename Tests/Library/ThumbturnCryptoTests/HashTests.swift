import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct SHA256Tests {
    private struct Vector: Decodable {
        let id: String
        let message, digest: HexBytes
        let `repeat`: Int
    }

    @Test func `the FIPS 180-4 examples hold, whole and in pieces`() throws {
        for vector in try VectorFile<Vector>.load("crypto/sha256-fips180.json").tests {
            let message = Array(repeatElement(vector.message.bytes, count: vector.repeat).joined())
            #expect(SHA256.digest(message) == vector.digest.bytes, "\(vector.id)")
            #expect(SecretBytes(message).withBytes { SHA256.digest($0) } == vector.digest.bytes, "\(vector.id)")
            var hasher = SHA256.Hasher()
            for start in stride(from: 0, to: message.count, by: 37) {
                hasher.update(Array(message[start..<min(start + 37, message.count)]))
            }
            #expect(hasher.finalize() == vector.digest.bytes, "\(vector.id)")
        }
    }

    @Test func `several parts hash like their concatenation`() {
        #expect(SHA256.digest([1, 2], [], [3]) == SHA256.digest([1, 2, 3]))
        #expect(SHA256.digest() == SHA256.digest([]))
    }
}

@Suite struct HMACSHA256Tests {
    private struct Vector: Decodable {
        let id: String
        let key, message, tag: HexBytes
    }

    private struct Group: WycheproofGroup {
        struct Case: Decodable {
            let tcId: Int
            let key, msg, tag: HexBytes
            let result: String
        }
        let tagSize: Int
        let tests: [Case]
    }

    @Test func `the RFC 4231 cases hold`() throws {
        for vector in try VectorFile<Vector>.load("crypto/hmac-rfc4231.json").tests {
            let tag = HMACSHA256.tag(vector.message.bytes, key: SecretBytes(vector.key.bytes))
            #expect(Array(tag.prefix(vector.tag.bytes.count)) == vector.tag.bytes, "\(vector.id)")
        }
    }

    @Test(.enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"))
    func `Wycheproof agrees on all 174 cases`() throws {
        for group in try WycheproofFile<Group>.load("hmac_sha256_test.json", count: 174).testGroups {
            for test in group.tests {
                let tag = HMACSHA256.tag(test.msg.bytes, key: SecretBytes(test.key.bytes))
                let agrees = Array(tag.prefix(group.tagSize / 8)) == test.tag.bytes
                #expect(agrees == (test.result == "valid"), "case \(test.tcId)")
                guard group.tagSize == 256 else { continue }
                let error = cryptoError { () throws(CryptoError) in
                    try HMACSHA256.verify(test.tag.bytes, of: test.msg.bytes, key: SecretBytes(test.key.bytes))
                }
                #expect(error == (test.result == "valid" ? nil : .authenticationFailed), "case \(test.tcId)")
            }
        }
    }

    @Test func `any flipped bit of a tag, and any other length, fails`() {
        let key = SecretBytes.random(byteCount: 32)
        let tag = HMACSHA256.tag([1, 2, 3], key: key)
        #expect(cryptoError { () throws(CryptoError) in try HMACSHA256.verify(tag, of: [1, 2, 3], key: key) } == nil)
        var forged = (0..<256).map { bit in
            var flipped = tag
            flipped[bit / 8] ^= 1 << (bit % 8)
            return flipped
        }
        forged += [[], Array(tag.dropLast()), tag + [0]]
        for tag in forged {
            let error = cryptoError { () throws(CryptoError) in
                try HMACSHA256.verify(tag, of: [1, 2, 3], key: key)
            }
            #expect(error == .authenticationFailed)
        }
    }

    @Test func `an empty key is a key`() {
        // HMAC pads keys with zeros, so these two must agree.
        #expect(HMACSHA256.tag([1], key: SecretBytes([])) == HMACSHA256.tag([1], key: SecretBytes([0, 0])))
    }
}

@Suite struct HKDFSHA256Tests {
    private struct Vector: Decodable {
        let id: String
        let ikm, salt, info, okm: HexBytes
        let byteCount: Int
    }

    private struct Group: WycheproofGroup {
        struct Case: Decodable {
            let tcId, size: Int
            let ikm, salt, info, okm: HexBytes
            let result: String
        }
        let tests: [Case]
    }

    @Test func `the RFC 5869 cases hold`() throws {
        for vector in try VectorFile<Vector>.load("crypto/hkdf-rfc5869.json").tests {
            let output = try HKDFSHA256.derive(
                from: SecretBytes(vector.ikm.bytes),
                salt: vector.salt.bytes,
                info: vector.info.bytes,
                byteCount: vector.byteCount
            )
            #expect(output.exposed == vector.okm.bytes, "\(vector.id)")
        }
    }

    @Test(.enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"))
    func `Wycheproof agrees on all 86 cases`() throws {
        for test in try WycheproofFile<Group>.load("hkdf_sha256_test.json", count: 86).testGroups.flatMap(\.tests) {
            var output: [UInt8] = []
            let error = cryptoError { () throws(CryptoError) in
                output = try HKDFSHA256.derive(
                    from: SecretBytes(test.ikm.bytes),
                    salt: test.salt.bytes,
                    info: test.info.bytes,
                    byteCount: test.size
                ).exposed
            }
            #expect(error == (test.result == "valid" ? nil : .parametersOutOfRange), "case \(test.tcId)")
            #expect(output == (test.result == "valid" ? test.okm.bytes : []), "case \(test.tcId)")
        }
    }

    @Test(arguments: [Int.min, -1, 0, 8161, .max])
    func `an impossible length is refused`(byteCount: Int) {
        let error = cryptoError { () throws(CryptoError) in
            try HKDFSHA256.derive(from: .random(byteCount: 32), salt: [], info: [], byteCount: byteCount)
        }
        #expect(error == .parametersOutOfRange)
    }

    @Test func `an info of any length works`() throws {
        let key = SecretBytes.random(byteCount: 32)
        let long = try HKDFSHA256.derive(from: key, salt: [], info: [UInt8](repeating: 1, count: 100_000))
        #expect(long.byteCount == 32)
    }
}
