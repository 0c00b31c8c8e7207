internal import ThumbturnFiles

/// A SQLite database in a private folder, with the queue of its writing connections.
///
/// SQLite lets a waiting writer retry at growing intervals, and a new writer can overtake it meanwhile: beside one that
/// always has work, another process gets no turn in 5 s. So writers queue before they use SQLite: threads of this
/// process for `isWriting`, then processes for `ProcessLine`.
package final class SQLiteFile: Sendable {
    let path: String
    /// The name of a registered SQLite VFS; `nil` uses the default.
    let vfs: String?
    let schema: ServiceSchema
    private let isWriting = Monitor(false)
    private let line: ProcessLine

    package convenience init(_ path: String, vfs: String? = nil) { self.init(path, vfs: vfs, schema: .current) }

    init(_ path: String, vfs: String? = nil, schema: ServiceSchema) {
        (self.path, self.vfs, self.schema) = (path, vfs, schema)
        line = ProcessLine(beside: path)
    }

    /// Waits for the turn.
    ///
    /// - Throws: `.busy` if other threads, and then other processes, keep it for that long.
    func takeTurn(withinMilliseconds limit: Int64 = 5_000) throws(StoreError) {
        let isOurs = isWriting.wait(until: MonotonicClock.milliseconds + limit) { isWriting -> Bool? in
            guard !isWriting else { return nil }
            isWriting = true
            return true
        }
        guard isOurs == true else { throw .busy }
        guard line.enter(withinMilliseconds: limit) else {
            isWriting.change { $0 = false }
            throw .busy
        }
    }

    func endTurn() {
        line.leave()
        isWriting.change { $0 = false }
    }
}
