// expect: 'init\(compressedRepresentation:\)' is only available in (iOS 16\.0|macOS 13\.0) or newer
import CryptoKit

func point(_ bytes: [UInt8]) throws -> P256.KeyAgreement.PublicKey {
    try P256.KeyAgreement.PublicKey(compressedRepresentation: bytes)
}
