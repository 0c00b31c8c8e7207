package import ThumbturnRules

/// What an export tells that verified to its end.
package struct AuditSummary: Equatable, Sendable {
    /// The device that wrote it.
    package let deviceId: Identifier
    /// The chain.
    package let epoch: Identifier
    /// The number of records.
    package let count: UInt64
    /// The first record's time, by the device's clock, which may have been set.
    package let first: Milliseconds
    /// The last record's time.
    package let last: Milliseconds
    /// When it was exported.
    package let exportedAt: Milliseconds
    /// The SHA-256 of the device's public key (SubjectPublicKeyInfo in DER), 64 lower-case hexadecimal digits.
    package let fingerprint: String
    /// Whether the key is one that the caller trusts; if not, who made the export is to be found out by the fingerprint.
    package let isPinned: Bool
    /// How many events there were of each kind; a run counts as many as it stands for.
    package let tally: [AuditEventKind: UInt64]
}
