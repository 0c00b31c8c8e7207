import ThumbturnCrypto

/// The service's requirements for a device's key.
package enum DeviceKey {
    /// The only algorithm, as clients name it.
    package static let algorithm = "ecdsa-p256-sha256"
    /// The size of its SubjectPublicKeyInfo with an uncompressed point.
    package static let byteCount = 91
    /// The possible sizes of its signatures in DER.
    package static let signatureByteCounts = 8...72
    /// A well-formed signature that no key produces.
    private static let noSignature: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]
    /// The maximum number of listed devices per account: all of them fit in one answer.
    package static let mostListed = 100
    /// How long a nonce is remembered; a contact replayed after that reveals the account's epoch, and no more.
    package static let nonceMinutes: Int64 = 60

    /// Returns whether these bytes are a key: well-formed, with a point on the curve.
    package static func isKey(_ publicKey: [UInt8]) -> Bool {
        do throws(CryptoError) { try P256.verify(signature: noSignature, of: [], publicKey: publicKey) } catch {
            return error == .authenticationFailed
        }
        return true
    }
}
