/// A SQLite database in a private folder, with the queue of its writing connections.
///
/// SQLite lets a waiting writer retry at growing intervals, and a new writer can overtake it meanwhile. So writers
/// queue before they use SQLite: threads of this process for its `WriteTurn`, then processes for `ProcessLine`.
package final class SQLiteFile: Sendable {
    let path: String
    /// The name of a registered SQLite VFS; `nil` uses the default.
    let vfs: String?
    /// The schema of its tables.
    let schema: ServiceSchema
    private let turn = WriteTurn()
    private let line: ProcessLine

    package convenience init(_ path: String, vfs: String? = nil) { self.init(path, vfs: vfs, schema: .current) }

    init(_ path: String, vfs: String? = nil, schema: ServiceSchema) {
        (self.path, self.vfs, self.schema) = (path, vfs, schema)
        line = ProcessLine(beside: path)
    }

    /// Waits for the turn.
    ///
    /// - Throws: `.busy` if other writers keep it for 5 s.
    func takeTurn() throws(StoreError) {
        guard turn.take(withinSeconds: 5) else { throw .busy }
        guard line.enter(withinMilliseconds: 5_000) else {
            turn.end()
            throw .busy
        }
    }

    func endTurn() {
        line.leave()
        turn.end()
    }
}
