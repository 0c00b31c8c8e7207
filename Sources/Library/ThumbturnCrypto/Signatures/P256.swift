/// ECDSA on P-256 with SHA-256 (FIPS 186-5): the signatures of devices.
///
/// Keys and signatures come from outside. Only one form of each is accepted, so that none can be stored twice in two
/// forms; the underlying libraries would accept several.
package enum P256 {
    /// The bytes before the coordinates in RFC 5480's SubjectPublicKeyInfo: id-ecPublicKey, secp256r1, not compressed.
    static let keyPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
        0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
    private static let keyByteCount = keyPrefix.count + 64

    /// Verifies a signature.
    ///
    /// - Parameters:
    ///   - signature: ECDSA-Sig-Value (RFC 3279 §2.2.3) in DER.
    ///   - message: the signed bytes, which are hashed here.
    ///   - publicKey: SubjectPublicKeyInfo in DER, 91 bytes.
    /// - Throws: `CryptoError.malformed` for a key or a signature of another form, and for a point that is not on the curve;
    ///   `.authenticationFailed` for a signature that is not this key's over this message.
    package static func verify(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) throws(CryptoError) {
        let key = try key(publicKey)
        guard isDER(signature) else { throw .malformed }
        guard key.verifies(signature, of: message) else { throw .authenticationFailed }
    }

    /// Throws for a key that could verify nothing, before it is stored.
    ///
    /// - Throws: `CryptoError.malformed`, as `verify` does.
    package static func check(publicKey: [UInt8]) throws(CryptoError) { _ = try key(publicKey) }

    private static func key(_ publicKey: [UInt8]) throws(CryptoError) -> P256PublicKey {
        guard publicKey.count == keyByteCount, publicKey.starts(with: keyPrefix),
            let key = P256PublicKey(subjectPublicKeyInfo: publicKey)
        else { throw .malformed }
        return key
    }

    /// Whether this is a SEQUENCE of two INTEGERs in DER; the library checks their range.
    private static func isDER(_ signature: [UInt8]) -> Bool {
        var rest = signature[...]
        // 70 bytes at most, so the length is one byte.
        guard rest.popFirst() == 0x30, let count = rest.popFirst(), count == rest.count else { return false }
        return removeInteger(from: &rest) && removeInteger(from: &rest) && rest.isEmpty
    }

    /// Removes an INTEGER that is not negative, has at most 256 bits, and no superfluous leading byte.
    private static func removeInteger(from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.popFirst() == 0x02, let count = rest.popFirst(), (1...33).contains(count), rest.count >= count
        else { return false }
        let digits = Array(rest.prefix(Int(count)))
        rest.removeFirst(Int(count))
        let isNegative = digits[0] >= 0x80
        let isTooLong = digits.count > 1 && digits[0] == 0 && digits[1] < 0x80
        return !isNegative && !isTooLong
    }
}
