// AES-GCM, HMAC and SHA-256 use one of two back ends, each of which defines the same internal types: `SHA256State`,
// `HMACState`, `GCMBackend` and `GCMOpening`, and for files older than the vault `CBCBackend` and `MD5State`. Both use
// libsodium (memory, randomness, Argon2id).
#if !canImport(CryptoKit) && !canImport(COpenSSL)
#error("ThumbturnCrypto needs CryptoKit, or OpenSSL through COpenSSL")
#endif

/// The lengths in bytes that both back ends have for AES-GCM (SP 800-38D §5.2.1).
enum GCMLengths {
    static let nonce = 12
    static let tag = 16
}
