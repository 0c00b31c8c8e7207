#if canImport(COpenSSL)
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules

/// The longest secret that a vault takes, sealed as a vault seals it and by bare EVP.
final class SealingOfOneMebibyte {
    private let masterKey = MasterKey.make()
    private let evp = RawEVP()
    private let secret = SecretBytes.random(byteCount: 1 << 20)
    private let plaintext = [UInt8](repeating: 5, count: 1 << 20)
    private let id = Identifier(high: 1, low: 2)

    func ours() throws {
        try secret.withBytes { bytes in
            _ = try masterKey.seal(bytes, kind: .opaque, wallet: id, vault: id)
        }
    }

    func bare() throws {
        _ = try evp.seal(plaintext, associatedData: id.bytes)
    }
}
#endif
