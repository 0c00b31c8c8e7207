/// Every rule a vault's owner or its app may choose, in one value.
///
/// It is stored with the vault and authenticated.
public struct VaultPolicy: Hashable, Sendable {
    /// Which secret stands behind the biometrics (C6).
    public enum StrongFactor: UInt8, Hashable, Sendable {
        /// A PIN or password that never leaves the device.
        case localSecret = 0
        /// The account's password, proved to the server by SRP-6a.
        case accountPassword = 1
    }

    /// The secret that biometrics stand in for.
    public var strongFactor = StrongFactor.localSecret
    /// An unlocked session that was not used for longer locks.
    public var locksAfterIdle: Milliseconds = .minutes(5)
    /// Whether leaving the foreground locks at once (C17).
    public var locksInBackground = false
    /// Biometrics stop working after strictly more idle time than this; nil never (INV-107-09, C18).
    public var strongFactorAfterIdle: Milliseconds? = .minutes(30)
    /// Biometrics stop working when the last strong unlock is older than this; nil never.
    public var strongFactorMaxAge: Milliseconds? = .hours(72)
    /// Biometrics wait for a strong unlock in each boot (INV-107-01).
    public var strongFactorAfterReboot = true
    /// This many failed prompts in a row demand the strong factor (INV-107-08).
    public var biometricFailureLimit: UInt32 = 3
    /// Whether turning biometrics off asks for the PIN or password (C5).
    public var requiresSecretToDisable = true
    /// Biometrics can't be enabled on a device with less (C14), and no vault is made on a simulated one unless this names it.
    public var minimumAssurance = Assurance.hardwareBound
    /// A PIN or password can't be chosen, and opens no vault in full, on a device that is worth less; nil on any device.
    ///
    /// The recovery key opens on any device. A device that fell below opens again once that is mended.
    public var minimumSecretAssurance: Assurance?
    /// How long the server may stay unheard before biometrics are disabled; nil when there is no server (F-107-09).
    public var maxOfflineAge: Milliseconds?
    /// Whether the recovery key opens a full session, or export only (P-107-01).
    public var recoveryOpensFully = true
    /// Whether an account's password opens the vault while its service can't be reached.
    ///
    /// Salt, cost and envelope are kept on the device then, sealed under the device secret: whoever copies the vault and the
    /// device's store may guess the password, at the cost of its slow derivation. Such an opening forgives no failure, and
    /// vouches for nothing.
    public var allowsOfflinePassword = false
    /// Whether a finger alone, rather than the PIN, may turn system authentication on (C15).
    public var allowsSystemModeFromBiometrics = false

    /// Makes the policy of a self-custody wallet.
    package init() {}

    /// Seeds 000, 001 and 003: a wallet behind a PIN that knows no server.
    ///
    /// Change in it what differs.
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

    /// What rules a session beside a head that was changed: the shorter or stricter of what the presets say of a session.
    package static let besideTampering: VaultPolicy = {
        var policy = VaultPolicy()
        policy.locksInBackground = true
        return policy
    }()

    /// Whether a PIN or password may open, or be chosen, where the device guards its part of the key like this.
    package func allowsSecret(under assurance: Assurance) -> Bool {
        minimumSecretAssurance.map { $0 <= assurance } ?? true
    }

    /// Whether a vault may be made on a device that guards its keys like this.
    ///
    /// A simulated one keeps them in a plain file, where six digits last for minutes: an app that falls back to it has to say so.
    package func allowsVault(on assurance: Assurance) -> Bool {
        assurance > .simulated || minimumAssurance == .simulated
    }

    /// The same policy with a lower least assurance: an explicit choice that every status shows (C14).
    public func allowing(_ assurance: Assurance) -> VaultPolicy {
        var policy = self
        policy.minimumAssurance = min(minimumAssurance, assurance)
        return policy
    }
}
