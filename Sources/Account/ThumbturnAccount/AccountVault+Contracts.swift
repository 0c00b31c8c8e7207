public import Thumbturn
public import ThumbturnContracts
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// Seed 002's orchestrator for an account's vault: the password goes to the service, everything else to the vault.
extension AccountVault: UnlockOrchestrator {
    /// Unlocks with the account's password, as `unlock(with:acceptsWeaker:)` without agreeing to weaker protection.
    @discardableResult
    public func unlock(with password: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await unlock(with: password, acceptsWeaker: false)
    }

    /// Unlocks with a finger or face, without contacting the service: as `Vault.unlockWithBiometrics(_:)`.
    @discardableResult
    public func unlockWithBiometrics(_ prompt: PromptText) async throws(VaultError) -> BiometricAuthorization {
        try await vault.unlockWithBiometrics(prompt)
    }

    /// Evaluates the vault's policy for the facts in `context`.
    public func evaluateUnlockPolicy(_ context: UnlockPolicyContext) async -> UnlockDecision {
        await vault.evaluateUnlockPolicy(context)
    }

    /// Proves the password to the service, then enables biometrics (F-107-02).
    ///
    /// - Throws: `.wrongSecretForEnabling` (ERR-107-010) if the password is wrong; otherwise as
    ///   `Vault.enableBiometrics(_:_:)`.
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

    /// Disables biometrics as `Vault.disableBiometrics(_:reason:)`; needs no service (B-08).
    public func disableBiometrics(
        _ authorization: consuming StrongAuthorization?,
        reason: String = "owner"
    ) async throws(VaultError) {
        try await vault.disableBiometrics(authorization, reason: reason)
    }

    /// Proves the password, then disables biometrics.
    ///
    /// The proof goes to the service or, if that can't be reached and the policy allows it (`allowsOfflinePassword`),
    /// to the offline login that the vault keeps.
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
