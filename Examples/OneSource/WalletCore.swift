import Thumbturn

/// The core of a wallet app: what its screens call, from one source on an iPhone, on a Mac and on Linux.
///
/// It holds no rule of its own and keeps no secret: each call is the library's, where an app needs it. Errors are the
/// library's too; `error.code.recovery` says what to offer.
struct WalletCore: Sendable {
    /// The owner's vault.
    let vault: Vault
    /// The device it lies on.
    let device: Device

    /// The first start: a vault with a PIN, unlocked.
    ///
    /// Biometrics are a second step. Where it fails, the vault is there all the same, and opens with the PIN.
    ///
    /// - Parameters:
    ///   - pin: six digits or more, UTF-8.
    ///   - biometrics: the owner's consent, from the button below the explanation; nil skips.
    ///   - configuration: who hears what the vault does.
    static func create(
        on device: Device,
        in home: String,
        pin: borrowing SecretBytes,
        biometrics: BiometricConsent? = nil,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> WalletCore {
        let made = try await Vault.create(
            in: folder(in: home),
            device: device,
            secret: pin,
            policy: .ofThisApp,
            biometrics: biometrics,
            configuration: configuration
        )
        return WalletCore(vault: made.vault, device: device)
    }

    /// Any later start: the vault, locked; nil when there is none yet.
    static func open(
        on device: Device,
        in home: String,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> WalletCore? {
        do throws(VaultError) {
            let vault = try await Vault.open(in: folder(in: home), device: device, configuration: configuration)
            return WalletCore(vault: vault, device: device)
        } catch  where error.code == .vaultMissing {
            return nil
        }
    }

    private static func folder(in home: String) -> String { home + "/vault" }

    /// Tells `show` where the vault stands, now and at every change, until its task is cancelled; no secret is in it.
    func follow(_ show: @Sendable (VaultSnapshot) async -> Void) async {
        for await snapshot in await vault.snapshots() { await show(snapshot) }
    }

    /// Unlocks with a finger or face.
    ///
    /// The prompt is the system's, and what it releases is the only success.
    func unlock(_ prompt: PromptText) async throws(VaultError) { try await vault.unlockWithBiometrics(prompt) }

    /// Unlocks with the PIN; what comes back is good for one call that could cost coins, within a minute.
    @discardableResult
    func unlock(pin: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await vault.unlock(with: pin)
    }

    /// Takes over a wallet that its owner has as words.
    func importWallet(named name: String, words: consuming SecretBytes) async throws(VaultError) -> WalletSummary {
        try await vault.addWallet(named: WalletName(name), .mnemonic(words))
    }

    /// Shows the owner a recovery key, once; it counts after `confirm` was given it back.
    func makeRecoveryKey<Shown: Sendable>(
        pin: borrowing SecretBytes,
        show: @Sendable (RawSpan) throws -> Shown
    ) async throws -> Shown {
        try await vault.createRecoveryKey(vault.unlock(with: pin), show: show)
    }

    /// Takes the recovery key as its owner typed it back.
    func confirm(recoveryKey typed: borrowing SecretBytes, pin: borrowing SecretBytes) async throws(VaultError) {
        try await vault.confirmRecoveryKey(typed, vault.unlock(with: pin))
    }

    /// Puts what the device itself asks for into the place of PIN and biometrics.
    ///
    /// It takes a recovery key that was typed back: whoever turns the device's passcode off has no other way in afterwards.
    ///
    /// - Parameter offer: from the app's feature flag.
    func trustDevice(_ offer: SystemModeOffer, pin: borrowing SecretBytes) async throws(VaultError) {
        let agreed = SystemModeConsent(to: .enabling, ownerAgreedAt: device.clock())
        try await vault.enableSystemAuthentication(offer, agreed, vault.unlock(with: pin))
    }
}
