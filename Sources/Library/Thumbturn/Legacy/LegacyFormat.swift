import ThumbturnCrypto

/// How other programs sealed a mnemonic under a PIN or password.
package enum LegacyFormat: Hashable, Sendable {
    /// The format of `openssl enc -aes-256-cbc -md md5` and CryptoJS: `Salted__` ‖ 8 bytes of salt ‖ ciphertext, raw or
    /// in base64 with or without line breaks.
    ///
    /// Key and initialisation vector are MD5 over PIN and salt.
    case openSSL
    /// A JSON object of `cipher` (base64), `iv` and `salt` (32 hexadecimal digits each) and `version`.
    ///
    /// The key is Argon2id over the PIN. The version determines the cost: 1, also without the field, is 32 MiB, 2
    /// passes and 6 lanes; 2 is 64 MiB, 3 passes and 4 lanes.
    case argon2(version: Int)

    /// The cost of one derivation; nil without a slow derivation, and for an unknown version.
    ///
    /// The version determines the cost, never a number in the file: an attacker can't raise or lower it.
    package var cost: LegacyArgon2id.Cost? {
        switch self {
        case .argon2(version: 1): LegacyArgon2id.Cost(memoryKiB: 32_768, passes: 2, lanes: 6)
        case .argon2(version: 2): LegacyArgon2id.Cost(memoryKiB: 65_536, passes: 3, lanes: 4)
        case .openSSL, .argon2: nil
        }
    }
}
