public import Thumbturn
public import ThumbturnAccount
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// What an account's vault answers the screens: the password goes to the service, all else to the vault.
extension AccountVault: AppUnlockVault, BiometricSettingsVault {
    /// What the device's clocks say.
    public var now: ClockReading { vault.now }

    /// Every snapshot from now on, the present one first.
    public func snapshots() async -> AsyncStream<VaultSnapshot> { await vault.snapshots() }

    /// Covers, locks where the policy says so, or asks the service, looks anew and uncovers.
    public func appBecame(_ phase: AppPhase) async {
        switch phase {
        case .active: await returnToForeground()
        case .inactive, .background: await vault.appBecame(phase)
        }
    }

    /// Tells every watcher what is so now.
    public func publish() async { await vault.publish() }

    /// Locks at once.
    public func lock() async { await vault.lock() }

    /// Shows the system's prompt.
    public func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError) {
        try await vault.unlock(by: prompt, in: mode)
    }

    /// Turns biometrics on again for the owner who gave the password just now.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await vault.enableBiometrics(consent, authorization)
    }

    /// Refuses: no former app's wallet is moved into an account's vault by a finger.
    public func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes?,
        keepingBothAs name: WalletName?,
        prompt: PromptText?,
        withoutBiometrics: Bool
    ) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.legacyAlreadyMigrated)
    }

    /// Takes an older copy that was put back for the vault.
    public func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await vault.acceptOlderCopy(confirmation, authorization)
    }

    /// Erases everything on this device; the account stays.
    public func reset(_ confirmation: ResetConfirmation) async throws(VaultError) {
        try await vault.reset(confirmation)
    }

    /// Looks at vault and sensor anew.
    public func refresh() async throws(VaultError) -> VaultSnapshot { try await vault.refresh() }
}
