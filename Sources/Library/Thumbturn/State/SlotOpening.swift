import ThumbturnBase
import ThumbturnCrypto
@_spi(OpenedEnvelope) import ThumbturnRules

/// The secret that opens a slot, kept only while the slot is being opened.
enum SlotSecret: ~Copyable {
    /// The PIN or password.
    case local(LocalSecret)
    /// The secret that the biometric prompt released.
    case biometric(RandomSecret)
    /// The recovery key.
    case recovery(RandomSecret)
    /// The secret that the system released to the owner.
    case system(RandomSecret)
    /// The account's key and the device's share.
    case account(AccountSecret)

    /// Creates the secret that a prompt released for a slot of this kind; nil for a kind that no prompt opens.
    init?(released secret: consuming RandomSecret, to kind: SlotKind) {
        switch kind {
        case .biometric: self = .biometric(secret)
        case .system: self = .system(secret)
        case .localSecret, .recovery, .password: return nil
        }
    }
}

/// The stretched PIN or password and the device's share.
struct LocalSecret: ~Copyable {
    let stretched: StretchedSecret
    let deviceShare: SecretBytes
}

/// The account's key and the device's share: neither opens anything alone.
struct AccountSecret: ~Copyable {
    let key: RandomSecret
    let deviceShare: SecretBytes
}

// The only place that creates an `UnlockProof`: right after an envelope opened and the key id matched.
extension SlotRecord {
    /// Attests that this slot opened: `session` has the key that was in it.
    func proof(of session: Session, integrity: VaultIntegrity) -> UnlockProof {
        UnlockProof(opened: kind, integrity: session.vault == vault ? integrity : .tampered)
    }

    /// Stretches the typed secret at the cost stored in the slot; the slow derivation runs here and nowhere else.
    ///
    /// - Throws: `.costTooHigh`, `.memoryNotAllowed` for a cost that only this part of the app refuses, or `.vaultDamaged`
    ///   below the minimum, before any memory is allocated (A4, A5); `.storageUnavailable` when memory runs out.
    ///   No error says anything about the secret.
    func stretch(_ typed: borrowing SecretBytes, limits: Argon2Limits) throws(VaultError) -> StretchedSecret {
        guard let argon2 else { throw VaultError(.vaultDamaged) }
        guard !limits.areExceeded(by: argon2) else {
            // A vault that is only too large for this part of the app is not suspicious.
            throw VaultError(Argon2Limits.standard.areExceeded(by: argon2) ? .costTooHigh : .memoryNotAllowed)
        }
        return try translating { () throws(CryptoError) in
            try withCleanStack { () throws(CryptoError) in
                try StretchedSecret(stretching: typed, salt: salt, parameters: argon2, limits: limits)
            }
        }
    }

    /// Opens the slot.
    ///
    /// - Returns: nil when the secret is wrong or the slot was changed; the two are deliberately indistinguishable.
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
            return KeyEncryptionKey(secret: account.key, deviceShare: account.deviceShare, salt: salt, purpose: purpose)
        }
    }
}
