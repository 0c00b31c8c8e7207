public import Thumbturn
public import ThumbturnContracts
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// What seed 002's orchestrator asks of an account's vault: the password goes to the service, all else to the vault.
extension AccountVault: UnlockOrchestrator {
    /// Unlocks with the account's password, as `unlock(with:acceptsWeaker:)` for an owner who agreed to nothing weaker.
    @discardableResult
    public func unlock(with password: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await unlock(with: password, acceptsWeaker: false)
    }

    /// Unlocks with a finger or face, which asks the service for nothing: as `Vault.unlockWithBiometrics(_:)`.
    @discardableResult
    public func unlockWithBiometrics(_ prompt: PromptText) async throws(VaultError) -> BiometricAuthorization {
        try await vault.unlockWithBiometrics(prompt)
    }

    /// Says what the vault's policy says to the facts of `context`.
    public func evaluateUnlockPolicy(_ context: UnlockPolicyContext) async -> UnlockDecision {
        await vault.evaluateUnlockPolicy(context)
    }

    /// Proves the password to the service, then turns biometrics on (F-107-02).
    ///
    /// - Throws: `.wrongSecretForEnabling` (ERR-107-010) when the password is wrong; and as `Vault.enableBiometrics(_:_:)`.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        with password: borrowing SecretBytes
    ) async throws(VaultError) {
        let authorization: StrongAuthorization
        do throws(VaultError) {
            authorization = try await unlock(with: password)
        } catch  where error.code == .strongFactorRefused {
            throw VaultError(.wrongSecretForEnabling)
        }
        try await vault.enableBiometrics(consent, authorization)
    }

    /// Turns biometrics off, as `Vault.disableBiometrics(_:reason:)`: it needs no service (B-08).
    public func disableBiometrics(
        _ authorization: consuming StrongAuthorization?,
        reason: String = "owner"
    ) async throws(VaultError) {
        try await vault.disableBiometrics(authorization, reason: reason)
    }

    /// Proves the password, then turns biometrics off: to the service, or where that can't be reached by what the vault keeps for
    /// that, if its policy allows it (`allowsOfflinePassword`).
    ///
    /// - Throws: as `unlock(with:)`, `unlockOffline(with:)` and `Vault.disableBiometrics(_:reason:)`.
    public func disableBiometrics(
        with password: borrowing SecretBytes,
        reason: String = "owner"
    ) async throws(VaultError) {
        let authorization: StrongAuthorization
        do throws(VaultError) {
            authorization = try await unlock(with: password)
        } catch  where error.code == .serviceUnreachable {
            return try await vault.disableBiometrics(openOffline(with: password), reason: reason)
        }
        try await vault.disableBiometrics(authorization, reason: reason)
    }
}
