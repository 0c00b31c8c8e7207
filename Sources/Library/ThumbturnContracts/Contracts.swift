public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// The interfaces of seed 002 §4.1 in Swift's style (P-107-02), and seed 003's view of the state. `BiometricCapability`
// and `UnlockDecision` come with `Thumbturn`.

/// Seed 002 §4.1 `BiometryType`.
public typealias BiometryType = BiometricCapability.BiometryType

/// Seed 002 §4.2 `UseBiometricSettingsResult`: what `useBiometricSettings` shows.
public typealias UseBiometricSettingsResult = BiometricSettingsFields

/// Seed 002 §4.2 `UseAppUnlockResult`: what `useAppUnlock` shows.
public typealias UseAppUnlockResult = AppUnlockFields

extension Device {
    /// Seed 002 §4.1 `BiometricService`: the sensor and the system's prompt.
    public var biometricService: any BiometricService { prompt }
    /// Seed 002 §4.1 `KeychainService`: the store of small secrets behind biometrics.
    public var keychainService: any KeychainService { store }
}

/// Seed 002 §4.1 `KeychainSecretRecord`: the envelope that the secret behind the biometrics opens.
///
/// It is stored in the vault's database rather than in the keychain (C12), and contains nothing that opens without the
/// device. Bytes and times keep their types, instead of base64 and ISO 8601 text.
public struct KeychainSecretRecord: Hashable, Sendable {
    /// The version of this contract.
    public let version = 1
    /// The account, by its user id; nil for a vault without one.
    public let userId: String?
    /// The installation of the app that the slot belongs to.
    public let deviceId: Identifier
    /// The master key under AES-256-GCM: nonce, ciphertext, tag.
    public let wrappedUnlockBlob: [UInt8]
    /// The item of the secure store that opens it.
    public let keyId: ItemName
    /// When the slot was made, in milliseconds since 1970.
    public let createdAt: Milliseconds
}

/// Seed 002 §4.1 `UnlockOrchestrator`: its five methods, which a `Vault` and an `AccountVault` have.
///
/// Secrets are lent and never kept, success is a return and every failure a typed error: no method returns a boolean.
/// Consent and authorisation are arguments, since a screen before the call can be skipped (A61).
public protocol UnlockOrchestrator: Sendable {
    /// `enableBiometricWithPassword`: proves the PIN or password, then turns biometrics on.
    ///
    /// - Throws: `.wrongSecretForEnabling` when the secret is wrong, and what both steps throw.
    func enableBiometrics(_ consent: BiometricConsent, with secret: borrowing SecretBytes) async throws(VaultError)

    /// `disableBiometric`; the audit event records its reason.
    ///
    /// - Throws: as `Vault.disableBiometrics(_:reason:)`.
    func disableBiometrics(_ authorization: consuming StrongAuthorization?, reason: String) async throws(VaultError)

    /// `evaluateUnlockPolicy`: the decision of this vault's policy for the facts of `context`.
    func evaluateUnlockPolicy(_ context: UnlockPolicyContext) async -> UnlockDecision

    /// `unlockWithBiometric`: one prompt with this text.
    ///
    /// - Throws: as `Vault.unlockWithBiometrics(_:)`.
    @discardableResult
    func unlockWithBiometrics(_ prompt: PromptText) async throws(VaultError) -> BiometricAuthorization

    /// `unlockWithPassword`; calls that could cost coins require its result.
    ///
    /// - Throws: as `Vault.unlock(with:)`.
    @discardableResult
    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization
}

extension Vault: UnlockOrchestrator {
    /// Returns the decision of this vault's policy for the facts of `context`.
    public func evaluateUnlockPolicy(_ context: UnlockPolicyContext) -> UnlockDecision { decision(for: context) }

    /// Returns the record of the biometric slot; nil if there is none.
    ///
    /// - Throws: why the vault or the device could not be read.
    public func biometricRecord() async throws(VaultError) -> KeychainSecretRecord? {
        guard let slot = try await biometricEnvelope() else { return nil }
        return KeychainSecretRecord(
            userId: slot.user?.text,
            deviceId: slot.installation,
            wrappedUnlockBlob: slot.box,
            keyId: slot.item,
            createdAt: slot.createdAt
        )
    }
}

/// Seed 003's two booleans (B-05).
public struct BiometricState: Hashable, Sendable {
    /// Whether the device has a sensor; without one, options are hidden (C9).
    public let isSupported: Bool
    /// Whether the user has turned biometrics on.
    public let isEnabled: Bool
}

extension VaultSnapshot {
    /// The state as seed 003 defines it.
    public var biometricState: BiometricState {
        BiometricState(isSupported: capability.supported, isEnabled: biometrics == .enabled)
    }
}
