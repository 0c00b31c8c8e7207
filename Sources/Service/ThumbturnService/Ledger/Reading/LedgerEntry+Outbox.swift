import ThumbturnAudit

extension LedgerEntry {
    /// Whether it reaches its log by the outbox, with the account's change that it tells.
    var isOfOutbox: Bool {
        switch self {
        case .deviceEnrolled, .deviceRevoked, .passwordChanged, .restored: true
        case .fork, .rejected, .keyRotated: false
        }
    }
}
