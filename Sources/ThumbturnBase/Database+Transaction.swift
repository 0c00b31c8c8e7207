package import ThumbturnRules
package import ThumbturnSQLite

extension Database {
    /// Runs `body` in one transaction: durable when this returns, undone when it throws.
    package func transaction<Result>(_ body: () throws(VaultError) -> Result) throws(VaultError) -> Result {
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
