import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct Ed25519PrivateKeyTests {
    // RFC 8032 §7.1, tests 1 and 2: seed, public key, message, signature.
    private static let vectors: [(seed: String, publicKey: String, message: String, signature: String)] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ]

    private static func bytes(_ text: String) throws -> [UInt8] {
        try #require(TextCode.hexadecimal.decode(Array(text.utf8)))
    }

    @Test func `it signs as RFC 8032 does`() throws {
        for vector in Self.vectors {
            let key = try Ed25519PrivateKey(seed: SecretBytes(Self.bytes(vector.seed)))
            #expect(key.publicKey == (try Self.bytes(vector.publicKey)))
            #expect(key.sign(try Self.bytes(vector.message)) == (try Self.bytes(vector.signature)))
        }
    }

    @Test func `each new key is another`() throws {
        let a = try Ed25519PrivateKey.make()
        let b = try Ed25519PrivateKey.make()
        #expect(a.publicKey != b.publicKey && a.sign([1]) != b.sign([1]) && a.sign([1]) == a.sign([1]))
    }

    @Test(arguments: [0, 31, 33, 64]) func `a seed of another length is malformed`(count: Int) {
        let error = cryptoError { () throws(CryptoError) in
            try Ed25519PrivateKey(seed: SecretBytes([UInt8](repeating: 7, count: count)))
        }
        #expect(error == .malformed)
    }
}
