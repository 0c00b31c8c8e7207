import ThumbturnAudit
import ThumbturnRules

// What of an event its record says.
extension AuditEvent {
    /// Why, where the strong secret that was tried is not the PIN or the account's password at its service.
    static func reason(of secret: StrongSecret?) -> String? {
        switch secret {
        case .recovery?: "recoveryKey"
        case .offlinePassword?: "offline"
        case .localSecret?, .accountPassword?, nil: nil
        }
    }

    /// Why an attempt failed whose process ended before it did.
    static let interrupted = "interrupted"

    /// Whether nothing limits how often it happens: a wrong recovery key, and a prompt in system mode (A46).
    var isUnlimited: Bool {
        kind == .systemFailure || (kind == .passwordFailure && reason == Self.reason(of: .recovery))
    }

    /// The reason of every failure in a run.
    static func reason(ofRun kind: AuditEventKind) -> String? {
        kind == .passwordFailure ? reason(of: .recovery) : nil
    }

    var payload: AuditRecord.Payload {
        var payload = AuditRecord.Payload(
            biometryType: biometryType,
            attemptCount: attemptCount,
            unlockDuration: unlockDuration,
            reason: reason
        )
        if count > 1 { payload.run = AuditRecord.Payload.Run(count: UInt32(clamping: count), until: at.wall) }
        return payload
    }
}
