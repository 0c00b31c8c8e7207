import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct PKCS8Tests {
    // RFC 8410 §10.3.
    private static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
        -----END PRIVATE KEY-----

        """
    private static let ed25519PublicKey = "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"

    private static func p256(_ text: [UInt8]) throws -> [UInt8] {
        let text = SecretBytes(text)
        return try text.withBytes { bytes throws(PKCS8.Fault) in try P256PrivateKey.reading(pem: bytes) }.publicKey
    }

    private static func ed25519(_ text: [UInt8]) throws -> [UInt8] {
        let text = SecretBytes(text)
        return try text.withBytes { bytes throws(PKCS8.Fault) in try Ed25519PrivateKey.reading(pem: bytes) }.publicKey
    }

    private static func text(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    private static func pem(_ contents: [UInt8]) -> [UInt8] { PEM.text(contents, labelled: "PRIVATE KEY") }

    /// The contents of a key's text.
    private static func contents(_ text: [UInt8]) throws -> [UInt8] {
        try #require(PEM.contents(labelled: "PRIVATE KEY", in: text).first)
    }

    @Test func `RFC 8410's example is read, and written in the same bytes`() throws {
        let publicKey = try Self.ed25519(Array(Self.ed25519.utf8))
        #expect(publicKey == TextCode.hexadecimal.decode(Array(Self.ed25519PublicKey.utf8)))
        let text = SecretBytes(Array(Self.ed25519.utf8))
        let key = try text.withBytes { bytes throws(PKCS8.Fault) in try Ed25519PrivateKey.reading(pem: bytes) }
        #expect(Self.text(key.pem()) == Array(Self.ed25519.utf8))
    }

    @Test func `a key that was written is read as the same key`() throws {
        for _ in 1...20 {
            let key = try P256PrivateKey.make()
            let text = Self.text(key.pem())
            #expect(try Self.p256(text) == key.publicKey && text.count == 241)
            #expect(try Self.contents(text).suffix(65) == key.publicKey.suffix(65))
        }
    }

    @Test func `text around a key, other line ends and blanks are let pass`() throws {
        let key = try P256PrivateKey.make()
        let text = String(decoding: Self.text(key.pem()), as: UTF8.self)
        let certificate = "-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n"
        for other in [
            "Bag Attributes\n" + text, certificate + text + certificate, text.replacing("\n", with: "\r\n"),
            text.replacing("\n", with: "\n\n"), String(text.dropLast()),
            text.replacing("MIGH", with: " MIGH\t"),
        ] {
            #expect(try Self.p256(Array(other.utf8)) == key.publicKey, "\(other.utf8.count)")
        }
    }

    @Test func `what RFC 5958 and RFC 5915 leave to choice is read`() throws {
        let key = try P256PrivateKey.make()
        let whole = try Self.contents(Self.text(key.pem()))
        let scalar = Array(whole[36..<68])
        let curve: [UInt8] = [0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]
        let algorithm: [UInt8] = [0x30, 19, 0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1] + curve
        func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
            contents.count < 0x80
                ? [tag, UInt8(contents.count)] + contents
                : contents.count < 0x100
                    ? [tag, 0x81, UInt8(contents.count)] + contents
                    : [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xFF)] + contents
        }
        let parameters = element(0xa0, curve)
        let attributes = element(0xa0, [UInt8](repeating: 0, count: 300))
        for (inside, behind) in [
            ([], []), (parameters, []), (parameters, attributes), (Array(whole.suffix(70)), attributes),
        ] as [([UInt8], [UInt8])] {
            let inner = element(0x30, [0x02, 1, 1] + element(0x04, scalar) + inside)
            for version: UInt8 in [0, 1] {
                let outer = element(0x30, [0x02, 1, version] + algorithm + element(0x04, inner) + behind)
                #expect(try Self.p256(Self.pem(outer)) == key.publicKey)
            }
            let newer = element(0x30, [0x02, 1, 2] + algorithm + element(0x04, inner) + behind)
            #expect(throws: PKCS8.Fault.malformed) { try Self.p256(Self.pem(newer)) }
        }
        // RFC 8410 §7: version 1 with the public key behind the seed.
        let seed = try Self.contents(Array(Self.ed25519.utf8)).dropFirst(5)
        let publicKey = try #require(TextCode.hexadecimal.decode(Array(Self.ed25519PublicKey.utf8)))
        let both = element(0x30, [0x02, 1, 1] + seed + element(0x81, [0] + publicKey))
        #expect(try Self.ed25519(Self.pem(both)) == publicKey)
        let other = element(0x30, [0x02, 1, 1] + seed + element(0x81, [0] + publicKey.reversed()))
        #expect(throws: PKCS8.Fault.malformed) { try Self.ed25519(Self.pem(other)) }
    }

    @Test func `a public half of another key, and a number that is none, are damage`() throws {
        let a = try P256PrivateKey.make()
        let b = try P256PrivateKey.make()
        let (first, second) = (try Self.contents(Self.text(a.pem())), try Self.contents(Self.text(b.pem())))
        let mixed = Array(first.prefix(68) + second.dropFirst(68))
        #expect(throws: PKCS8.Fault.malformed) { try Self.p256(Self.pem(mixed)) }
        for scalar in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32)] {
            let wrong = Array(first.prefix(36) + scalar + first.dropFirst(68))
            #expect(throws: PKCS8.Fault.malformed) { try Self.p256(Self.pem(wrong)) }
        }
    }

    @Test func `no prefix of a key, and no other bit in it, is the same key`() throws {
        let key = try P256PrivateKey.make()
        let whole = try Self.contents(Self.text(key.pem()))
        for count in 0..<whole.count {
            #expect(throws: PKCS8.Fault.malformed) { try Self.p256(Self.pem(Array(whole.prefix(count)))) }
        }
        #expect(throws: PKCS8.Fault.malformed) { try Self.p256(Self.pem(whole + [0])) }
        // Either version is read, whatever follows.
        for bit in 0..<8 * whole.count where bit != 40 {
            var changed = whole
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: PKCS8.Fault.self, "bit \(bit)") { try Self.p256(Self.pem(changed)) }
        }
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY-----\n",
        ed25519 + ed25519, "-----BEGIN PRIVATE KEY-----\n" + ed25519, ed25519 + "-----END PRIVATE KEY-----\n",
        ed25519.replacing("MC4CAQ", with: "MC4CA?"), ed25519.replacing("-----END PRIVATE", with: "-----END PUBLIC"),
        "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n",
    ])
    func `a text without one whole key is damaged`(text: String) {
        #expect(throws: PKCS8.Fault.malformed) { try Self.ed25519(Array(text.utf8)) }
    }

    @Test func `a key of another kind, in another form or encrypted is told from damage`() throws {
        let p256 = Self.text(try P256PrivateKey.make().pem())
        #expect(throws: PKCS8.Fault.otherKind) { try Self.ed25519(p256) }
        #expect(throws: PKCS8.Fault.otherKind) { try Self.p256(Array(Self.ed25519.utf8)) }
        for label in ["EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "PUBLIC KEY"] {
            #expect(throws: PKCS8.Fault.otherKind) { try Self.p256(PEM.text([1, 2, 3], labelled: label)) }
        }
    }
}
