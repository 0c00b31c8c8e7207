public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// Calls that differ from the vault's own.
extension Vault: AppUnlockVault, BiometricSettingsVault, SystemSettingsVault {
    /// Covers, locks according to the policy, or reads the state again and uncovers.
    public func appBecame(_ phase: AppPhase) async {
        switch phase {
        case .active: await returnToForeground()
        // The system's own prompt makes the app inactive too, so this does not cancel one.
        case .inactive: cover()
        case .background: await enterBackground()
        }
    }

    /// Proves the PIN or password, then turns biometrics off.
    public func disableBiometrics(with secret: borrowing SecretBytes, reason: String) async throws(VaultError) {
        try await disableBiometrics(try await unlock(with: secret), reason: reason)
    }

    /// Shows the system's prompt: for a finger or face, or in system mode for the device's own authentication.
    public func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError) {
        switch mode {
        case .local: _ = try await unlockWithBiometrics(prompt)
        case .system: _ = try await unlockWithSystem(prompt)
        }
    }
}
