/// A database of SQLite: its file, in a folder for this user alone, and the turn that this process's connections take to write.
///
/// SQLite lets who waits look again after ever longer naps, which leaves the file idle while threads wait; so those of one
/// process take turns before they ask it.
package final class SQLiteFile: Sendable {
    let path: String
    /// The name of a registered SQLite VFS; nil is the system's.
    let vfs: String?
    private let turn = WriteTurn()

    package init(_ path: String, vfs: String? = nil) {
        self.path = path
        self.vfs = vfs
    }

    /// Waits for the turn.
    ///
    /// - Throws: `.busy` when others keep it for 5 s.
    func takeTurn() throws(StoreError) { guard turn.take(withinSeconds: 5) else { throw .busy } }

    func endTurn() { turn.end() }
}
