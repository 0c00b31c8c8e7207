package import ThumbturnRules

/// What a service's export tells that verified to its end.
package struct LedgerSummary: Equatable, Sendable {
    /// A key of the log.
    package struct Key: Equatable, Sendable {
        /// The SHA-256 of its SubjectPublicKeyInfo in DER, 64 lower-case hexadecimal digits.
        package let fingerprint: String
        /// The size of its first checkpoint.
        package let from: UInt64
        /// Whether it is one that the caller trusts.
        package let isPinned: Bool
    }

    /// The log's name.
    package let origin: String
    /// The number of leaves.
    package let size: UInt64
    /// The tree's root, 32 bytes.
    package let root: [UInt8]
    /// The keys; of those that are not pinned a pinned one vouches for each, if any is.
    package let keys: [Key]
    /// The service's time of the first leaf and of the last; nil for a log without leaves.
    package let times: ClosedRange<Milliseconds>?
    /// How many chains and uploads there were.
    package let chains, uploads: UInt64
    /// How many checkpoints.
    package let checkpoints: UInt64
    /// How many events there were of each kind; a run counts as many as it stands for.
    package let tally: [AuditEventKind: UInt64]
    /// How many entries of each type there were.
    package let entries: [String: UInt64]
    /// Whether the log passed through the head that the caller knows.
    package let isCompared: Bool
    /// What a reader should know.
    package let remarks: [LedgerRemark]

    /// Whether the caller trusts a key.
    package var isPinned: Bool { keys.contains(where: \.isPinned) }
    /// The number of records.
    package var records: UInt64 { size - entries.values.reduce(0, +) }
}
