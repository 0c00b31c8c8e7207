import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct P256PrivateKeyTests {
    // RFC 6979 A.2.5.
    private static let scalar: [UInt8] = [
        0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21, 0x57, 0x67, 0xb1, 0xd6, 0x93,
        0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8, 0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21,
    ]
    // n, FIPS 186-5 by way of SP 800-186 §3.2.1.3.
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    private struct Vector: Decodable {
        let publicKey: HexBytes
    }

    /// Twenty keys, and one whose bytes are known.
    private static func keys(_ body: (borrowing P256PrivateKey) throws -> Void) throws {
        for _ in 1...20 { try body(.make()) }
        try body(P256PrivateKey(scalar: SecretBytes(scalar)))
    }

    /// The order, or a number close to it.
    private static func order(_ difference: Int) -> [UInt8] {
        order.dropLast() + [UInt8(Int(order[31]) + difference)]
    }

    @Test func `the public half is the one that RFC 6979 gives`() throws {
        let vectors = try VectorFile<Vector>.load("crypto/ecdsa-p256-rfc6979.json").tests
        let key = try P256PrivateKey(scalar: SecretBytes(Self.scalar))
        #expect(key.publicKey == vectors[0].publicKey.bytes)
    }

    @Test func `a signature verifies under its key, over its message, and nowhere else`() throws {
        let stranger = try P256PrivateKey.make()
        try Self.keys { key in
            for count in [0, 1, 63, 64, 65, 1_000] {
                let message = RandomBytes.make(count)
                let signature = try key.sign(message)
                try P256.verify(signature: signature, of: message, publicKey: key.publicKey)
                #expect(throws: CryptoError.authenticationFailed) {
                    try P256.verify(signature: signature, of: message + [0], publicKey: key.publicKey)
                }
                #expect(throws: CryptoError.authenticationFailed) {
                    try P256.verify(signature: signature, of: message, publicKey: stranger.publicKey)
                }
            }
        }
    }

    @Test func `a key that was kept and taken back is the same key`() throws {
        try Self.keys { key in
            let kept = key.withScalar { SecretBytes(copying: $0) }
            #expect(kept.byteCount == P256PrivateKey.byteCount)
            let again = try P256PrivateKey(scalar: kept)
            #expect(again.publicKey == key.publicKey)
            try P256.verify(signature: again.sign([1, 2, 3]), of: [1, 2, 3], publicKey: key.publicKey)
        }
    }

    @Test func `0, the order and above, and another length are malformed; 1 and the order less 1 are not`() {
        let zero = [UInt8](repeating: 0, count: 32)
        let refused: [[UInt8]] = [
            [], zero, Self.order(0), Self.order(1), [UInt8](repeating: 0xFF, count: 32), Array(Self.scalar.dropLast()),
            Self.scalar + [0], [0] + Self.scalar, [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + zero.dropFirst(8),
        ]
        for scalar in refused {
            let error = cryptoError { () throws(CryptoError) in try P256PrivateKey(scalar: SecretBytes(scalar)) }
            #expect(error == .malformed, "\(scalar)")
        }
        for scalar in [zero.dropLast() + [1], [1] + zero.dropLast(), Self.order(-1)] {
            let error = cryptoError { () throws(CryptoError) in
                let key = try P256PrivateKey(scalar: SecretBytes(scalar))
                try P256.verify(signature: key.sign([9]), of: [9], publicKey: key.publicKey)
            }
            #expect(error == nil, "\(scalar)")
        }
    }

    @Test func `numbers of a chip become the signature that they are, whatever zeros lead them`() throws {
        let ones = [UInt8](repeating: 0xFF, count: 32)
        let cases: [(r: [UInt8], s: [UInt8], signature: [UInt8])] = [
            ([1], [0, 0x7F], [0x30, 6, 2, 1, 1, 2, 1, 0x7F]),
            ([0x80], [0, 0, 0x80, 0], [0x30, 9, 2, 2, 0, 0x80, 2, 3, 0, 0x80, 0]),
            (ones, [0] + ones, [0x30, 70, 2, 33, 0] + ones + [2, 33, 0] + ones),
        ]
        for (r, s, signature) in cases {
            #expect(try P256.signature(r: r, s: s) == signature)
        }
        for refused in [[], [0], [0, 0], [1] + ones] {
            #expect(throws: CryptoError.malformed) { try P256.signature(r: refused, s: [1]) }
            #expect(throws: CryptoError.malformed) { try P256.signature(r: [1], s: refused) }
        }
    }

    @Test func `a point is a public key in its one form, unless it is none`() throws {
        let key = try P256PrivateKey.make()
        let point = Array(key.publicKey[26...])
        #expect(try P256.publicKey(of: point) == key.publicKey)
        let refused: [[UInt8]] = [
            [], Array(point[1...]), [2] + point[1..<33], [6] + point[1...], point + [0], Array(point.dropLast()),
            [4] + [UInt8](repeating: 0, count: 64), point.dropLast() + [point[64] ^ 1],
        ]
        for point in refused {
            #expect(throws: CryptoError.malformed) { try P256.publicKey(of: point) }
        }
    }
}
