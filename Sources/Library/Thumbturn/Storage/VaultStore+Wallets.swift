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
                "INSERT INTO wallet VALUES (?, ?, ?, ?)",
                .blob(wallet.id.bytes),
                .blob(wallet.tag.bytes),
                .blob(wallet.label),
                .blob(wallet.secret)
            )
        }
    }

    /// Replaces a wallet's label and tag by those of `record`.
    func rename(_ record: WalletRecord) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run(
                "UPDATE wallet SET tag = ?, label = ? WHERE id = ?",
                .blob(record.tag.bytes),
                .blob(record.label),
                .blob(record.id.bytes)
            )
        }
    }

    func removeWallet(_ id: Identifier) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM wallet WHERE id = ?", .blob(id.bytes))
        }
    }

    func removeWallets() throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM wallet")
        }
    }

    func wallet(_ id: Identifier) throws(VaultError) -> WalletRecord? {
        try storing { () throws(SQLiteError) in
            try database.rows("SELECT id, tag, label, secret FROM wallet WHERE id = ?", .blob(id.bytes)).first
        }.map(Self.walletRecord)
    }

    /// Lends the wallets one by one in file order.
    ///
    /// - Parameters:
    ///   - row: the least row number; `Int64.min` for the whole table.
    ///   - body: receives the row's number and columns; returns false to end the scan.
    /// - Throws: `.vaultDamaged` for a row of another shape.
    func scanWallets(
        from row: Int64,
        _ body: (_ row: Int64, Identifier, _ tag: Identifier, _ label: RawSpan, _ secret: RawSpan) -> Bool
    ) throws(VaultError) {
        var areWallets = true
        try storing { () throws(SQLiteError) in
            try database.lendEachRow(
                "SELECT id, tag, label, secret, rowid FROM wallet NOT INDEXED WHERE rowid >= ? ORDER BY rowid",
                .integer(row)
            ) { columns in
                guard let row = columns.integer(4) else {
                    areWallets = false
                    return false
                }
                var goesOn = false
                areWallets = columns.withWallet { id, tag, label, secret in
                    goesOn = body(row, id, tag, label, secret)
                }
                return goesOn
            }
        }
        guard areWallets else { throw VaultError(.vaultDamaged) }
    }

    /// Returns the rows of a bucket, unordered.
    ///
    /// - Throws: `.vaultDamaged` for a row of another shape.
    func entries(in bucket: Int) throws(VaultError) -> [WalletIndex.Entry] {
        let first = Identifier(high: UInt64(bucket) << 58, low: 0)
        let last = Identifier(high: first.high | (.max >> 6), low: .max)
        return try entries(
            "SELECT id, tag, label, secret FROM wallet INDEXED BY wallet_by_tag WHERE tag BETWEEN ? AND ?",
            .blob(first.bytes),
            .blob(last.bytes)
        )
    }

    /// Rows that may be in the same page as a row, or in adjacent pages.
    struct RowsInPages {
        let range: ClosedRange<Int64>
        let rows: [WalletIndex.Entry]
    }

    /// Returns the rows around a wallet's, or at the end of the table; nil where a new row may come anywhere.
    func rows(near id: Identifier?) throws(VaultError) -> RowsInPages? {
        // A page has some 20 rows of usual size, and changing one may move rows between three pages.
        let range = try storing { () throws(SQLiteError) -> ClosedRange<Int64>? in
            func number(_ sql: StaticString, _ value: SQLiteValue) throws(SQLiteError) -> Int64? {
                guard let row = try database.rows(sql, value).first else { return nil }
                return try? row.integer(0)
            }
            var middle: Int64?
            if let id { middle = try number("SELECT rowid FROM wallet WHERE id = ?", .blob(id.bytes)) }
            let first = try number(
                "SELECT min(rowid) FROM (SELECT rowid FROM wallet WHERE rowid <= ? ORDER BY rowid DESC LIMIT 64)",
                .integer(middle ?? .max)
            )
            guard let middle else {
                let last = try number("SELECT max(rowid) FROM wallet WHERE rowid >= ?", .integer(.min))
                // Behind the last number SQLite draws one at random.
                return last == .max ? nil : (first ?? .min)...(.max)
            }
            let last = try number(
                "SELECT max(rowid) FROM (SELECT rowid FROM wallet WHERE rowid >= ? ORDER BY rowid LIMIT 64)",
                .integer(middle)
            )
            return (first ?? middle)...(last ?? middle)
        }
        guard let range else { return nil }
        return RowsInPages(range: range, rows: try rows(in: range))
    }

    /// Returns the rows with these numbers.
    func rows(in range: ClosedRange<Int64>) throws(VaultError) -> [WalletIndex.Entry] {
        try entries(
            "SELECT id, tag, label, secret FROM wallet NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid",
            .integer(range.lowerBound),
            .integer(range.upperBound)
        )
    }

    private func entries(
        _ sql: StaticString,
        _ first: SQLiteValue,
        _ last: SQLiteValue
    ) throws(VaultError) -> [WalletIndex.Entry] {
        var entries: [WalletIndex.Entry] = []
        var digester = WalletRecord.Digester()
        var areWallets = true
        try storing { () throws(SQLiteError) in
            try database.lendEachRow(sql, first, last) { columns in
                areWallets = columns.withWallet { id, tag, label, secret in
                    let digest = digester.digest(of: id, tag: tag, label: label, secret: secret)
                    entries.append(WalletIndex.Entry(tag: tag, id: id, digest: digest))
                }
                return areWallets
            }
        }
        guard areWallets else { throw VaultError(.vaultDamaged) }
        return entries
    }

    /// Returns the stored digests of the buckets; nil when there are none, or they can't be read.
    func walletIndex() throws(VaultError) -> [UInt8]? {
        try storing { () throws(SQLiteError) in
            do throws(SQLiteError) {
                return try database.rows("SELECT digests FROM wallet_index").first?.blob(0)
            } catch  where error.isDamage {
                return nil
            }
        }
    }

    /// Whether the table of the digests is damaged; requires that no transaction is open, which would commit nothing after.
    func walletIndexIsLost() throws(VaultError) -> Bool {
        try storing { () throws(SQLiteError) in
            do throws(SQLiteError) {
                _ = try database.rows("SELECT digests FROM wallet_index")
                return false
            } catch  where error.isDamage {
                return true
            }
        }
    }

    /// Replaces the digests of the buckets; requires a transaction.
    func setWalletIndex(_ digests: [UInt8]) throws(VaultError) {
        try removeWalletIndex()
        try storing { () throws(SQLiteError) in
            try database.run("INSERT INTO wallet_index VALUES (1, ?)", .blob(digests))
        }
    }

    func removeWalletIndex() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM wallet_index") }
    }

    /// Returns at most 32 wallets in file order, from a row number on.
    func wallets(from row: Int64) throws(VaultError) -> [(row: Int64, record: WalletRecord)] {
        let rows = try storing { () throws(SQLiteError) in
            try database.rows(
                "SELECT id, tag, label, secret, rowid FROM wallet NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 32",
                .integer(row)
            )
        }
        var wallets: [(row: Int64, record: WalletRecord)] = []
        for row in rows {
            guard let number = try? row.integer(4) else { throw VaultError(.vaultDamaged) }
            wallets.append((row: number, record: try Self.walletRecord(row)))
        }
        return wallets
    }

    /// Returns whether the file has no free page that a write could reuse.
    func hasNoFreePages() throws(VaultError) -> Bool {
        try storing { () throws(SQLiteError) in try database.hasNoFreePages() }
    }

    /// Returns a number that changes when another connection commits.
    func contentVersion() throws(VaultError) -> Int64 { try storing(database.contentVersion) }

    /// Interrupts a scan of wallets on another thread, which then fails.
    func interrupt() { database.interrupt() }

    /// Calls `body` with the wallets one by one, in file order.
    func forEachWallet(_ body: (WalletRecord) throws(VaultError) -> Void) throws(VaultError) {
        try database.forEachRow(
            "SELECT id, tag, label, secret FROM wallet NOT INDEXED ORDER BY rowid",
            mapping: { VaultError($0) }
        ) { (row) throws(VaultError) in
            try body(Self.walletRecord(row))
        }
    }

    /// Calls `body` with every wallet row that can be read, of any shape; in a damaged table a row may come twice.
    func forEachStoredWallet(_ body: (StoredWallet) -> Void) throws(VaultError) {
        // Read by the index, then past a damaged page of index or table: from one end, and from the other.
        let queries: [StaticString] = [
            "SELECT id, tag, label, secret FROM wallet ORDER BY id",
            "SELECT id, tag, label, secret FROM wallet NOT INDEXED ORDER BY rowid",
            "SELECT id, tag, label, secret FROM wallet NOT INDEXED ORDER BY rowid DESC",
        ]
        for query in queries {
            do throws(SQLiteError) {
                return try database.forEachRow(query, mapping: { $0 }) { (row) throws(SQLiteError) in
                    body(StoredWallet(row))
                }
            } catch {
                guard error.isDamage else { throw VaultError(error) }
            }
        }
    }

    /// Scans the file's rows by their form alone, for those that SQLite can't reach.
    func scan() throws(VaultError) -> RowScan {
        try RowScan(byteCount: storing(database.byteCount)) { [database] (offset, count) throws(VaultError) in
            try storing { () throws(SQLiteError) in try database.bytes(at: offset, count: count) }
        }
    }

    private static func walletRecord(_ row: SQLiteRow) throws(VaultError) -> WalletRecord {
        guard let record = StoredWallet(row).record else { throw VaultError(.vaultDamaged) }
        return record
    }
}

extension StoredWallet {
    fileprivate init(_ row: SQLiteRow) {
        self.init(id: try? row.blob(0), tag: try? row.blob(1), label: try? row.blob(2), secret: try? row.blob(3))
    }
}

extension SQLiteColumns {
    /// Lends a wallet's columns, which are the first four.
    ///
    /// - Returns: false for a row of another shape.
    fileprivate borrowing func withWallet(
        _ body: (Identifier, _ tag: Identifier, _ label: RawSpan, _ secret: RawSpan) -> Void
    ) -> Bool {
        var isWallet = false
        _ = withFourBlobs { id, tag, label, secret in
            guard let id = Identifier(bytes: id), let tag = Identifier(bytes: tag),
                label.byteCount <= WalletRecord.maximumSealedName,
                secret.byteCount <= WalletRecord.maximumSealedSecret
            else { return }
            isWallet = true
            body(id, tag, label, secret)
        }
        return isWallet
    }
}
