// The stack below AES-GCM, HMAC and SHA-256 is one of two, and each file gives the same internal types: `SHA256State`,
// `HMACState`, `GCMBackend` and `GCMOpening`, and for what was sealed before there was a vault `CBCBackend` and `MD5State`.
// libsodium (memory, randomness, Argon2id) is common to both.
#if !canImport(CryptoKit) && !canImport(COpenSSL)
#error("ThumbturnCrypto needs CryptoKit, or OpenSSL through COpenSSL")
#endif
