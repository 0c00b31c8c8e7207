package import ThumbturnCrypto
package import ThumbturnRules

/// A mnemonic as another program sealed it under a PIN or password: parsed, and not opened yet.
///
/// Neither format has a tag. That a PIN is right shows in the mnemonic's checksum alone, and a change by somebody who can
/// write the bytes may go unseen.
package struct LegacySealed: Sendable {
    /// How it is sealed.
    package let format: LegacyFormat

    // What the key may be derived with, in the order of trial.
    let salts: [[UInt8]]
    // Empty where the derivation gives one.
    let initializationVector: [UInt8]
    let ciphertext: [UInt8]

    /// Recognises and parses a file or an item, without a key.
    ///
    /// - Parameter bytes: a `SecretBytes`, because what is no such thing may turn out to be a bare mnemonic.
    /// - Throws: `legacyMalformed` for bytes of no known format, cut short, or damaged; the diagnostic says which.
    ///   `legacyVersionUnknown` for another version than 1 and 2.
    package init(reading bytes: borrowing SecretBytes) throws(VaultError) {
        self = try bytes.withBytes { (bytes) throws(VaultError) in try Self.parse(bytes) }
    }

    init(_ format: LegacyFormat, salts: [[UInt8]], initializationVector: [UInt8], ciphertext: [UInt8]) {
        self.format = format
        self.salts = salts
        self.initializationVector = initializationVector
        self.ciphertext = ciphertext
    }

    /// Opens it, with one derivation for a PIN that is right and, where the format leaves two salts open, two for one that
    /// is wrong.
    ///
    /// - Parameters:
    ///   - secret: the PIN or password, UTF-8.
    ///   - argon2id: what derives with several lanes; `LegacyFormat.openSSL` does without.
    ///   - kind: what it is taken for: a mnemonic, or the bytes as they are.
    /// - Returns: the mnemonic's entropy, 16 to 32 bytes; or all that is in it.
    /// - Throws: `legacySecretRefused` for a wrong PIN, and for bytes of which nothing tells whether they are right. `legacyHoldsOther`
    ///   for anything else than a mnemonic, and `legacyChecksumWrong` for as many words of BIP-39 as one has: the PIN is right.
    ///   `legacyVersionUnknown` for Argon2id where `argon2id` is nil. `storageUnavailable` when memory or a library fails.
    package func open(
        with secret: borrowing SecretBytes,
        argon2id: LegacyArgon2id? = .builtIn,
        as kind: WalletKind = .mnemonic
    ) throws(VaultError) -> SecretBytes {
        for salt in salts {
            do throws(VaultError) {
                return try contents(with: secret, salt, argon2id, as: kind)
            } catch {
                guard error.code == .legacySecretRefused else { throw error }
            }
        }
        throw VaultError(.legacySecretRefused)
    }

    private func contents(
        with secret: borrowing SecretBytes,
        _ salt: [UInt8],
        _ argon2id: LegacyArgon2id?,
        as kind: WalletKind
    ) throws(VaultError) -> SecretBytes {
        let key = try key(from: secret, salt, argon2id)
        let opened = try Self.reading { () throws(CryptoError) in try key.open(ciphertext) }
        if kind == .mnemonic, let entropy = try? Mnemonic.entropy(of: opened) { return entropy }
        let likeness = LegacyLikeness(of: opened)
        // A padding fits one wrong PIN in 255; four bytes of it fit one in 2^32, and text of that length comes no more often.
        guard likeness != .bytes || ciphertext.count - opened.byteCount >= 4 else {
            throw VaultError(.legacySecretRefused, "or what is in it is no text")
        }
        if kind != .mnemonic, opened.byteCount > 0 { return opened }
        if case .words(let count) = likeness, Mnemonic.WordCount(rawValue: count) != nil {
            throw VaultError(.legacyChecksumWrong)
        }
        throw VaultError(.legacyHoldsOther, likeness.text)
    }

    private func key(
        from secret: borrowing SecretBytes,
        _ salt: [UInt8],
        _ argon2id: LegacyArgon2id?
    ) throws(VaultError) -> LegacyKey {
        guard let cost = format.cost else {
            return try Self.reading { () throws(CryptoError) in try LegacyKey(digesting: secret, salt: salt) }
        }
        guard let argon2id else { throw VaultError(.legacyVersionUnknown, "no Argon2id with several lanes here") }
        return try Self.reading { () throws(CryptoError) in
            try LegacyKey(
                stretching: secret,
                salt: salt,
                cost: cost,
                by: argon2id,
                initializationVector: initializationVector
            )
        }
    }

    private static func reading<Result: ~Copyable>(
        _ body: () throws(CryptoError) -> Result
    ) throws(VaultError) -> Result {
        do {
            return try body()
        } catch {
            switch error {
            case .authenticationFailed: throw VaultError(.legacySecretRefused)
            case .malformed, .parametersOutOfRange: throw VaultError(.legacyMalformed, "\(error)")
            case .outOfMemory, .backendFailed: throw VaultError(.storageUnavailable, "crypto: \(error)")
            }
        }
    }
}
