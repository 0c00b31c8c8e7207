public import ThumbturnRules

/// Names one set of credentials in a folder, as a wallet's name does.
public typealias CredentialName = WalletName

/// The state of a credential vault for an interface; contains no credentials.
public struct CredentialSnapshot: Hashable, Sendable {
    /// Whether the stored credentials can be reached.
    @nonexhaustive
    public enum Condition: Hashable, Sendable, CaseIterable {
        /// They can, or nothing is stored.
        case reachable
        /// Their key is confirmed gone: biometrics changed, or this is another device.
        ///
        /// Only a reset helps.
        case keyGone
        /// The device's store can't be read now, so the state is unknown; try again later.
        case unknown

        /// The name in JSON.
        public var name: String {
            switch self {
            case .reachable: "reachable"
            case .keyGone: "keyGone"
            case .unknown: "unknown"
            }
        }
    }

    /// The state of the vault (V-02).
    public let state: CredentialVaultMachine.State
    /// The protection of the stored credentials; nil when nothing is stored.
    public let protection: CredentialProtection?
    /// Whether the stored credentials can be reached.
    public let condition: Condition
    /// The capability of the sensor.
    public let capability: BiometricCapability
    /// How well this device guards that protection; nil when nothing is stored.
    public let assurance: Assurance?
    /// Unreferenced keys that could not be deleted yet; the next start tries again.
    public let leftBehind: Int

    /// Whether a prompt could succeed now (seed 004).
    public var biometricsAvailable: Bool { capability.available }

    /// Whether the credentials are behind biometrics, locked or not (seed 004).
    public var biometricsEnabled: Bool { protection == .biometrics }
}
