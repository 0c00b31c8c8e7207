public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// The calls that every screen needs; a `Vault` implements them.
///
/// Nothing here asserts that the user is the owner: a secret is lent and opens or does not, and the other arguments are
/// values that only a vault can create. So another implementation can refuse calls, but opens nothing.
public protocol ScreenVault: Sendable {
    /// Reads the device's clocks, for the time of a consent.
    var now: ClockReading { get }

    /// Streams every snapshot from now on, starting with the present one.
    func snapshots() async -> AsyncStream<VaultSnapshot>

    /// Tries a PIN or password.
    ///
    /// - Throws: as `Vault.unlock(with:)`.
    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization
}

/// The calls that an `AppUnlockObject` needs as well.
public protocol AppUnlockVault: ScreenVault {
    /// Reports the app's phase: the vault covers, locks according to the policy, or reads its state again and uncovers.
    ///
    /// A failed read shows at the next call.
    func appBecame(_ phase: AppPhase) async

    /// Handles the device's events until the task is cancelled.
    func followDevice() async

    /// Sends the present snapshot to every watcher; time may have passed since the last one.
    func publish() async

    /// Locks at once.
    func lock() async

    /// Shows the system's prompt: for a finger or face, or in system mode for the device's own authentication.
    ///
    /// - Throws: as `Vault.unlockWithBiometrics(_:)` and `Vault.unlockWithSystem(_:)`.
    func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError)

    /// Turns biometrics on again for an owner who has just entered the PIN.
    ///
    /// - Throws: as the `Vault`.
    func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)

    /// Completes the migration of an earlier app's wallet that a finger or face started.
    ///
    /// - Throws: as `Vault.completeMigration(with:newSecret:keepingBothAs:prompt:withoutBiometrics:)`.
    func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes?,
        keepingBothAs name: WalletName?,
        prompt: PromptText?,
        withoutBiometrics: Bool
    ) async throws(VaultError) -> StrongAuthorization

    /// Accepts a restored older copy as the vault.
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

/// The calls that a `BiometricSettingsObject` needs as well.
public protocol BiometricSettingsVault: ScreenVault {
    /// Reads the state of vault and sensor again.
    ///
    /// - Throws: why the vault or the device could not be read.
    func refresh() async throws(VaultError) -> VaultSnapshot

    /// Proves the PIN or password, then turns biometrics on.
    ///
    /// - Throws: `.wrongSecretForEnabling` when the secret is wrong, and as the `Vault`.
    func enableBiometrics(_ consent: BiometricConsent, with secret: borrowing SecretBytes) async throws(VaultError)

    /// Turns biometrics off.
    ///
    /// - Throws: as `Vault.disableBiometrics(_:reason:)`.
    func disableBiometrics(_ authorization: consuming StrongAuthorization?, reason: String) async throws(VaultError)

    /// Proves the PIN or password, then turns biometrics off.
    ///
    /// - Throws: as the vault.
    func disableBiometrics(with secret: borrowing SecretBytes, reason: String) async throws(VaultError)
}
