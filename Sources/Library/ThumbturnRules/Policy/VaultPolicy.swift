/// Every rule that a vault's owner or app may choose, in one value.
///
/// It is stored with the vault and authenticated.
public struct VaultPolicy: Hashable, Sendable {
    /// The secret that biometrics stand in for (C6).
    public enum StrongFactor: UInt8, Hashable, Sendable {
        /// A PIN or password that never leaves the device.
        case localSecret = 0
        /// The account's password, proved to the server by SRP-6a.
        case accountPassword = 1
    }

    /// The secret that biometrics stand in for.
    public var strongFactor = StrongFactor.localSecret
    /// The idle time after which an unlocked session locks.
    public var locksAfterIdle: Milliseconds = .minutes(5)
    /// Whether leaving the foreground locks at once (C17).
    public var locksInBackground = false
    /// The idle time after which, strictly, biometrics stop working; nil for never (INV-107-09, C18).
    public var strongFactorAfterIdle: Milliseconds? = .minutes(30)
    /// The age of the last strong unlock after which biometrics stop working; nil for never.
    public var strongFactorMaxAge: Milliseconds? = .hours(72)
    /// Whether biometrics require a strong unlock in each boot (INV-107-01).
    public var strongFactorAfterReboot = true
    /// The number of consecutive failed prompts after which the strong factor is required (INV-107-08).
    public var biometricFailureLimit: UInt32 = 3
    /// Whether turning biometrics off requires the PIN or password (C5).
    public var requiresSecretToDisable = true
    /// The minimum assurance for enabling biometrics (C14); a vault on a simulated device requires `.simulated` here.
    public var minimumAssurance = Assurance.hardwareBound
    /// The minimum assurance for choosing a PIN or password, and for opening the vault in full with one; nil for any.
    ///
    /// The recovery key opens on any device. A device that fell below opens again once it is repaired.
    public var minimumSecretAssurance: Assurance?
    /// How long the server may be silent before biometrics are disabled; nil when there is no server (F-107-09).
    public var maxOfflineAge: Milliseconds?
    /// Whether the recovery key opens a full session, instead of export only (P-107-01).
    public var recoveryOpensFully = true
    /// Whether an account's password opens the vault while its service can't be reached.
    ///
    /// Salt, cost and envelope are then stored on the device, sealed under the device secret: an attacker who copies
    /// the vault and the device's store may guess the password, at the cost of its slow derivation. Such an unlock
    /// clears no failures, and is no authorization.
    public var allowsOfflinePassword = false
    /// Whether a finger alone, instead of the PIN, may turn system authentication on (C15).
    public var allowsSystemModeFromBiometrics = false

    /// Creates the policy of a self-custody wallet.
    package init() {}

    /// Seeds 000, 001 and 003: a wallet behind a PIN, without a server.
    ///
    /// Start from it and change what differs.
    public static let wallet = VaultPolicy()

    /// Seed 002: an account behind a password that a server verifies.
    public static let pd107: VaultPolicy = {
        var policy = VaultPolicy()
        policy.strongFactor = .accountPassword
        policy.locksAfterIdle = .minutes(30)
        policy.locksInBackground = true
        policy.strongFactorMaxAge = nil
        policy.requiresSecretToDisable = false
        policy.maxOfflineAge = .days(7)
        policy.recoveryOpensFully = false
        return policy
    }()

    /// The policy for a session beside an edited head: for each session rule, the stricter of the presets' values.
    package static let besideTampering: VaultPolicy = {
        var policy = VaultPolicy()
        policy.locksInBackground = true
        return policy
    }()

    /// Returns whether a PIN or password may be chosen, or open the vault, on a device with this assurance.
    package func allowsSecret(under assurance: Assurance) -> Bool {
        minimumSecretAssurance.map { $0 <= assurance } ?? true
    }

    /// Returns whether a vault may be created on a device with this assurance.
    ///
    /// A simulated device stores keys in a plain file, where six digits last for minutes: an app that falls back to it
    /// must say so.
    package func allowsVault(on assurance: Assurance) -> Bool {
        assurance > .simulated || minimumAssurance == .simulated
    }

    /// Returns the policy with a lower minimum assurance: an explicit choice that every status shows (C14).
    public func allowing(_ assurance: Assurance) -> VaultPolicy {
        var policy = self
        policy.minimumAssurance = min(minimumAssurance, assurance)
        return policy
    }
}
