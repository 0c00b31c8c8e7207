import ThumbturnCrypto

/// What the service asks of a device's key.
package enum DeviceKey {
    /// The one algorithm there is, as clients name it.
    package static let algorithm = "ecdsa-p256-sha256"
    /// The bytes of its SubjectPublicKeyInfo with the point uncompressed.
    package static let byteCount = 91
    /// How many bytes its signatures have as DER, the shortest that there can be included.
    package static let signatureByteCounts = 8...72
    /// A signature of the right form that is no key's.
    private static let noSignature: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]
    /// How many devices an account may list: all stand in one answer.
    package static let mostListed = 100
    /// How long a nonce is remembered; a contact that is played again later learns the account's epoch, and no more.
    package static let nonceMinutes: Int64 = 60

    /// Whether these bytes are a key: of the right form, and with a point of the curve.
    package static func isKey(_ publicKey: [UInt8]) -> Bool {
        do throws(CryptoError) { try P256.verify(signature: noSignature, of: [], publicKey: publicKey) } catch {
            return error == .authenticationFailed
        }
        return true
    }
}
