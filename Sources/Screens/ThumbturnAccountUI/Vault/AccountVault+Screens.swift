public import Thumbturn
public import ThumbturnAccount
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules
public import ThumbturnUI

// An account's vault behind the screens: the password goes to the service, everything else to the vault.
extension AccountVault: AppUnlockVault, BiometricSettingsVault, PasswordChangeVault, AccountDevicesVault {
    /// Reads the device's clocks.
    public var now: ClockReading { vault.now }

    /// Streams every snapshot from now on, starting with the present one.
    public func snapshots() async -> AsyncStream<VaultSnapshot> { await vault.snapshots() }

    /// Covers and locks according to the policy; on return, asks the service, reads the state again and uncovers.
    public func appBecame(_ phase: AppPhase) async {
        switch phase {
        case .active: await returnToForeground()
        case .inactive, .background: await vault.appBecame(phase)
        }
    }

    /// Sends the present snapshot to every watcher.
    public func publish() async { await vault.publish() }

    /// Locks at once.
    public func lock() async { await vault.lock() }

    /// Shows the system's prompt.
    public func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError) {
        try await vault.unlock(by: prompt, in: mode)
    }

    /// Turns biometrics on again for an owner who has just entered the password.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await vault.enableBiometrics(consent, authorization)
    }

    /// Throws: an account's vault has no migration that a finger or face could start.
    public func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes?,
        keepingBothAs name: WalletName?,
        prompt: PromptText?,
        withoutBiometrics: Bool
    ) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.legacyAlreadyMigrated)
    }

    /// Accepts a restored older copy as the vault.
    public func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await vault.acceptOlderCopy(confirmation, authorization)
    }

    /// Erases everything on this device, after trying for five seconds to deliver its events; the account stays.
    public func reset(_ confirmation: ResetConfirmation) async throws(VaultError) {
        try await resetAfterDelivery(confirmation)
    }

    /// Reads the state of vault and sensor again.
    public func refresh() async throws(VaultError) -> VaultSnapshot { try await vault.refresh() }
}
