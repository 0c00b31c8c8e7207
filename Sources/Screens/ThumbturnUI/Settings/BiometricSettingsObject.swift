#if canImport(Combine)
public import Combine
#endif
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Turns biometrics on and off: seed 002's `useBiometricSettings`, for iOS 15 and 16, macOS 12 and 13, and Linux.
///
/// From iOS 17 and macOS 14 on, `BiometricSettingsModel` is the same and observable. The members of `fields` are the
/// model's own too.
@MainActor @dynamicMemberLookup
public class BiometricSettingsObject {
    /// What is shown now.
    #if canImport(Combine)
    @Published
    #endif
    public internal(set) var fields: BiometricSettingsFields
    /// The language of messages.
    public var language = Language.english { didSet { show() } }
    /// What the owner types.
    public let secret: SecretKind
    /// The PIN that is being typed.
    public let pin = PINEntry()

    private let vault: any BiometricSettingsVault
    private var snapshot: VaultSnapshot?
    private var around = BiometricSettingsFields.Surroundings()
    private var follower: Task<Void, Never>?

    /// Follows a vault from now on.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` whose biometrics are turned on and off.
    ///   - secret: what the owner types.
    public init(_ vault: any BiometricSettingsVault, secret: SecretKind = .pin(length: nil)) {
        self.vault = vault
        self.secret = secret
        fields = BiometricSettingsFields(nil, around)
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.take(snapshot) }
        }
    }

    /// Shows one snapshot and no vault, for a preview or a test of a screen.
    public convenience init(showing snapshot: VaultSnapshot, secret: SecretKind = .pin(length: nil)) {
        self.init(StillVault(snapshot: snapshot), secret: secret)
        take(snapshot)
    }

    deinit { follower?.cancel() }

    /// What is shown now, member by member.
    public subscript<Field>(dynamicMember member: KeyPath<BiometricSettingsFields, Field>) -> Field {
        fields[keyPath: member]
    }
}

extension BiometricSettingsObject {
    /// The owner's consent, given now: to be called by the button below the explanation (F-107-02).
    public func consent() -> BiometricConsent { BiometricConsent(ownerAgreedAt: vault.now) }

    /// Turns biometrics on; the PIN or password is proved first.
    public func enable(_ consent: BiometricConsent, with secret: borrowing SecretBytes) async {
        await act { () throws(VaultError) in try await vault.enableBiometrics(consent, with: secret) }
    }

    /// Turns biometrics off after proving the PIN or password; it works in every state of the sensor (B-08).
    ///
    /// - Parameters:
    ///   - secret: the PIN or password.
    ///   - reason: what the audit event says.
    public func disable(with secret: borrowing SecretBytes, reason: String = "owner") async {
        await act { () throws(VaultError) in
            try await vault.disableBiometrics(with: secret, reason: reason)
        }
    }

    /// Turns biometrics off where the policy asks for no secret; elsewhere it is refused.
    ///
    /// - Parameter reason: what the audit event says.
    public func disable(reason: String = "owner") async {
        await act { () throws(VaultError) in try await vault.disableBiometrics(nil, reason: reason) }
    }

    /// Looks at vault and sensor anew.
    public func refresh() async {
        await act { () throws(VaultError) in _ = try await vault.refresh() }
    }

    /// Takes the last error off the screen.
    public func resetError() {
        around.refusal = nil
        show()
    }

    private func take(_ snapshot: VaultSnapshot) {
        self.snapshot = snapshot
        if snapshot.isCovered { pin.clear() }
        if !snapshot.state.hasSession {
            pin.clear()
            around.refusal = nil
        }
        show()
    }

    private func act(_ body: () async throws(VaultError) -> Void) async {
        guard !around.isBusy else { return }
        around.isBusy = true
        around.refusal = nil
        show()
        do throws(VaultError) {
            try await body()
        } catch {
            around.refusal = error.code
        }
        around.isBusy = false
        show()
    }

    private func show() {
        around.language = language
        let fields = BiometricSettingsFields(snapshot, around)
        if fields != self.fields { self.fields = fields }
    }
}

#if canImport(Combine)
extension BiometricSettingsObject: ObservableObject {}
#endif
