public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules
public import ThumbturnUI

extension StillVault: AppUnlockVault {
    /// Does nothing.
    public func appBecame(_ phase: AppPhase) async {}

    /// Does nothing.
    public func followDevice() async {}

    /// Does nothing.
    public func publish() async {}

    /// Does nothing.
    public func lock() async {}

    /// Refuses.
    public func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes?,
        keepingBothAs name: WalletName?,
        prompt: PromptText?,
        withoutBiometrics: Bool
    ) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func reset(_ confirmation: ResetConfirmation) async throws(VaultError) { throw VaultError(refusal) }
}
