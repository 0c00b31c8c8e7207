// The one form of our own keys and signatures, made by software or by a chip, which only returns numbers.
extension P256 {
    /// Encodes a public key as SubjectPublicKeyInfo.
    ///
    /// - Parameter point: in uncompressed X9.63 form: 65 bytes, the first of them 4.
    /// - Throws: `CryptoError.malformed` for another form, and for a point that is not on the curve.
    package static func publicKey(of point: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard point.first == keyPrefix.last else { throw .malformed }
        let publicKey = keyPrefix.dropLast() + point
        try check(publicKey: publicKey)
        return publicKey
    }

    /// Encodes a signature in DER.
    ///
    /// - Parameters:
    ///   - r: a big-endian number, with any leading zeros.
    ///   - s: likewise.
    /// - Throws: `CryptoError.malformed` for 0, and for more than 256 bits.
    package static func signature(r: [UInt8], s: [UInt8]) throws(CryptoError) -> [UInt8] {
        let body = try integer(r) + integer(s)
        return [0x30, UInt8(body.count)] + body
    }

    private static func integer(_ number: [UInt8]) throws(CryptoError) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        guard let first = digits.first, digits.count <= 32 else { throw .malformed }
        let sign: [UInt8] = first >= 0x80 ? [0] : []
        return [0x02, UInt8(sign.count + digits.count)] + sign + digits
    }
}
