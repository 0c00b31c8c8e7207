public import Thumbturn
public import ThumbturnDevice
public import ThumbturnRules

// What a vault's own calls don't answer as they are.
extension Vault: AppUnlockVault, BiometricSettingsVault, SystemSettingsVault {
    /// Covers, locks where the policy says so, or looks anew and uncovers.
    public func appBecame(_ phase: AppPhase) async {
        switch phase {
        case .active: await returnToForeground()
        // The system's own prompt takes the screen too, so this ends none.
        case .inactive: cover()
        case .background: await enterBackground()
        }
    }

    /// Shows the system's prompt: for a finger or face, or in system mode for what the device itself asks for.
    public func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError) {
        switch mode {
        case .local: _ = try await unlockWithBiometrics(prompt)
        case .system: _ = try await unlockWithSystem(prompt)
        }
    }
}
