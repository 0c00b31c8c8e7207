/// The transitions of seed 004, under its names.
enum CredentialAction: String, Hashable, Sendable, CaseIterable {
    case enableKeychainVault, enableSecureVaultWithBiometrics, upgradeKeychainWithBiometrics
    case downgradeBiometricsToKeychain, disableBiometricsSecureVault, lock, unlockWithBiometrics, refresh
}
