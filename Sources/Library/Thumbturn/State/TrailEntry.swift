import ThumbturnDevice
import ThumbturnRules

/// What a transaction tells the trail.
struct TrailEntry {
    /// Where the transaction leaves the attempt ledger.
    enum Position {
        /// Where it was.
        case unmoved
        /// Here, from where the trail must have left it; nil without a ledger.
        case moved(from: LedgerPosition?, to: LedgerPosition?)
        /// Here, for the first time.
        case begun(at: LedgerPosition?)
    }

    /// What the transaction says of an attempt at a counted secret.
    enum Attempt {
        /// Nothing.
        case unchanged
        /// It begins, and the process lock is held to its end.
        case begins(TrailRow.OpenAttempt)
        /// There is none any more.
        case ended
    }

    /// A chain that begins.
    struct Beginning {
        let reason: TrailReason
        let vault: Identifier
        let writer: TrailRow.Writer
        let secret: ItemName
    }

    var events: [AuditEvent] = []
    var position = Position.unmoved
    var attempt = Attempt.unchanged
    var beginning: Beginning?
    /// Whether another chain begins by the same writer, since the ledger can't be believed.
    var beginsAnew = false
    /// Whether runs of failures become records now.
    var endsRuns = false

    init(_ events: [AuditEvent] = [], attempt: Attempt = .unchanged) { (self.events, self.attempt) = (events, attempt) }

    /// Whether the trail's row has anything to write.
    var isEmpty: Bool {
        guard events.isEmpty, beginning == nil, !beginsAnew, !endsRuns,
            case .unmoved = position, case .unchanged = attempt
        else {
            return false
        }
        return true
    }
}
