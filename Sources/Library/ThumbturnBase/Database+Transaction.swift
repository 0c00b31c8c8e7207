package import ThumbturnRules
package import ThumbturnSQLite

extension Database {
    /// Runs `body` in one transaction: durable when this returns, undone when it throws.
    ///
    /// - Parameter isFlushed: false if a power loss may undo it until the next transaction or the close.
    package func transaction<Result>(
        isFlushed: Bool = true,
        _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        if !isFlushed { try storing { () throws(SQLiteError) in try flushCommits(false) } }
        // If this fails, so does every later call.
        defer { if !isFlushed { try? flushCommits(true) } }
        try storing(begin)
        do {
            let result = try body()
            try storing(commit)
            return result
        } catch {
            rollback()
            throw error
        }
    }
}
