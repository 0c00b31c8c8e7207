internal import ThumbturnCrypto

/// Walks over all rows with sealed columns, a few per transaction, while the service keeps running.
///
/// It visits every row that exists when it starts. Rows written meanwhile may or may not be visited.
struct SealedRows {
    /// The number of rows per transaction.
    var batch: Int64 = 100
    let store: any Store

    struct Row {
        let identifier: [UInt8]
        /// The epoch of an account; 0 for all other rows.
        var epoch: Int64 = 0
        let cells: [(cell: SealedCell, box: [UInt8]?)]
        /// Writes all its cells.
        let write: (any StoreTransaction, [StoreValue]) throws(StoreError) -> Void
    }

    typealias Visit = (any StoreTransaction, Row) throws(StoreError) -> Void

    func forEach(_ visit: Visit) throws(StoreError) {
        try walk(visit, accounts)
        try walk(visit, tokens)
        try walk(visit, handshakes)
        try walk(visit, devices)
        try store.transaction { transaction throws(StoreError) in
            guard let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'name'") else { return }
            let write = { (transaction: any StoreTransaction, values: [StoreValue]) throws(StoreError) in
                try transaction.put("UPDATE keys SET value = $1 WHERE purpose = 'name'", with: values)
            }
            try visit(transaction, Row(identifier: [], cells: [(.nameKey, try row.blob(0))], write: write))
        }
    }

    /// - Parameter rows: returns the next rows after an identifier.
    private func walk(
        _ visit: Visit,
        _ rows: (any StoreTransaction, [UInt8]) throws(StoreError) -> [Row]
    ) throws(StoreError) {
        var last: [UInt8]? = []
        while let former = last {
            last = try store.transaction { transaction throws(StoreError) in
                let rows = try rows(transaction, former)
                for row in rows { try visit(transaction, row) }
                return rows.last?.identifier
            }
        }
    }

    func accounts(_ transaction: any StoreTransaction, behind identifier: [UInt8]) throws(StoreError) -> [Row] {
        try transaction.rows(
            """
            SELECT user_id, epoch, name, verifier, envelope FROM accounts WHERE user_id > $1 ORDER BY user_id LIMIT $2
            """,
            .blob(identifier),
            .integer(batch)
        ).map { row throws(StoreError) in
            let (account, epoch) = (try row.blob(0), try row.integer(1))
            let cells: [(cell: SealedCell, box: [UInt8]?)] = [
                (.name(account: account), try row.blob(2)),
                (.verifier(account: account, epoch: epoch), try row.blob(3)),
                (.envelope(account: account, epoch: epoch), try row.optionalBlob(4)),
            ]
            return Row(identifier: account, epoch: epoch, cells: cells) { transaction, values throws(StoreError) in
                let update: StaticString =
                    "UPDATE accounts SET name = $1, verifier = $2, envelope = $3 WHERE user_id = $4"
                try transaction.put(update, with: values + [.blob(account)])
            }
        }
    }

    private func tokens(_ transaction: any StoreTransaction, behind identifier: [UInt8]) throws(StoreError) -> [Row] {
        try transaction.rows(
            """
            SELECT hash, user_id, epoch, login_at, expires_at, session_key FROM tokens WHERE hash > $1
            ORDER BY hash LIMIT $2
            """,
            .blob(identifier),
            .integer(batch)
        ).map { row throws(StoreError) in
            let hash = try row.blob(0)
            let cell = SealedCell.sessionKey(
                token: hash,
                account: try row.blob(1),
                epoch: try row.integer(2),
                loginAt: try row.integer(3),
                expiresAt: try row.integer(4)
            )
            return Row(identifier: hash, cells: [(cell, try row.blob(5))]) { transaction, values throws(StoreError) in
                let update: StaticString = "UPDATE tokens SET session_key = $1 WHERE hash = $2"
                try transaction.put(update, with: values + [.blob(hash)])
            }
        }
    }

    private func devices(_ transaction: any StoreTransaction, behind identifier: [UInt8]) throws(StoreError) -> [Row] {
        try transaction.rows(
            "SELECT device_id, user_id, contact_key FROM devices WHERE device_id > $1 ORDER BY device_id LIMIT $2",
            .blob(identifier),
            .integer(batch)
        ).map { row throws(StoreError) in
            let id = try row.blob(0)
            let cell = SealedCell.contactKey(device: id, account: try row.blob(1))
            return Row(identifier: id, cells: [(cell, try row.blob(2))]) { transaction, values throws(StoreError) in
                let update: StaticString = "UPDATE devices SET contact_key = $1 WHERE device_id = $2"
                try transaction.put(update, with: values + [.blob(id)])
            }
        }
    }

    private func handshakes(_ transaction: any StoreTransaction, behind identifier: [UInt8]) throws(StoreError) -> [Row]
    {
        try transaction.rows(
            "SELECT id, user_id, epoch, secret FROM handshakes WHERE id > $1 ORDER BY id LIMIT $2",
            .blob(identifier),
            .integer(batch)
        ).map { row throws(StoreError) in
            let id = try row.blob(0)
            let cell = SealedCell.handshakeSecret(handshake: id, account: try row.blob(1), epoch: try row.integer(2))
            return Row(identifier: id, cells: [(cell, try row.blob(3))]) { transaction, values throws(StoreError) in
                let update: StaticString = "UPDATE handshakes SET secret = $1 WHERE id = $2"
                try transaction.put(update, with: values + [.blob(id)])
            }
        }
    }
}
