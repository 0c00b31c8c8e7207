import ThumbturnFiles
import ThumbturnRules

/// What an auditor polls: the leaves of all logs, up to their signed heads, a page at a time.
///
/// A page begins where the cursor of the one before ended, so each leaf comes once, and in the order of its log. Logs
/// take turns, a transaction each. One that can't be read is left out as long as others have lines, and stays where it
/// was.
struct LedgerFeed {
    /// The most lines of a page.
    static let mostLines = 1_000
    /// How long a page waits for logs that can't be read.
    private static let patience: Int64 = 5_000

    let store: any Store
    let plan: LedgerPlan
    /// The device whose records alone are asked for.
    let device: Identifier?

    /// Lines with their newlines, and where the next page begins.
    struct Page {
        fileprivate(set) var lines: [UInt8] = []
        fileprivate(set) var count = 0
        fileprivate(set) var cursor: FeedCursor
        /// The logs that could not be read, and why the last of them.
        fileprivate(set) var unread: Set<Int64> = []
        fileprivate(set) var failure: StoreError?
    }

    /// Reads a page.
    ///
    /// - Parameter unread: logs that could not be read the last time, which come last.
    /// - Returns: `nil` for a cursor that is ahead of a log, or names one that there is not.
    func page(after cursor: FeedCursor, avoiding unread: Set<Int64> = [], most: Int = mostLines) -> Page? {
        let logs = plan.allLogs
        guard cursor.end <= Int64(logs.count), cursor.turn < Int64(logs.count) else { return nil }
        let turned = logs[Int(cursor.turn)...] + logs[..<Int(cursor.turn)]
        let order = turned.filter { !unread.contains($0) } + turned.filter(unread.contains)
        let deadline = MonotonicClock.milliseconds + Self.patience
        var page = Page(cursor: cursor)
        var ended: Set<Int64> = []
        for log in order {
            guard page.count < most, page.failure == nil || MonotonicClock.milliseconds < deadline else { break }
            guard let position = cursor[log] else { continue }
            do throws(StoreError) {
                guard let part = try part(of: log, from: position, most: most - page.count) else { return nil }
                page.add(part, of: log)
                if part.isEnd { ended.insert(log) }
            } catch {
                page.failure = error
                page.unread.insert(log)
            }
        }
        guard page.count > 0 else {
            page.cursor = cursor
            return page
        }
        page.cursor.turn = (page.cursor.turn + 1) % Int64(logs.count)
        while ended.contains(page.cursor.first), page.cursor.first < Int64(logs.count) - 1 { page.cursor.leaveFirst() }
        return page
    }
}

// One log's lines.
extension LedgerFeed {
    fileprivate struct Part {
        var lines: [UInt8] = []
        var count = 0
        var position: UInt64
        /// Whether the log has ended, and nothing is left of it.
        var isEnd = false
    }

    /// - Returns: `nil` for a position that the log has not got.
    private func part(of log: Int64, from position: UInt64, most: Int) throws(StoreError) -> Part? {
        let part = try LedgerReader(store).read(log) { log throws(StoreError) -> Part? in
            var part = Part(position: position)
            // A database that was restored may have less of its former logs than was read.
            guard position <= log.size || log.head.isEnded else { return nil }
            let spans = try spans(of: log, from: position, most: most)
            var views = try spans.isEmpty ? nil : LeafViews(of: log)
            for span in spans where part.count < most {
                let end = min(span.upperBound, span.lowerBound + UInt64(most - part.count))
                for (place, leaf) in try log.leaves(from: span.lowerBound, to: end).enumerated() {
                    part.lines += try views?.line(of: leaf, at: span.lowerBound + UInt64(place)) ?? leaf
                    part.lines.append(UInt8(ascii: "\n"))
                    part.count += 1
                }
                part.position = end
            }
            if log.head.isEnded, part.count < most {
                part.isEnd = true
                part.position = max(part.position, log.size)
            }
            return part
        }
        // A log that signed nothing yet has nothing to read.
        guard let part else { return position == 0 ? Part(position: 0) : nil }
        return part
    }

    private func spans(of log: SignedLog, from index: UInt64, most: Int) throws(StoreError) -> [Range<UInt64>] {
        guard let device else { return index < log.size ? [index..<log.size] : [] }
        return try log.spans(of: device, behind: index, most: Int64(most))
    }
}

extension LedgerFeed.Page {
    fileprivate mutating func add(_ part: LedgerFeed.Part, of log: Int64) {
        lines += part.lines
        count += part.count
        cursor.advance(log, to: part.position)
        if part.count > 0 { cursor.turn = log }
    }
}
