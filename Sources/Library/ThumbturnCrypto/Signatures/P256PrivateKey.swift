import ThumbturnRules

/// A private key for ECDSA on P-256 with SHA-256 in software: a device's own, if no chip keeps one.
///
/// Its public half and its signatures have the one form that `P256` accepts.
package struct P256PrivateKey: ~Copyable, Sendable {
    /// The length of a scalar in bytes.
    package static let byteCount = 32

    /// The order of the group, n: a scalar is below it.
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    private let scalar: SecretBytes
    /// SubjectPublicKeyInfo in DER, 91 bytes.
    package let publicKey: [UInt8]

    /// Makes a new key with the system's generator.
    ///
    /// - Throws: `CryptoError.backendFailed`.
    package static func make() throws(CryptoError) -> P256PrivateKey {
        // FIPS 186-5 §A.2.2: repeat until it is in range. Once in 2³² it is not; twice in a row means that the
        // generator is broken.
        for _ in 1...2 {
            let scalar = SecretBytes.random(byteCount: byteCount)
            if isInRange(scalar) { return try P256PrivateKey(scalar: scalar) }
        }
        throw .backendFailed
    }

    /// Takes ownership of a scalar that `make()` generated and a store returned, big-endian.
    ///
    /// - Throws: `CryptoError.malformed` for 0, for n and above, and for another length.
    package init(scalar: consuming SecretBytes) throws(CryptoError) {
        guard scalar.byteCount == Self.byteCount, Self.isInRange(scalar) else { throw .malformed }
        guard let point = withCleanStack({ P256Scalar.point(of: scalar) }) else { throw .backendFailed }
        publicKey = try P256.publicKey(of: point)
        self.scalar = scalar
    }

    /// Signs `message`, which is hashed here.
    ///
    /// - Returns: ECDSA-Sig-Value (RFC 3279 §2.2.3) in DER; each signature differs, since each uses a new random
    ///   number.
    /// - Throws: `CryptoError.backendFailed`.
    package borrowing func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature = withCleanStack { P256Scalar.signature(of: message, by: scalar) }
        guard let signature else { throw .backendFailed }
        return signature
    }

    /// Lends the scalar, to store it.
    package borrowing func withScalar<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try scalar.withBytes(body)
    }

    /// Whether a scalar of 32 bytes is at least 1 and below n; the time reveals nothing else.
    private static func isInRange(_ scalar: borrowing SecretBytes) -> Bool {
        scalar.withBytes { bytes in
            var (borrow, bits): (UInt16, UInt8) = (0, 0)
            for index in order.indices.reversed() {
                let byte = bytes.byte(at: index)
                bits |= byte
                borrow = (UInt16(byte) &- UInt16(order[index]) &- borrow) >> 8 & 1
            }
            return bits != 0 && borrow == 1
        }
    }
}
