public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// The calls that every screen needs which asks for its owner first; a `Vault` implements them.
public protocol OwnerVault: ScreenVault {
    /// Shows the device's own prompt, which proves the owner in system mode.
    ///
    /// - Throws: as `Vault.unlockWithSystem(_:)`.
    func unlockWithSystem(_ prompt: PromptText) async throws(VaultError) -> StrongAuthorization
}

/// The calls that a `WordsModel` needs as well.
public protocol WordsVault: OwnerVault {
    /// Returns a wallet's words as its owner writes them down: UTF-8, one space between them (K-05).
    ///
    /// - Throws: `.mnemonicLengthWrong` for a wallet that has no words, and as `Vault.exportWallet(_:_:_:)`.
    func exportWords(
        of wallet: Identifier,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) -> SecretBytes
}

/// The calls that a `RecoveryKeyModel` needs as well.
public protocol RecoveryKeyVault: OwnerVault {
    /// Makes a recovery key, which becomes valid once `confirmRecoveryKey` has received it.
    ///
    /// - Returns: the key in its written form.
    /// - Throws: as `Vault.createRecoveryKey(_:show:)`.
    func makeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) -> SecretBytes

    /// Confirms the recovery key, as its owner typed it back.
    ///
    /// - Throws: as the `Vault`.
    func confirmRecoveryKey(
        _ typed: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)
}

/// The calls that a `BackupModel` needs as well.
public protocol BackupVault: OwnerVault {
    /// Writes a backup to a file that does not exist yet.
    ///
    /// - Throws: as `Vault.backUp(to:_:progress:)`.
    func backUp(
        to path: String,
        _ authorization: consuming StrongAuthorization,
        progress: @Sendable (WorkProgress) -> Void
    ) async throws(VaultError)

    /// Returns when a backup of the present wallets was made, in milliseconds since 1970; nil for none, or one that is
    /// older than what changed since.
    func backupDate() async -> Milliseconds?
}

/// The calls that a `PINChangeModel` needs as well.
public protocol PINChangeVault: ScreenVault {
    /// Changes the PIN or password; biometrics stay as they are.
    ///
    /// - Throws: as the `Vault`.
    func changeLocalSecret(
        to secret: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)
}

/// The calls that a `TrailModel` needs as well.
public protocol TrailVault: ScreenVault {
    /// Returns events of the trail, the newest first; needs no secret.
    ///
    /// - Parameters:
    ///   - end: the number of the earliest event that the caller knows; nil for the newest events.
    ///   - limit: the most events; failures that no record tells of yet come in addition.
    /// - Throws: why vault or device could not be read.
    func trailPage(before end: UInt64?, limit: Int) async throws(VaultError) -> TrailPage
}

/// What proves the owner, as often as a screen needs that: a proof lasts 60 s, and writing a key down takes longer.
enum OwnerProof {
    /// The typed PIN or password.
    case secret(HeldSecret)
    /// The device's own prompt, in system mode.
    case system(PromptText)
}

extension OwnerVault {
    /// Proves the owner now.
    func authorize(by proof: OwnerProof) async throws(VaultError) -> StrongAuthorization {
        switch proof {
        case .secret(let secret): try await unlock(with: secret.bytes)
        case .system(let prompt): try await unlockWithSystem(prompt)
        }
    }
}
