public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// The calls that a `SystemSettingsObject` needs as well.
public protocol SystemSettingsVault: RecoveryKeyVault {
    /// Reads the state of vault and device again.
    ///
    /// - Throws: why the vault or the device could not be read.
    func refresh() async throws(VaultError) -> VaultSnapshot

    /// Returns why system authentication can't be turned on now; nil when it can.
    func obstacleToSystemAuthentication(_ offer: SystemModeOffer?) async -> ErrorCode?

    /// Turns system authentication on.
    ///
    /// - Throws: as the `Vault`.
    func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)

    /// Turns system authentication on once the device's prompt released the new key.
    ///
    /// - Throws: as `Vault.enableSystemAuthentication(_:_:_:provedBy:)`.
    func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization,
        provedBy prompt: PromptText
    ) async throws(VaultError)

    /// Locks, asks for a finger or face, and turns system authentication on, if the policy allows that (C15).
    ///
    /// - Throws: as `Vault.enableSystemAuthentication(_:_:byBiometrics:)`.
    func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        byBiometrics prompt: PromptText
    ) async throws(VaultError)

    /// Asks the device for its owner, to turn system authentication off.
    ///
    /// - Throws: as `Vault.confirmSystemExit(_:_:)`.
    func confirmSystemExit(
        _ consent: SystemModeConsent,
        _ prompt: PromptText
    ) async throws(VaultError) -> SystemModeExit

    /// Replaces system authentication with a new PIN or password.
    ///
    /// - Throws: as `Vault.disableSystemAuthentication(_:newSecret:)`.
    func disableSystemAuthentication(
        _ exit: consuming SystemModeExit,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError)
}
