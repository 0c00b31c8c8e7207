import ThumbturnAudit
import ThumbturnHTTP
import ThumbturnJSON

/// An upload on its way through the sequencer, and who waits for its answer.
final class PendingUpload: Sendable {
    /// Where the log has an upload's records.
    struct Place: Equatable, Sendable {
        let firstIndex: UInt64
        let lastIndex: UInt64
        /// The time of the last one.
        let time: ServiceTime
    }

    let incoming: IncomingUpload
    /// When it has to be answered, by `MonotonicClock.milliseconds`.
    let deadline: Int64
    /// Whether the log may have it: the outcome of its commit is unknown.
    let mayBeStored: Bool
    private let reply: HTTPReply

    init(_ incoming: IncomingUpload, deadline: Int64, mayBeStored: Bool = false, reply: HTTPReply) {
        (self.incoming, self.deadline, self.mayBeStored, self.reply) = (incoming, deadline, mayBeStored, reply)
    }

    /// The same, to be judged anew behind a commit whose outcome is unknown.
    var perhapsStored: PendingUpload {
        PendingUpload(incoming, deadline: deadline, mayBeStored: true, reply: reply)
    }

    /// Refuses it; only the first answer counts.
    func refuse(_ problem: Problem) { reply(.problem(problem)) }

    /// Answers with a receipt.
    func acknowledge(_ receipt: AuditReceipt) {
        let headers = [("Content-Type", "application/json")]
        reply(HTTPResponse(status: 200, headers: headers, body: receipt.json).uncached)
    }

    /// Says that the records are stored, and their receipt is to be asked for once more.
    func postpone() {
        var response = HTTPResponse.answer([("code", "UNSIGNED")], status: 202)
        response.headers.append(("Retry-After", "1"))
        reply(response)
    }
}

/// What waits to be written to a log.
enum LedgerWork: Sendable {
    case upload(PendingUpload)
    /// A device's upload that was refused, which the log remembers (`LedgerEntry.rejected`).
    case rejected(Rejection)

    /// An upload that was refused for its content.
    struct Rejection: Sendable {
        let chain: Chain.Name
        let entry: LedgerEntry
        /// The log's size before a commit that may have stored it: the leaf from which to look for it.
        var since: UInt64?
    }

    /// The same, to be judged anew behind a commit whose outcome is unknown.
    ///
    /// - Parameter size: the log's size before that commit.
    func perhapsStored(behind size: UInt64) -> LedgerWork {
        switch self {
        case .upload(let pending): return .upload(pending.perhapsStored)
        case .rejected(var rejection):
            rejection.since = rejection.since ?? size
            return .rejected(rejection)
        }
    }

    var byteCount: Int {
        switch self {
        case .upload(let pending): pending.incoming.byteCount
        case .rejected: 256
        }
    }
}
