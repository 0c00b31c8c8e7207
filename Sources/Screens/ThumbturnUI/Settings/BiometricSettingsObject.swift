import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// Turns biometrics on and off: seed 002's `useBiometricSettings`, for iOS 15 and 16, macOS 12 and 13, and Linux.
///
/// From iOS 17 and macOS 14, `BiometricSettingsModel` is the same and observable. The members of `fields` are also
/// members of the model.
@MainActor
public class BiometricSettingsObject: ScreenModel<BiometricSettingsFields> {
    /// The kind of secret that the owner types.
    public let secret: SecretKind
    /// The PIN during entry.
    public let pin = PINEntry()

    private let vault: any BiometricSettingsVault
    private var snapshot: VaultSnapshot?
    private var around = BiometricSettingsFields.Surroundings()
    private var follower: Task<Void, Never>?

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` whose biometrics are turned on and off.
    ///   - secret: the kind of secret that the owner types.
    public init(_ vault: any BiometricSettingsVault, secret: SecretKind = .pin(length: nil)) {
        self.vault = vault
        self.secret = secret
        super.init(BiometricSettingsFields(nil, around))
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.take(snapshot) }
        }
    }

    /// Shows one snapshot without a vault, for a preview or a test of a screen.
    public convenience init(showing snapshot: VaultSnapshot, secret: SecretKind = .pin(length: nil)) {
        self.init(SnapshotVault(snapshot: snapshot), secret: secret)
        take(snapshot)
    }

    deinit { follower?.cancel() }

    override func described() -> BiometricSettingsFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        return BiometricSettingsFields(snapshot, around)
    }
}

extension BiometricSettingsObject {
    /// Returns the owner's consent, given now: call it from the button below the explanation (F-107-02).
    public func consent() -> BiometricConsent { BiometricConsent(ownerAgreedAt: vault.now) }

    /// Proves the PIN or password, then turns biometrics on.
    public func enable(_ consent: BiometricConsent, with secret: borrowing SecretBytes) async {
        await act { () throws(VaultError) in try await vault.enableBiometrics(consent, with: secret) }
    }

    /// Proves the PIN or password, then turns biometrics off; works in every state of the sensor (B-08).
    ///
    /// - Parameters:
    ///   - secret: the PIN or password.
    ///   - reason: recorded in the audit event.
    public func disable(with secret: borrowing SecretBytes, reason: String = "owner") async {
        await act { () throws(VaultError) in
            try await vault.disableBiometrics(with: secret, reason: reason)
        }
    }

    /// Turns biometrics off if the policy requires no secret; refused otherwise.
    ///
    /// - Parameter reason: recorded in the audit event.
    public func disable(reason: String = "owner") async {
        await act { () throws(VaultError) in try await vault.disableBiometrics(nil, reason: reason) }
    }

    /// Reads the state of vault and sensor again.
    public func refresh() async { await act { () throws(VaultError) in _ = try await vault.refresh() } }

    private func take(_ snapshot: VaultSnapshot) {
        self.snapshot = snapshot
        if snapshot.isCovered { pin.clear() }
        if !snapshot.state.hasSession {
            pin.clear()
            refusal = nil
        }
        show()
    }

    private func act(_ body: () async throws(VaultError) -> Void) async {
        guard !isCalling else { return }
        isCalling = true
        refuse(nil)
        do throws(VaultError) {
            try await body()
        } catch {
            refusal = error.code
        }
        isCalling = false
        show()
    }
}
