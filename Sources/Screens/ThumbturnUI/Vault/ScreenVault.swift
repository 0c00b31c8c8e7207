public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// What every screen asks of what it shows; a `Vault` answers it.
///
/// Nothing here says that somebody is the owner: a secret is lent and opens or doesn't, and what a call needs beside it is a
/// value that a vault alone can make. So whatever else answers these calls may refuse what it likes, and opens nothing.
public protocol ScreenVault: Sendable {
    /// What the device's clocks say: when the owner agreed to something.
    var now: ClockReading { get }

    /// Every snapshot from now on, the present one first.
    func snapshots() async -> AsyncStream<VaultSnapshot>

    /// Tries a PIN or password.
    ///
    /// - Throws: as `Vault.unlock(with:)`.
    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization
}

/// What an `AppUnlockObject` asks beside what every screen does.
public protocol AppUnlockVault: ScreenVault {
    /// Hears where the app stands: it covers, locks where the policy says so, or looks anew and uncovers.
    ///
    /// What can't be read now shows at the next call.
    func appBecame(_ phase: AppPhase) async

    /// Does what the device's events ask for, until the task is cancelled.
    func followDevice() async

    /// Tells every watcher what is so now; time may have passed since the last word.
    func publish() async

    /// Locks at once.
    func lock() async

    /// Shows the system's prompt: for a finger or face, or in system mode for what the device itself asks for.
    ///
    /// - Throws: as `Vault.unlockWithBiometrics(_:)` and `Vault.unlockWithSystem(_:)`.
    func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError)

    /// Turns biometrics on again for the owner who gave the PIN just now.
    ///
    /// - Throws: as the `Vault`.
    func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)

    /// Finishes what a finger or face began with a former app's wallet.
    ///
    /// - Throws: as `Vault.completeMigration(with:newSecret:keepingBothAs:prompt:withoutBiometrics:)`.
    func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes?,
        keepingBothAs name: WalletName?,
        prompt: PromptText?,
        withoutBiometrics: Bool
    ) async throws(VaultError) -> StrongAuthorization

    /// Takes an older copy that was put back for the vault.
    ///
    /// - Throws: as `Vault.acceptOlderCopy(_:_:)`.
    func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)

    /// Erases everything.
    ///
    /// - Throws: as `Vault.reset(_:)`.
    func reset(_ confirmation: ResetConfirmation) async throws(VaultError)
}

/// What a `BiometricSettingsObject` asks beside what every screen does.
public protocol BiometricSettingsVault: ScreenVault {
    /// Looks at vault and sensor anew.
    ///
    /// - Throws: why vault or device could not be looked at.
    func refresh() async throws(VaultError) -> VaultSnapshot

    /// Proves the PIN or password, then turns biometrics on.
    ///
    /// - Throws: `.wrongSecretForEnabling` when the secret is wrong, and as the `Vault`.
    func enableBiometrics(_ consent: BiometricConsent, with secret: borrowing SecretBytes) async throws(VaultError)

    /// Turns biometrics off.
    ///
    /// - Throws: as `Vault.disableBiometrics(_:reason:)`.
    func disableBiometrics(
        _ authorization: consuming StrongAuthorization?,
        reason: String
    ) async throws(VaultError)

    /// Proves the PIN or password, then turns biometrics off.
    ///
    /// - Throws: as the vault.
    func disableBiometrics(with secret: borrowing SecretBytes, reason: String) async throws(VaultError)
}

/// What a `SystemSettingsObject` asks beside what every screen does.
public protocol SystemSettingsVault: ScreenVault {
    /// Looks at vault and device anew.
    ///
    /// - Throws: why vault or device could not be looked at.
    func refresh() async throws(VaultError) -> VaultSnapshot

    /// Says why system authentication can't be turned on now; nil when it can.
    func obstacleToSystemAuthentication(_ offer: SystemModeOffer?) async -> ErrorCode?

    /// Makes a recovery key, which counts once `confirmRecoveryKey` was given it back.
    ///
    /// - Returns: the key as it is written down.
    /// - Throws: as `Vault.createRecoveryKey(_:show:)`.
    func makeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) -> SecretBytes

    /// Takes the recovery key as its owner typed it back.
    ///
    /// - Throws: as the `Vault`.
    func confirmRecoveryKey(
        _ typed: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)

    /// Turns system authentication on.
    ///
    /// - Throws: as the `Vault`.
    func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)

    /// Asks the device for its owner, to turn system authentication off.
    ///
    /// - Throws: as `Vault.confirmSystemExit(_:_:)`.
    func confirmSystemExit(
        _ consent: SystemModeConsent,
        _ prompt: PromptText
    ) async throws(VaultError) -> SystemModeExit

    /// Puts a new PIN or password into the place of system authentication.
    ///
    /// - Throws: as `Vault.disableSystemAuthentication(_:newSecret:)`.
    func disableSystemAuthentication(
        _ exit: consuming SystemModeExit,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError)
}
