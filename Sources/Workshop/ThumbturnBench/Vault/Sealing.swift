import Thumbturn
import ThumbturnCrypto
import ThumbturnRules

/// A secret, sealed as a vault seals it and by bare EVP.
final class Sealing {
    private let masterKey = MasterKey.make()
    private let evp = RawEVP()
    private let secret: SecretBytes
    private let plaintext: [UInt8]
    private let id = Identifier(high: 1, low: 2)

    init(byteCount: Int) {
        secret = .random(byteCount: byteCount)
        plaintext = [UInt8](repeating: 5, count: byteCount)
    }

    func ours() throws {
        try secret.withBytes { bytes in
            _ = try masterKey.seal(bytes, kind: .opaque, wallet: id, vault: id)
        }
    }

    func bare() throws { _ = try evp.seal(plaintext, associatedData: id.bytes) }

    /// Seals with bare EVP, including the derivation of the key, which a long secret hides.
    func bareWithKey() throws {
        try evp.derive()
        try bare()
    }
}
