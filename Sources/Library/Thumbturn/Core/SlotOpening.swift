import ThumbturnBase
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
    /// The key of the account, and what the device contributes.
    case account(AccountSecret)

    /// What a prompt released for a slot of this kind; nil for one that no prompt opens.
    init?(released secret: consuming RandomSecret, to kind: SlotKind) {
        switch kind {
        case .biometric: self = .biometric(secret)
        case .system: self = .system(secret)
        case .localSecret, .recovery, .password: return nil
        }
    }
}

/// What the slow derivation made of a PIN or password, and what the device contributes.
struct LocalSecret: ~Copyable {
    let stretched: StretchedSecret
    let deviceShare: SecretBytes
}

/// A key of the account, and what the device contributes: neither opens anything alone.
struct AccountSecret: ~Copyable {
    let key: RandomSecret
    let deviceShare: SecretBytes
}

// The one place where an `UnlockProof` is made: right after an envelope opened and the key's name matched.
extension SlotRecord {
    /// Vouches that this slot opened: `session` holds the key that was in it.
    func proof(of session: Session, integrity: VaultIntegrity) -> UnlockProof {
        UnlockProof(opened: kind, integrity: session.vault == vault ? integrity : .tampered)
    }

    /// Stretches what was typed at the cost that the slot names; the slow derivation runs here and nowhere else.
    ///
    /// - Throws: `.costTooHigh` and, below the floor, `.vaultDamaged`, before anything is allocated (A4, A5);
    ///   `.storageUnavailable` when memory runs out. None says anything about the secret.
    func stretch(_ typed: borrowing SecretBytes, limits: Argon2Limits) throws(VaultError) -> StretchedSecret {
        guard let argon2 else { throw VaultError(.vaultDamaged) }
        guard !limits.areExceeded(by: argon2) else { throw VaultError(.costTooHigh) }
        return try translating { () throws(CryptoError) in
            try withCleanStack { () throws(CryptoError) in
                try StretchedSecret(stretching: typed, salt: salt, parameters: argon2, limits: limits)
            }
        }
    }

    /// Opens the slot.
    ///
    /// - Returns: nil when the secret is wrong or the slot was changed: one answer on purpose.
    func open(with secret: borrowing SlotSecret) throws(VaultError) -> MasterKey? {
        let header = try header
        do {
            return try withCleanStack { () throws(CryptoError) in
                try keyEncryptionKey(from: secret).unwrap(box, associatedData: header)
            }
        } catch .authenticationFailed, .malformed {
            return nil
        } catch {
            throw VaultError(error)
        }
    }

    /// Derives the slot's key.
    func keyEncryptionKey(from secret: borrowing SlotSecret) throws(CryptoError) -> KeyEncryptionKey {
        switch secret {
        case .local(let local):
            guard kind == .localSecret else { throw .authenticationFailed }
            return KeyEncryptionKey(
                stretched: local.stretched,
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
        case .account(let account):
            guard kind == .password else { throw .authenticationFailed }
            return KeyEncryptionKey(
                secret: account.key,
                deviceShare: account.deviceShare,
                salt: salt,
                purpose: purpose
            )
        }
    }
}
