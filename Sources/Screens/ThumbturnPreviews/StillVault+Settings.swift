public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules
public import ThumbturnUI

extension StillVault: BiometricSettingsVault, SystemSettingsVault {
    /// Returns the snapshot; refuses without one.
    public func refresh() async throws(VaultError) -> VaultSnapshot {
        guard let snapshot else { throw VaultError(refusal) }
        return snapshot
    }

    /// Refuses.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        with secret: borrowing SecretBytes
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func disableBiometrics(
        _ authorization: consuming StrongAuthorization?,
        reason: String
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func disableBiometrics(with secret: borrowing SecretBytes, reason: String) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Returns `obstacle`.
    public func obstacleToSystemAuthentication(_ offer: SystemModeOffer?) async -> ErrorCode? { obstacle }

    /// Refuses.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization,
        provedBy prompt: PromptText
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        byBiometrics prompt: PromptText
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func confirmSystemExit(
        _ consent: SystemModeConsent,
        _ prompt: PromptText
    ) async throws(VaultError) -> SystemModeExit {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func disableSystemAuthentication(
        _ exit: consuming SystemModeExit,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }
}

extension StillVault: WordsVault, RecoveryKeyVault, BackupVault, PINChangeVault, TrailVault {
    /// Refuses.
    public func exportWords(
        of wallet: Identifier,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) -> SecretBytes {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func makeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) -> SecretBytes
    {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func confirmRecoveryKey(
        _ typed: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func backUp(
        to path: String,
        _ authorization: consuming StrongAuthorization,
        progress: @Sendable (WorkProgress) -> Void
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Returns `backedUpAt`.
    public func backupDate() async -> Milliseconds? { backedUpAt }

    /// Refuses.
    public func changeLocalSecret(
        to secret: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Returns `trail`.
    public func trailPage(before end: UInt64?, limit: Int) async throws(VaultError) -> TrailPage { trail }
}
