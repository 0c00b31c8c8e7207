public import ThumbturnRules

/// Names one set of credentials in a folder, as a wallet's name does.
public typealias CredentialName = WalletName

/// What an interface may know of a credential vault; it holds no credentials.
public struct CredentialSnapshot: Hashable, Sendable {
    /// Whether what is stored can be reached at all.
    @nonexhaustive
    public enum Condition: Hashable, Sendable, CaseIterable {
        /// It can, or nothing is stored.
        case reachable
        /// Its key is confirmed gone: biometrics changed, or this is another device. Only a reset leads on.
        case keyGone
        /// The device's store can't be read now: nothing is known, try again later.
        case unknown

        /// The name as it appears in JSON.
        public var name: String {
            switch self {
            case .reachable: "reachable"
            case .keyGone: "keyGone"
            case .unknown: "unknown"
            }
        }
    }

    /// Where the vault stands (V-02).
    public let state: CredentialVaultMachine.State
    /// What guards the stored credentials; nil when nothing is stored.
    public let protection: CredentialProtection?
    /// Whether what is stored can be reached.
    public let condition: Condition
    /// What the sensor can do.
    public let capability: BiometricCapability
    /// What guards a secret of this protection here; nil when nothing is stored.
    public let assurance: Assurance?
    /// Keys that nothing refers to any more and that could not be deleted yet; it is tried again at the next start.
    public let leftBehind: Int

    /// Whether a prompt could succeed now (seed 004).
    public var biometricsAvailable: Bool { capability.available }

    /// Whether the credentials are behind biometrics, locked or not (seed 004).
    public var biometricsEnabled: Bool { protection == .biometrics }
}
