/// What has to follow once a database came back from a backup, before the service begins: no login goes on, and every account
/// is in an epoch that none of its devices has seen, so that each of them asks for the password.
///
/// Former passwords are back with the backup, and nothing here can tell which were changed since.
package enum Restoration {
    /// How far each epoch is raised at least: an account that changes its password every minute needs two years for as much.
    private static let step: Int64 = 1 << 20

    /// The epoch in the place of a former one: by the time in milliseconds, so that devices which saw one restoration of a backup
    /// have not seen the next one's.
    private static func epoch(after former: Int64, at now: ServiceTime) -> Int64 { max(former + step, now.count) }

    /// What a call did.
    package struct Report: Equatable, Sendable {
        /// How many accounts have a higher epoch.
        package fileprivate(set) var raised = 0
        /// In how many of them a value does not open, because somebody changed or moved it; it stays as it is.
        package fileprivate(set) var refused = 0
    }

    /// Raises all epochs, which takes sealing anew what is bound to them.
    ///
    /// Cut off, it is taken up where it was by the next call.
    ///
    /// - Throws: also `.keyMissing`, where the file of the service keys does not hold the one of the backup's time.
    package static func run(
        in store: any Store,
        _ keys: ServiceKeys,
        at now: ServiceTime = .now(),
        batch: Int64 = 100
    ) throws(StoreError) -> Report {
        var cursor: [UInt8]? = try begin(in: store)
        var total = Report()
        let rows = SealedRows(batch: batch, store: store)
        while let former = cursor {
            let done = try store.transaction { transaction throws(StoreError) in
                let accounts = try rows.accounts(transaction, behind: former)
                let report = try raise(accounts, in: transaction, keys, at: now)
                try note(accounts.last?.identifier, in: transaction)
                return (last: accounts.last?.identifier, report: report)
            }
            cursor = done.last
            total.raised += done.report.raised
            total.refused += done.report.refused
        }
        return total
    }

    /// Ends all logins, and notes that the raising has begun.
    ///
    /// - Returns: the account that an interrupted raising had reached; empty where it begins now.
    private static func begin(in store: any Store) throws(StoreError) -> [UInt8] {
        try store.transaction { transaction throws(StoreError) in
            try transaction.run("DELETE FROM tokens")
            try transaction.run("DELETE FROM handshakes")
            if let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'raised'") {
                return try row.blob(0)
            }
            try transaction.run("INSERT INTO keys (purpose, value) VALUES ('raised', $1)", .blob([]))
            return []
        }
    }

    private static func note(_ last: [UInt8]?, in transaction: any StoreTransaction) throws(StoreError) {
        if let last {
            try transaction.run("UPDATE keys SET value = $1 WHERE purpose = 'raised'", .blob(last))
        } else {
            try transaction.run("DELETE FROM keys WHERE purpose = 'raised'")
        }
    }

    private static func raise(
        _ accounts: [SealedRows.Row],
        in transaction: any StoreTransaction,
        _ keys: ServiceKeys,
        at now: ServiceTime
    ) throws(StoreError) -> Report {
        let sealer = try keys.sealer(in: transaction)
        var report = Report()
        for account in accounts {
            let epoch = Self.epoch(after: account.epoch, at: now)
            var isWhole = true
            var values: [StoreValue] = []
            for (cell, box) in account.cells {
                do throws(StoreError) {
                    values.append(.optional(try raised(box, cell, to: epoch, keys, sealer)))
                } catch {
                    guard error == .tampered else { throw error }
                    isWhole = false
                    values.append(.optional(box))
                }
            }
            try account.write(transaction, values)
            let update: StaticString = "UPDATE accounts SET epoch = $1 WHERE user_id = $2"
            try transaction.run(update, .integer(epoch), .blob(account.identifier))
            report.raised += 1
            if !isWhole { report.refused += 1 }
        }
        return report
    }

    private static func raised(
        _ box: [UInt8]?,
        _ cell: SealedCell,
        to epoch: Int64,
        _ keys: ServiceKeys,
        _ sealer: Sealer
    ) throws(StoreError) -> [UInt8]? {
        guard let box else { return nil }
        return try sealer.seal(try keys.open(box, cell), cell.raised(to: epoch))
    }
}

extension SealedCell {
    /// The same cell of an account in a higher epoch; itself where it has none.
    fileprivate func raised(to epoch: Int64) -> SealedCell {
        switch self {
        case .verifier(let account, _): .verifier(account: account, epoch: epoch)
        case .envelope(let account, _): .envelope(account: account, epoch: epoch)
        case .name, .sessionKey, .handshakeSecret, .contactKey, .nameKey: self
        }
    }
}
