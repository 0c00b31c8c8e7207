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

    /// Whether system authentication may be turned on without a recovery key, because the owner holds the wallets' words
    /// elsewhere.
    ///
    /// A device that loses its passcode, breaks or is lost then takes everything in the vault with it. An app that sets
    /// this declares that its owner has all of it elsewhere; the warning says so, and a finger alone never suffices
    /// (C15).
    public var allowsSystemModeWithoutRecovery = false

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

// The strong factor has no row: it is a way in, not a rule.
extension VaultPolicy.Field {
    /// The row of each rule, in the order of their bytes in a head.
    package static let all: [Self] = [
        Kind.span(Access(get: { $0.locksAfterIdle }, set: { $0.locksAfterIdle = $1 }), shortest: .seconds(10))
            .named("locksAfterIdle")
            .set(
                as: "auto-lock",
                "how long an app's open session may be idle",
                "combien de temps la session ouverte d'une app peut rester inactive"
            ),
        Kind.flag(Access(get: { $0.locksInBackground }, set: { $0.locksInBackground = $1 }), stricter: true)
            .named("locksInBackground")
            .set(
                as: "lock-in-background",
                "whether an app locks when it leaves the foreground",
                "si une app verrouille en quittant le premier plan"
            ),
        Kind.limit(Access(get: { $0.strongFactorAfterIdle }, set: { $0.strongFactorAfterIdle = $1 }))
            .named("strongFactorAfterIdle")
            .set(
                as: "strong-after-idle",
                "how long the vault may be idle until a finger is not enough",
                "combien de temps le coffre peut rester inactif avant qu'un doigt ne suffise plus"
            ),
        Kind.limit(Access(get: { $0.strongFactorMaxAge }, set: { $0.strongFactorMaxAge = $1 }))
            .named("strongFactorMaxAge")
            .set(
                as: "strong-after-days",
                inDays: true,
                "how many days a finger is enough without the PIN",
                "combien de jours un doigt suffit sans le code"
            ),
        Kind.flag(Access(get: { $0.strongFactorAfterReboot }, set: { $0.strongFactorAfterReboot = $1 }), stricter: true)
            .named("strongFactorAfterReboot"),
        Kind.count(Access(get: { $0.biometricFailureLimit }, set: { $0.biometricFailureLimit = $1 }))
            .named("biometricFailureLimit"),
        Kind.flag(Access(get: { $0.requiresSecretToDisable }, set: { $0.requiresSecretToDisable = $1 }), stricter: true)
            .named("requiresSecretToDisable"),
        Kind.assurance(Access(get: { $0.minimumAssurance }, set: { $0.minimumAssurance = $1 }))
            .named("minimumAssurance")
            .set(
                as: "least-assurance",
                "what guards a finger's key at least",
                "ce qui garde au moins la clé d'un doigt"
            ),
        Kind.limit(Access(get: { $0.maxOfflineAge }, set: { $0.maxOfflineAge = $1 }))
            .named("maxOfflineAge", needsService: true),
        Kind.flag(Access(get: { $0.recoveryOpensFully }, set: { $0.recoveryOpensFully = $1 }), stricter: false)
            .named("recoveryOpensFully"),
        Kind.flag(
            Access(get: { $0.allowsSystemModeFromBiometrics }, set: { $0.allowsSystemModeFromBiometrics = $1 }),
            stricter: false
        )
        .named("allowsSystemModeFromBiometrics"),
        Kind.optionalAssurance(Access(get: { $0.minimumSecretAssurance }, set: { $0.minimumSecretAssurance = $1 }))
            .named("minimumSecretAssurance"),
        Kind.flag(Access(get: { $0.allowsOfflinePassword }, set: { $0.allowsOfflinePassword = $1 }), stricter: false)
            .named("allowsOfflinePassword", needsService: true)
            .set(
                as: "offline-password",
                "whether an account's password opens without its service",
                "si le mot de passe d'un compte ouvre sans son service"
            ),
        Kind.flag(
            Access(get: { $0.allowsSystemModeWithoutRecovery }, set: { $0.allowsSystemModeWithoutRecovery = $1 }),
            stricter: false
        )
        .named("allowsSystemModeWithoutRecovery"),
    ]
}
