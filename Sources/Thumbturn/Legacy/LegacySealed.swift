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
    /// - Returns: the mnemonic's entropy, 16 to 32 bytes.
    /// - Throws: `legacySecretRefused` for a wrong PIN, and for anything inside that is not made of BIP-39's words, because
    ///   nothing tells the two apart. `legacyChecksumWrong` for words of BIP-39 that are no mnemonic: the PIN is right.
    ///   `legacyVersionUnknown` for Argon2id where `argon2id` is nil. `storageUnavailable` when memory or a library fails.
    package func open(
        with secret: borrowing SecretBytes,
        argon2id: LegacyArgon2id? = .builtIn
    ) throws(VaultError) -> SecretBytes {
        for salt in salts {
            do throws(VaultError) {
                return try entropy(with: secret, salt, argon2id)
            } catch {
                guard error.code == .legacySecretRefused else { throw error }
            }
        }
        throw VaultError(.legacySecretRefused)
    }

    private func entropy(
        with secret: borrowing SecretBytes,
        _ salt: [UInt8],
        _ argon2id: LegacyArgon2id?
    ) throws(VaultError) -> SecretBytes {
        let key = try key(from: secret, salt, argon2id)
        return try Self.entropy(of: Self.reading { () throws(CryptoError) in try key.open(ciphertext) })
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

    /// Lets the checksum decide, for a padding fits one wrong PIN in 255.
    private static func entropy(of text: borrowing SecretBytes) throws(VaultError) -> SecretBytes {
        do throws(VaultError) {
            return try Mnemonic.entropy(of: text)
        } catch {
            guard error.code == .mnemonicChecksumWrong || Mnemonic.isMadeOfWords(text) else {
                throw VaultError(.legacySecretRefused)
            }
            throw VaultError(.legacyChecksumWrong, error.diagnostic)
        }
    }
}

extension Mnemonic {
    /// Whether there are words, and all of them in the list, whatever their number.
    fileprivate static func isMadeOfWords(_ text: borrowing SecretBytes) -> Bool {
        text.withBytes { text in
            withCleanStack {
                var cursor = 0
                var found = false
                while let range = text.nextWord(from: &cursor) {
                    guard let word = MnemonicWords.pack(range, of: text), MnemonicWords.index(of: word) != nil else {
                        return false
                    }
                    found = true
                }
                return found
            }
        }
    }
}
