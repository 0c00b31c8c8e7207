package import ThumbturnCrypto
public import ThumbturnRules

/// What an app may choose about a vault besides its policy.
public struct VaultConfiguration: Sendable {
    /// The cost of the slow derivation: what new slots get, and what stored ones must lie between.
    package var argon2: Argon2Limits
    /// Called with every authentication event, in order, once what it tells is durable.
    public var audit: @Sendable (AuditEvent) -> Void
    /// Called with each fault that the vault does not throw as it is, such as an item that could not be deleted yet.
    ///
    /// It is for an app's log. It is called from within a call, so it has to return at once, and to wait for nothing of the
    /// vault's.
    public var tolerated: @Sendable (VaultError) -> Void = { _ in }
    /// What a former app left here, for the vault to take over and to erase; nil when there was none.
    package var legacy: LegacyMigration?
    /// Whether the vault leaves a device that is gone for another: what it noted to be deleted there stays noted until a
    /// recovery was committed or a reset begun.
    package var leavesDevice = false
    /// Whether what waits of a policy counts once the strong factor is given; not where that is given to change it.
    package var adoptsPolicy = true
    /// Whether the sensor is looked at when a vault is opened or made, so that its first snapshot tells of it; what wants a finger
    /// looks for itself.
    package var asksSensor = true
    /// Whether the rows of many wallets are read while a PIN is stretched; not where nothing follows that needs them.
    package var readsAhead = true
    /// Called with true before an attempt at a PIN is counted, and with false once it has ended: who ends the process between the
    /// two leaves the right PIN counted as a wrong one.
    package var attempting: @Sendable (Bool) -> Void = { _ in }
    /// The SQLite VFS; tests put a faulty one here.
    package var vfs: String?

    /// Chooses; the defaults are right for an app.
    public init(
        legacy: LegacyMigration? = nil,
        audit: @escaping @Sendable (AuditEvent) -> Void = { _ in }
    ) {
        self.init(argon2: .standard, legacy: legacy, audit: audit)
    }

    /// Chooses the cost too, which no app may lower.
    package init(
        argon2: Argon2Limits,
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
    /// What the sensor reads.
    public let biometryType: BiometricCapability.BiometryType
    /// Failures in a row before this event.
    public let attemptCount: UInt32
    /// From the call to the opened session, in an event of success (F-107-04).
    public let unlockDuration: Milliseconds?
    /// Why, where there is a why.
    public let reason: String?
}
