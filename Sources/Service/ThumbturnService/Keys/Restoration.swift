/// The required step after a database is restored from a backup, before the service starts.
///
/// It ends all logins, and moves every account to an epoch that none of its devices has seen, so that each of them asks
/// for the password. It ends each audit log, and begins the next.
///
/// Former passwords are restored with the backup, and nothing here can tell which were changed since.
package enum Restoration {
    /// The minimum by which each epoch is raised: changing a password every minute would take two years to get there.
    private static let step: Int64 = 1 << 20

    /// Returns the new epoch.
    ///
    /// It depends on the time in milliseconds, so that each restoration of a backup gives epochs that devices have not
    /// seen at an earlier one.
    private static func epoch(after former: Int64, at now: ServiceTime) -> Int64 { max(former + step, now.count) }

    /// The result of a call.
    package struct Report: Equatable, Sendable {
        /// The number of accounts whose epoch was raised.
        package fileprivate(set) var raised = 0
        /// The number of them with a value that does not open, because it was changed or moved; it stays unchanged.
        package fileprivate(set) var refused = 0
        /// The names of the audit logs that were begun; none where the database has no ledger.
        package fileprivate(set) var origins: [String] = []
    }

    /// Raises all epochs, and seals anew the values that are bound to them.
    ///
    /// If it is interrupted, the next call continues it.
    ///
    /// - Throws: `.keyMissing`, among others, if the file of service keys lacks the one from the backup's time.
    package static func run(
        in store: any Store,
        _ keys: ServiceKeys,
        at now: ServiceTime = .now(),
        batch: Int64 = 100
    ) throws(StoreError) -> Report {
        var cursor: [UInt8]? = try begin(in: store)
        let (succession, origins) = try succession(in: store)
        var total = Report(origins: origins)
        let rows = SealedRows(batch: batch, store: store)
        while let former = cursor {
            let done = try store.transaction { transaction throws(StoreError) in
                let accounts = try rows.accounts(transaction, behind: former)
                let report = try raise(accounts, in: transaction, keys, at: now)
                // In the transaction that ends the note of progress: so it is done once.
                if accounts.isEmpty { try succession?.begin(in: transaction) }
                try note(accounts.last?.identifier, in: transaction)
                return (last: accounts.last?.identifier, report: report)
            }
            cursor = done.last
            total.raised += done.report.raised
            total.refused += done.report.refused
        }
        return total
    }

    /// Ends all logins, and records that raising has started.
    ///
    /// - Returns: the account that an interrupted run had reached; empty at the start.
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

    /// Ends the audit logs.
    ///
    /// - Returns: what begins the next ones, and their names.
    private static func succession(
        in store: any Store
    ) throws(StoreError) -> (succession: LogSuccession?, origins: [String]) {
        let (plan, service) = try store.reading { transaction throws(StoreError) in
            (try LedgerPlan.read(transaction), try ServiceName.read(transaction))
        }
        guard let plan, let service else { return (nil, []) }
        let origins = plan.next.logs.map { plan.next.origin(of: $0, of: service) }
        return (try LogSuccession(plan, of: service, in: store), origins)
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
    /// Returns the cell in a higher epoch; unchanged if it has no epoch.
    fileprivate func raised(to epoch: Int64) -> SealedCell {
        switch self {
        case .verifier(let account, _): .verifier(account: account, epoch: epoch)
        case .envelope(let account, _): .envelope(account: account, epoch: epoch)
        case .name, .sessionKey, .handshakeSecret, .contactKey, .nameKey: self
        }
    }
}
