import ThumbturnAudit
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

// What auditors' calls have in common.
extension Exchange {
    /// Refuses a request without an auditor's token.
    func auditor() throws(Problem) {
        worker.trace.auditor = try store.looking { tables throws(Problem) in try tables.auditor(caller.token) }
    }

    /// The number of the log that the path names, or else of the first that is written to.
    func log() throws(Problem) -> Int64 {
        let plan = try plan()
        guard let text = request.parameters["log"] else { return plan.logs[0] }
        guard let number = Self.number(text) else { throw .form("log") }
        guard let log = Int64(exactly: number), log < Int64(plan.allLogs.count) else { throw Problem(.logUnknown) }
        return log
    }

    private func plan() throws(Problem) -> LedgerPlan {
        if let ledger = worker.service.ledger { return ledger.plan }
        let plan: LedgerPlan?
        do throws(StoreError) { plan = try LedgerReader(store).plan() } catch { throw Problem(store: error) }
        guard let plan else { throw .wait(.seconds(2), .storeUnavailable) }
        return plan
    }

    /// Reads from a log, of which a head has to be signed.
    func reading<R>(_ log: Int64, _ body: (SignedLog) throws(StoreError) -> R) throws(Problem) -> R {
        let found: R?
        do throws(StoreError) { found = try LedgerReader(store).read(log, body) } catch { throw Problem(store: error) }
        guard let found else { throw .wait(.seconds(1), .headMissing) }
        return found
    }

    /// Reads a page of all logs; `nil` for a cursor of another service.
    ///
    /// - Throws: why a log could not be read, where no other has a line.
    func page(after cursor: FeedCursor, of device: Identifier?) throws(Problem) -> LedgerFeed.Page? {
        let feed = LedgerFeed(store: store, plan: try plan(), device: device)
        guard let page = feed.page(after: cursor, avoiding: worker.unreadLogs) else { return nil }
        worker.unreadLogs = page.unread
        worker.trace.failure = page.failure
        if page.count == 0, let failure = page.failure { throw Problem(store: failure) }
        return page
    }

    /// Which proof is asked for.
    func question() throws(Problem) -> ProofQuestion {
        let given = (index: try query("index"), size: try query("size"), from: try query("from"), to: try query("to"))
        func number(_ text: String?, _ name: String) throws(Problem) -> UInt64 {
            guard let number = text.flatMap(Self.number) else { throw .form(name) }
            return number
        }
        if given.from != nil || given.to != nil {
            guard given.index == nil, given.size == nil else { throw .form("from") }
            let (from, to) = (try number(given.from, "from"), try number(given.to, "to"))
            guard from <= to else { throw .form("from") }
            return .consistency(from: from, to: to)
        }
        let (index, size) = (try number(given.index, "index"), try number(given.size, "size"))
        guard index < size else { throw .form("index") }
        return .inclusion(index: index, size: size)
    }

    /// Reads a number in its one form: digits, without a zero before others, at most 2^53 − 1.
    private static func number(_ text: String) -> UInt64? {
        guard let number = UInt64(text), number <= UInt64(JSON.wholeNumbers.upperBound),
            String(number).utf8.elementsEqual(text.utf8)
        else { return nil }
        return number
    }
}

/// What a proof is to prove.
enum ProofQuestion {
    case inclusion(index: UInt64, size: UInt64)
    case consistency(from: UInt64, to: UInt64)

    /// Returns the hashes; `nil` where no signed head reaches so far.
    func answer(by log: SignedLog) throws(StoreError) -> [[UInt8]]? {
        switch self {
        case .inclusion(let index, let size): try log.inclusion(of: index, in: size)
        case .consistency(let from, let to): try log.consistency(from: from, to: to)
        }
    }

    /// The question, as the answer repeats it.
    var members: [(String, JSON)] {
        switch self {
        case .inclusion(let index, let size):
            [("index", .integer(Int64(clamping: index))), ("size", .integer(Int64(clamping: size)))]
        case .consistency(let from, let to):
            [("from", .integer(Int64(clamping: from))), ("to", .integer(Int64(clamping: to)))]
        }
    }
}

extension HTTPAnswer {
    /// An answer with a tile: a whole one stays as it is for ever, and may be kept.
    ///
    /// - Parameter bytes: `nil` where no signed head covers it.
    static func tile(_ bytes: [UInt8]?, isWhole: Bool, isPublic: Bool) throws(Problem) -> HTTPAnswer {
        guard let bytes else { throw Problem(.beyondHead) }
        let kept = "\(isPublic ? "public" : "private"), max-age=31536000, immutable"
        return .now(.bytes(bytes, type: "application/octet-stream", caching: isWhole ? kept : "no-store"))
    }
}
