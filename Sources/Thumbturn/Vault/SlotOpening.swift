import ThumbturnCrypto
@_spi(OpenedEnvelope) import ThumbturnRules

/// What opens a slot, held only while it is being opened.
enum SlotSecret: ~Copyable {
    /// The PIN or password.
    case local(LocalSecret)
    /// What the gated read released.
    case biometric(RandomSecret)
    /// The recovery key.
    case recovery(RandomSecret)
    /// What the system released to its owner.
    case system(RandomSecret)
}

/// A PIN or password as it was typed, and what the device contributes.
struct LocalSecret: ~Copyable {
    let typed: SecretBytes
    let deviceShare: SecretBytes
}

// The one place where an `UnlockProof` is made: right after an envelope opened and the key's name matched.
extension SlotRecord {
    /// Vouches that this slot opened: `session` holds the key that was in it.
    func proof(of session: Session, integrity: VaultIntegrity) -> UnlockProof {
        UnlockProof(opened: kind, integrity: session.vault == vault ? integrity : .tampered)
    }

    /// Opens the slot.
    ///
    /// - Returns: nil when the secret is wrong or the slot was changed: one answer on purpose.
    /// - Throws: `.vaultDamaged` for a cost out of bounds, before anything is computed (A4, A5); `.storageUnavailable`
    ///   when memory runs out. Neither says anything about the secret.
    func open(with secret: borrowing SlotSecret, limits: Argon2Limits) throws(VaultError) -> MasterKey? {
        let header = try header
        do {
            return try withCleanStack { () throws(CryptoError) in
                try keyEncryptionKey(from: secret, limits: limits).unwrap(box, associatedData: header)
            }
        } catch .authenticationFailed {
            return nil
        } catch {
            throw VaultError(error)
        }
    }

    /// Derives the slot's key; the slow derivation runs here and nowhere else.
    func keyEncryptionKey(
        from secret: borrowing SlotSecret,
        limits: Argon2Limits
    ) throws(CryptoError) -> KeyEncryptionKey {
        switch secret {
        case .local(let local):
            guard kind == .localSecret, let argon2 else { throw .authenticationFailed }
            let stretched = try StretchedSecret(
                stretching: local.typed,
                salt: salt,
                parameters: argon2,
                limits: limits
            )
            return KeyEncryptionKey(
                stretched: stretched,
                deviceShare: local.deviceShare,
                salt: salt,
                purpose: purpose
            )
        case .biometric(let random):
            guard kind == .biometric else { throw .authenticationFailed }
            return KeyEncryptionKey(secret: random, salt: salt, purpose: purpose)
        case .recovery(let random):
            guard kind == .recovery else { throw .authenticationFailed }
            return KeyEncryptionKey(secret: random, salt: salt, purpose: purpose)
        case .system(let random):
            guard kind == .system else { throw .authenticationFailed }
            return KeyEncryptionKey(secret: random, salt: salt, purpose: purpose)
        }
    }
}
