/// What has to follow once a database came back from a backup, before the service begins: no login goes on, and every account is in
/// an epoch that none of its devices has seen, so that each of them asks for the password.
///
/// Former passwords are back with the backup, and nothing here can tell which were changed since.
package enum Restoration {
    /// How far each epoch is raised: an account that changes its password every minute needs two years for as much.
    package static let step: Int64 = 1 << 20

    /// Raises all epochs, which takes sealing anew what is bound to them. Cut off, it is taken up where it was.
    ///
    /// - Returns: how many accounts were raised by this call, and how many have values that do not open; those are left as they
    ///   are, and nobody logs in there.
    package static func run(
        in store: any Store,
        _ keys: ServiceKeys,
        batch: Int64 = 100
    ) throws(StoreError) -> (raised: Int, refused: Int) {
        var cursor = try begin(in: store)
        var total = (raised: 0, refused: 0)
        let rows = SealedRows(batch: batch, store: store)
        while true {
            let done = try store.transaction { transaction throws(StoreError) in
                try raise(rows.accounts(transaction, behind: cursor), in: transaction, keys)
            }
            guard let last = done.last else { return total }
            total = (total.raised + done.raised, total.refused + done.refused)
            cursor = last
        }
    }

    /// Ends all logins, and notes that the raising has begun.
    ///
    /// - Returns: the account that a raising which was cut off has come to.
    private static func begin(in store: any Store) throws(StoreError) -> [UInt8] {
        try store.transaction { transaction throws(StoreError) in
            try transaction.run("DELETE FROM tokens")
            try transaction.run("DELETE FROM handshakes")
            if let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'raised'") { return try row.blob(0) }
            try transaction.run("INSERT INTO keys (purpose, value) VALUES ('raised', $1)", .blob([]))
            return []
        }
    }

    private static func raise(
        _ rows: [SealedRows.Row],
        in transaction: any StoreTransaction,
        _ keys: ServiceKeys
    ) throws(StoreError) -> (last: [UInt8]?, raised: Int, refused: Int) {
        let sealer = try keys.sealer(in: transaction)
        var refused = 0
        for row in rows {
            do throws(StoreError) { try raise(row, in: transaction, keys, sealer) } catch {
                guard error == .tampered || error == .keyMissing else { throw error }
                refused += 1
            }
        }
        guard let last = rows.last else {
            try transaction.run("DELETE FROM keys WHERE purpose = 'raised'")
            return (nil, 0, 0)
        }
        try transaction.run("UPDATE keys SET value = $1 WHERE purpose = 'raised'", .blob(last.identifier))
        return (last.identifier, rows.count - refused, refused)
    }

    private static func raise(
        _ row: SealedRows.Row,
        in transaction: any StoreTransaction,
        _ keys: ServiceKeys,
        _ sealer: Sealer
    ) throws(StoreError) {
        for (cell, box) in row.cells {
            guard let box, let (higher, epoch) = cell.raised(by: step) else { continue }
            let sealed = try sealer.seal(try keys.open(box, cell), higher)
            switch higher {
            case .verifier(let account, _):
                let update: StaticString = "UPDATE accounts SET verifier = $1, epoch = $2 WHERE user_id = $3"
                try transaction.run(update, .blob(sealed), .integer(epoch), .blob(account))
            case .envelope(let account, _):
                let update: StaticString = "UPDATE accounts SET envelope = $1 WHERE user_id = $2"
                try transaction.run(update, .blob(sealed), .blob(account))
            case .name, .sessionKey, .handshakeSecret, .nameKey: continue
            }
        }
    }
}

extension SealedCell {
    /// The same cell of an account in a higher epoch; nil where it has none.
    fileprivate func raised(by step: Int64) -> (SealedCell, Int64)? {
        switch self {
        case .verifier(let account, let epoch): (.verifier(account: account, epoch: epoch + step), epoch + step)
        case .envelope(let account, let epoch): (.envelope(account: account, epoch: epoch + step), epoch + step)
        case .name, .sessionKey, .handshakeSecret, .nameKey: nil
        }
    }
}
