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

    /// Lends the wallets one by one as they lie in the file, from behind a row on.
    ///
    /// - Parameters:
    ///   - row: the number of the row before the first; the least of all for the whole table.
    ///   - body: lent the row's number, and what is in it; false ends the scan.
    /// - Throws: `.vaultDamaged` for a row of another shape.
    func scanWallets(
        behind row: Int64,
        _ body: (_ row: Int64, Identifier, _ label: RawSpan, _ secret: RawSpan) -> Bool
    ) throws(VaultError) {
        var areWallets = true
        try storing { () throws(SQLiteError) in
            try database.lendEachRow(
                "SELECT id, label, secret, rowid FROM wallet NOT INDEXED WHERE rowid > ? ORDER BY rowid",
                .integer(row)
            ) { columns in
                var goesOn: Bool?
                let row = columns.integer(3)
                _ = columns.withThreeBlobs { id, label, secret in
                    guard let row, let id = Identifier(bytes: id), label.byteCount <= WalletRecord.maximumSealedName,
                        secret.byteCount <= WalletRecord.maximumSealedSecret
                    else { return }
                    goesOn = body(row, id, label, secret)
                }
                areWallets = goesOn != nil
                return goesOn == true
            }
        }
        guard areWallets else { throw VaultError(.vaultDamaged) }
    }

    /// Lends what finds the wallets by their ids: each id in their order, and the number of its row.
    ///
    /// - Parameter body: false says that this leads elsewhere.
    /// - Throws: `.vaultDamaged` then.
    func scanWalletIDs(_ body: (Identifier, _ row: Int64) -> Bool) throws(VaultError) {
        var isSound = true
        try storing { () throws(SQLiteError) in
            try database.lendEachRow("SELECT id, rowid FROM wallet ORDER BY id") { columns in
                isSound = false
                guard let row = columns.integer(1) else { return false }
                _ = columns.withBlob(0) { id in
                    if let id = Identifier(bytes: id) { isSound = body(id, row) }
                }
                return isSound
            }
        }
        guard isSound else { throw VaultError(.vaultDamaged) }
    }

    /// Some wallets as they lie in the file, from behind a row on: at most 32.
    func wallets(behind row: Int64) throws(VaultError) -> [(row: Int64, record: WalletRecord)] {
        let rows = try storing { () throws(SQLiteError) in
            try database.rows(
                "SELECT id, label, secret, rowid FROM wallet NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT 32",
                .integer(row)
            )
        }
        var wallets: [(row: Int64, record: WalletRecord)] = []
        for row in rows {
            guard let number = try? row.integer(3) else { throw VaultError(.vaultDamaged) }
            wallets.append((row: number, record: try Self.walletRecord(row)))
        }
        return wallets
    }

    /// A number that changes when another connection commits.
    func contentVersion() throws(VaultError) -> Int64 { try storing(database.contentVersion) }

    /// Ends a scan of wallets that is under way on another thread, which fails then.
    func interrupt() { database.interrupt() }

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
