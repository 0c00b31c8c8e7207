public import ThumbturnCrypto
public import ThumbturnRules

/// The app's choices for a vault besides its policy.
public struct VaultConfiguration: Sendable {
    /// The cost of the slow derivation: the default for new slots, and the limits for stored ones.
    ///
    /// Only an app with an extension that unlocks has a reason to change it. A vault whose PIN needs more than the limits
    /// answers `memoryNotAllowed`, before any memory is taken and without counting a guess; the app itself opens it.
    public var argon2: Argon2Limits
    /// Called with every authentication event, in order, once it is durable.
    public var audit: @Sendable (AuditEvent) -> Void
    /// Called with each fault that the vault tolerates, such as an item that could not be deleted yet.
    ///
    /// For an app's log. It is called during a vault call, so it must return at once, without waiting for the vault.
    public var tolerated: @Sendable (VaultError) -> Void = { _ in }
    /// A former app's wallet for the vault to migrate and erase; nil when there is none.
    package var legacy: LegacyMigration?
    /// Whether the vault leaves a lost device for another one: notes of items to delete are kept until a recovery is
    /// committed or a reset started.
    package var leavesDevice = false
    /// Whether a waiting policy takes effect when the strong factor is entered; false when it is entered to change the
    /// policy.
    package var adoptsPolicy = true
    /// Whether to query the sensor when a vault is opened or created, so that its first snapshot shows it; calls that
    /// need a finger query it themselves.
    package var asksSensor = true
    /// Whether to read the rows of many wallets while a PIN is stretched; false when no later call needs them.
    package var readsAhead = true
    /// Called with true before a PIN attempt is counted, and with false once it has ended: ending the process between
    /// the two leaves the right PIN counted as a wrong one.
    package var attempting: @Sendable (Bool) -> Void = { _ in }
    /// Whether an account's events are delivered behind each contact; false for a command, which says itself when.
    package var deliversBehind = true
    /// The SQLite VFS; tests set a faulty one.
    package var vfs: String?

    /// Creates a configuration; the defaults are right for an app.
    ///
    /// - Parameters:
    ///   - argon2: no app can choose a cost below the floor of `Argon2Limits.standard`.
    ///   - legacy: a former app's wallet, to be moved.
    ///   - audit: receives each event, once it is stored.
    public init(
        argon2: Argon2Limits = .standard,
        legacy: LegacyMigration? = nil,
        audit: @escaping @Sendable (AuditEvent) -> Void = { _ in }
    ) {
        self.argon2 = argon2
        self.legacy = legacy
        self.audit = audit
    }
}

/// An authentication event (seed 002 §4.3), without the identities that an account adds.
public struct AuditEvent: Hashable, Sendable {
    /// What happened.
    public let kind: AuditEventKind
    /// When.
    public let at: ClockReading
    /// The kind of the sensor.
    public let biometryType: BiometricCapability.BiometryType
    /// Failures in a row before this event.
    public let attemptCount: UInt32
    /// The time from the call to the opened session, for a successful unlock (F-107-04).
    public let unlockDuration: Milliseconds?
    /// The reason, if there is one: 1 to 64 of `A–Z a–z 0–9 . _ -`.
    public let reason: String?
    /// How many wallets one call was about, at most; 1 for any other event.
    public let count: Int
}
