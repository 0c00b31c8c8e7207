package import ThumbturnCrypto
package import ThumbturnRules

/// A mnemonic that another program sealed under a PIN or password: parsed, but not opened yet.
///
/// Neither format has a tag. Only the mnemonic's checksum shows that a PIN is right, and a change by an attacker who
/// can write the bytes may go undetected.
package struct LegacySealed: Sendable {
    /// The format.
    package let format: LegacyFormat

    // The salts to try, in order.
    let salts: [[UInt8]]
    // Empty if the derivation produces it.
    let initializationVector: [UInt8]
    let ciphertext: [UInt8]

    /// Recognises and parses a file or an item, without a key.
    ///
    /// - Parameter bytes: a `SecretBytes`, because unrecognised bytes may turn out to be a bare mnemonic.
    /// - Throws: `legacyMalformed` for bytes of no known format, cut short, or damaged; the diagnostic says which.
    ///   `legacyVersionUnknown` for versions other than 1 and 2.
    package init(reading bytes: borrowing SecretBytes) throws(VaultError) {
        self = try bytes.withBytes { (bytes) throws(VaultError) in try Self.parse(bytes) }
    }

    init(_ format: LegacyFormat, salts: [[UInt8]], initializationVector: [UInt8], ciphertext: [UInt8]) {
        self.format = format
        self.salts = salts
        self.initializationVector = initializationVector
        self.ciphertext = ciphertext
    }

    /// Opens the sealed data.
    ///
    /// Runs one derivation, and a second one if the first salt fails and the format leaves two possible.
    ///
    /// - Parameters:
    ///   - secret: the PIN or password, UTF-8.
    ///   - argon2id: the implementation for several lanes; `LegacyFormat.openSSL` needs none.
    ///   - kind: how to interpret the content: a mnemonic, or the bytes as they are.
    /// - Returns: the mnemonic's entropy, 16 to 32 bytes; or all of the content.
    /// - Throws: `legacySecretRefused` for a wrong PIN, and for bytes that nothing confirms. `legacyHoldsOther` for
    ///   anything but a mnemonic, and `legacyChecksumWrong` for a valid number of BIP-39 words: the PIN is right then.
    ///   `legacyVersionUnknown` for Argon2id when `argon2id` is nil. `storageUnavailable` when memory or a library
    ///   fails.
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
        // The padding is valid for one wrong PIN in 255; four bytes of it for one in 2^32, and text of that length is
        // no more likely.
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
