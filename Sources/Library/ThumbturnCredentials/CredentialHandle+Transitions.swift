public import ThumbturnDevice
public import ThumbturnRules

// The transitions of V-03, each in the state that has it.

extension CredentialHandle where State == CredentialState.Unavailable {
    /// As `CredentialVault.enableKeychainVault(saving:)`.
    public consuming func enableKeychainVault(
        saving credentials: Credentials
    ) async -> Outcome<CredentialState.KeychainSecured> {
        await move { vault throws(VaultError) in try await vault.enableKeychainVault(saving: credentials) }
    }
}

extension CredentialHandle where State == CredentialState.Ready {
    /// As `CredentialVault.enableKeychainVault(saving:)`.
    public consuming func enableKeychainVault(
        saving credentials: Credentials
    ) async -> Outcome<CredentialState.KeychainSecured> {
        await move { vault throws(VaultError) in try await vault.enableKeychainVault(saving: credentials) }
    }

    /// As `CredentialVault.enableSecureVaultWithBiometrics(saving:_:)`.
    public consuming func enableSecureVaultWithBiometrics(
        saving credentials: Credentials,
        _ prompt: PromptText
    ) async -> Outcome<CredentialState.BiometricsSecured> {
        await move { vault throws(VaultError) in
            try await vault.enableSecureVaultWithBiometrics(saving: credentials, prompt)
        }
    }
}

extension CredentialHandle where State == CredentialState.KeychainSecured {
    /// As `CredentialVault.upgradeKeychainWithBiometrics(_:)`.
    public consuming func upgradeKeychainWithBiometrics(
        _ prompt: PromptText
    ) async -> Outcome<CredentialState.BiometricsSecured> {
        await move { vault throws(VaultError) in try await vault.upgradeKeychainWithBiometrics(prompt) }
    }

    /// As `CredentialVault.credentials()`.
    public borrowing func credentials() async throws(VaultError) -> Credentials { try await vault.credentials() }
}

extension CredentialHandle where State == CredentialState.BiometricsSecured {
    /// As `CredentialVault.downgradeBiometricsToKeychain(_:)`.
    public consuming func downgradeBiometricsToKeychain(
        _ prompt: PromptText
    ) async -> Outcome<CredentialState.KeychainSecured> {
        await move { vault throws(VaultError) in try await vault.downgradeBiometricsToKeychain(prompt) }
    }

    /// As `CredentialVault.disableBiometricsSecureVault()`.
    public consuming func disableBiometricsSecureVault() async -> Outcome<CredentialState.Ready> {
        await move { vault throws(VaultError) in try await vault.disableBiometricsSecureVault() }
    }

    /// As `CredentialVault.lock()`.
    public consuming func lock() async -> Outcome<CredentialState.Locked> {
        await move { vault throws(VaultError) in try await vault.lock() }
    }

    /// As `CredentialVault.credentials()`.
    public borrowing func credentials() async throws(VaultError) -> Credentials { try await vault.credentials() }
}

extension CredentialHandle where State == CredentialState.Locked {
    /// As `CredentialVault.unlockWithBiometrics(_:)`; the returned handle reads the credentials.
    public consuming func unlockWithBiometrics(
        _ prompt: PromptText
    ) async -> Outcome<CredentialState.BiometricsSecured> {
        await move { vault throws(VaultError) in _ = try await vault.unlockWithBiometrics(prompt) }
    }
}
