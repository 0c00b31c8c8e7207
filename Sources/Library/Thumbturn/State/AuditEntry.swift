import ThumbturnAudit
public import ThumbturnRules

/// One event in the device's trail (seed 002 §4.3).
public struct AuditEntry: Hashable, Sendable {
    /// The place in the chain, from 0; nil for failures that no record tells of yet (A46).
    public let seq: UInt64?
    /// What happened.
    public let kind: AuditEventKind
    /// When, in milliseconds since 1970 by the device's clock, which may have been set (A47).
    public let at: Milliseconds
    /// The kind of the sensor.
    public let biometryType: BiometricCapability.BiometryType?
    /// Failures in a row before this event.
    public let attemptCount: UInt32
    /// The time from the call to the opened session.
    public let unlockDuration: Milliseconds?
    /// The reason, if there is one.
    public let reason: String?
    /// How many failures, or wallets, it tells of.
    public let count: UInt32
    /// When the last of several failures was; nil for one event.
    public let until: Milliseconds?

    init(_ record: AuditRecord) {
        let payload = record.payload
        seq = record.seq
        kind = record.kind
        at = record.at
        biometryType = payload.biometryType
        attemptCount = payload.attemptCount
        unlockDuration = payload.unlockDuration
        reason = payload.reason
        count = payload.run?.count ?? 1
        until = payload.run?.until
    }

    init(_ run: TrailRow.Run) {
        seq = nil
        kind = run.kind
        at = run.first.wall
        biometryType = nil
        attemptCount = run.attemptCount
        unlockDuration = nil
        reason = AuditEvent.reason(ofRun: run.kind)
        count = run.count
        until = run.last.wall
    }
}

/// What an export holds.
public struct TrailExport: Hashable, Sendable {
    /// How many records.
    public let count: UInt64
    /// Whether that is every record of the chain; otherwise those before the first that is missing or damaged.
    public let isWhole: Bool
}

/// The state of the trail, for `status`.
package struct TrailSummary: Hashable, Sendable {
    /// How many records the chain has.
    package let count: UInt64
    /// Why the chain began.
    package let beganBecause: String?
    /// The SHA-256 of the device's public key, 64 hexadecimal digits.
    package let fingerprint: String
    /// How far it was delivered; nil for a vault without an account.
    package let delivery: TrailDelivery?
}
