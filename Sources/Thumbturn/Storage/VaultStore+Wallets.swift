import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite

// Wallets.
extension VaultStore {
    func add(_ wallet: WalletRecord) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run(
                "INSERT INTO wallet VALUES (?, ?, ?)",
                .blob(wallet.id.bytes),
                .blob(wallet.label),
                .blob(wallet.secret)
            )
        }
    }

    func setLabel(_ label: [UInt8], of wallet: Identifier) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("UPDATE wallet SET label = ? WHERE id = ?", .blob(label), .blob(wallet.bytes))
        }
    }

    func removeWallet(_ id: Identifier) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM wallet WHERE id = ?", .blob(id.bytes))
        }
    }

    func removeWallets() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM wallet") }
    }

    func wallet(_ id: Identifier) throws(VaultError) -> WalletRecord? {
        try storing { () throws(SQLiteError) in
            try database.rows("SELECT id, label, secret FROM wallet WHERE id = ?", .blob(id.bytes)).first
        }.map(Self.walletRecord)
    }

    /// Lends the wallets one by one as they lie in the file, which is read once; then it holds what finds them by their ids
    /// against them.
    ///
    /// - Returns: the order of their ids: the places that they were lent at.
    /// - Throws: `.vaultDamaged` for a row of another shape, or an index that leads elsewhere; and what `body` throws.
    func scanWallets(
        _ body: (Identifier, _ label: RawSpan, _ secret: RawSpan) throws(VaultError) -> Void
    ) throws(VaultError) -> [Int] {
        var ids: [Identifier] = []
        var rows: [Int64] = []
        try database.lendEachRow(
            "SELECT id, label, secret, rowid FROM wallet NOT INDEXED ORDER BY rowid",
            mapping: { VaultError($0) }
        ) { (columns) throws(VaultError) in
            let isWallet = try columns.withBlob(0) { (id) throws(VaultError) in
                try columns.withBlob(1) { (label) throws(VaultError) in
                    try columns.withBlob(2) { (secret) throws(VaultError) -> Bool in
                        guard let id = Identifier(bytes: id), label.byteCount <= WalletRecord.maximumSealedName,
                            secret.byteCount <= WalletRecord.maximumSealedSecret
                        else { return false }
                        ids.append(id)
                        try body(id, label, secret)
                        return true
                    }
                }
            }
            guard isWallet == true, let row = columns.integer(3) else { throw VaultError(.vaultDamaged) }
            rows.append(row)
        }
        return try order(of: ids, at: rows)
    }

    /// A number that changes when another connection commits.
    func contentVersion() throws(VaultError) -> Int64 { try storing(database.contentVersion) }

    /// Ends a scan of wallets that is under way on another thread, which fails then.
    func interrupt() { database.interrupt() }

    private func order(of ids: [Identifier], at rows: [Int64]) throws(VaultError) -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(ids.count)
        try database.lendEachRow("SELECT id, rowid FROM wallet ORDER BY id", mapping: { VaultError($0) }) {
            (columns) throws(VaultError) in
            guard let row = columns.integer(1), let place = rows.place(of: row),
                columns.withBlob(0, { Identifier(bytes: $0) }) == ids[place]
            else { throw VaultError(.vaultDamaged) }
            order.append(place)
        }
        // An index that names one row twice leaves another out, or is out of order.
        guard order.count == ids.count,
            zip(order, order.dropFirst()).allSatisfy({ ids[$0].precedes(ids[$1]) })
        else { throw VaultError(.vaultDamaged) }
        return order
    }

    /// Hands the wallets over one by one, in the order of their ids.
    func forEachWallet(_ body: (WalletRecord) throws(VaultError) -> Void) throws(VaultError) {
        try database.forEachRow(
            "SELECT id, label, secret FROM wallet ORDER BY id",
            mapping: { VaultError($0) }
        ) { (row) throws(VaultError) in
            try body(Self.walletRecord(row))
        }
    }

    /// Hands over whatever rows of wallets can be read, of any shape; where the table is damaged one may come twice.
    func forEachStoredWallet(_ body: (StoredWallet) -> Void) throws(VaultError) {
        // By the index, then past a damaged page of it or of the table: from the one end, and from the other.
        let queries: [StaticString] = [
            "SELECT id, label, secret FROM wallet ORDER BY id",
            "SELECT id, label, secret FROM wallet NOT INDEXED ORDER BY rowid",
            "SELECT id, label, secret FROM wallet NOT INDEXED ORDER BY rowid DESC",
        ]
        for query in queries {
            do throws(SQLiteError) {
                return try database.forEachRow(query, mapping: { $0 }) { (row) throws(SQLiteError) in
                    body(StoredWallet(id: try? row.blob(0), label: try? row.blob(1), secret: try? row.blob(2)))
                }
            } catch {
                guard error.isDamage else { throw VaultError(error) }
            }
        }
    }

    /// The file's rows by their form alone, for those that SQLite no longer reaches.
    func scan() throws(VaultError) -> RowScan {
        try RowScan(byteCount: storing(database.byteCount)) { [database] (offset, count) throws(VaultError) in
            try storing { () throws(SQLiteError) in try database.bytes(at: offset, count: count) }
        }
    }

    private static func walletRecord(_ row: SQLiteRow) throws(VaultError) -> WalletRecord {
        let stored = StoredWallet(id: try? row.blob(0), label: try? row.blob(1), secret: try? row.blob(2))
        guard let record = stored.record else { throw VaultError(.vaultDamaged) }
        return record
    }
}

extension [Int64] {
    /// Where a number stands among these, which rise; most often they have no gaps.
    fileprivate func place(of number: Int64) -> Int? {
        guard let first, let distance = Int(exactly: number.subtractingReportingOverflow(first).partialValue) else {
            return nil
        }
        if indices.contains(distance), self[distance] == number { return distance }
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if self[middle] == number { return middle }
            range = self[middle] < number ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
