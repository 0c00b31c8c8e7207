import ThumbturnAudit

/// What readers of a log get from memory.
struct LogFace: Sendable {
    let origin: String
    /// The newest signed head.
    let note: AuditNote
    /// The number of leaves that it covers.
    let size: UInt64
    /// The keys that sign its heads.
    let keys: AuditKeys
}
