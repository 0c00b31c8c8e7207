/// A database of SQLite: its file, in a folder for this user alone, and the turns that its connections take to write.
///
/// Under SQLite a waiting writer looks again after ever longer naps, and one that comes along meanwhile goes first. So writers
/// stand in line before they ask it: threads of this process for its `WriteTurn`, and then processes for `ProcessLine`.
package final class SQLiteFile: Sendable {
    let path: String
    /// The name of a registered SQLite VFS; nil is the system's.
    let vfs: String?
    /// The tables that are in it.
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
    /// - Throws: `.busy` when others keep it for 5 s.
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
