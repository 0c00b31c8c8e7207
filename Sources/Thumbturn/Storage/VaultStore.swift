import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite

/// The vault's database: rows in and out, one transaction for one transition.
///
/// It knows no keys and verifies nothing.
final class VaultStore {
    static let fileName = "vault.sqlite"

    static let format = Database.Format(applicationID: 0x5442_5631, schema: tables)  // "TBV1"
        .next()  // 2: a head of format 2
        .next()  // 3: a ledger of format 2
        .next(  // 4: each slot's row twice; a head of format 3, a slot of format 2
            schema: tables + [tableOfCopies],
            upgrade: [tableOfCopies, "INSERT INTO slot_copy SELECT id, record, x'' FROM slot"]
        )
        // 5: an account: a head of format 4, a ledger and a slot of format 3, and what opens without its service
        .next(
            schema: tables + [tableOfCopies, tableOfOfflineLogin],
            upgrade: [tableOfOfflineLogin]
        )
        .next()  // 6: a head of format 5

    private static let tables = [
        "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL, mac BLOB NOT NULL)",
        "CREATE TABLE slot (id BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE wallet (id BLOB PRIMARY KEY, label BLOB NOT NULL, secret BLOB NOT NULL)",
        "CREATE TABLE attempt_ledger (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL, mac BLOB NOT NULL)",
        "CREATE TABLE leftover (item TEXT PRIMARY KEY, tag BLOB) WITHOUT ROWID",
    ]
    private static let tableOfCopies =
        "CREATE TABLE slot_copy (id BLOB PRIMARY KEY, record BLOB NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID"
    private static let tableOfOfflineLogin =
        "CREATE TABLE offline_login (id INTEGER PRIMARY KEY CHECK (id = 1), box BLOB NOT NULL)"
    private static let versionWithMarks: Int32 = 3
    private static let versionWithCopies: Int32 = 4
    private static let versionWithAccounts: Int32 = 5

    /// A body and its tag as stored: only a verification says that they belong together.
    struct TaggedRow: Equatable {
        let body: [UInt8]
        let mac: [UInt8]

        static let unreadable = TaggedRow(body: [], mac: [])

        /// SHA-256 of both: what a ledger names a head by.
        var digest: [UInt8] { SHA256.digest(body, mac) }
    }

    /// An item to delete.
    ///
    /// What is noted here is not authenticated; the tag is what only the item itself could have given.
    struct Leftover: Equatable {
        let item: ItemName
        var tag: [UInt8]?
    }

    /// The second row of a slot.
    struct SlotCopy: Equatable {
        let id: [UInt8]
        let record: [UInt8]
        /// SHA-256 of the record: tells which of two rows that differ was damaged, where no head does.
        let digest: [UInt8]
    }

    /// A table without which a vault still opens.
    enum Table {
        case slot, slotCopy, leftover
    }

    /// Everything but the wallets, read in one transaction.
    struct Contents {
        var head: TaggedRow?
        var slots: [(id: [UInt8], record: [UInt8])] = []
        /// The second row of each slot; nil in a file of a version that kept one.
        var copies: [SlotCopy]?
        /// The tables that can't be read, or not whole.
        var lost: Set<Table> = []
        var ledger: TaggedRow?
        /// Items of the secure store that nothing refers to, or that nothing will refer to unless a transition commits.
        var leftovers: [Leftover] = []

        /// Whether head and slots, all that is parsed, are the same bytes.
        func hasRows(of other: Contents) -> Bool {
            head == other.head && slots.elementsEqual(other.slots, by: ==) && copies == other.copies
        }
    }

    private let database: Database

    /// Makes the database in `folder`, and the folder when it is missing.
    init(creatingIn folder: String, named name: String = fileName, vfs: String?) throws(VaultError) {
        let path = folder + "/" + name
        do {
            database = try Database(creating: path, format: Self.format, vfs: vfs)
        } catch .cannotOpen where Database.presence(of: path) == .present {
            throw VaultError(.vaultExists)
        } catch {
            throw VaultError(error)
        }
    }

    /// Opens the database in `folder`.
    ///
    /// - Throws: `.vaultMissing` only when it is certain that there is none.
    init(openingIn folder: String, named name: String = fileName, vfs: String?) throws(VaultError) {
        let path = folder + "/" + name
        switch Database.presence(of: path) {
        case .absent: throw VaultError(.vaultMissing)
        case .unreachable(let code): throw VaultError("lstat", errno: code)
        case .present: break
        }
        database = try storing { () throws(SQLiteError) in
            try Database(opening: path, format: Self.format, vfs: vfs)
        }
    }

    func close() { database.close() }

    /// Removes a database with what a crash may have left beside it: a stale log would block the next one of this name.
    static func removeFiles(named name: String, in folder: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { FileCopy.remove(folder + "/" + name + suffix) }
    }

    /// Runs `body` in one transaction: durable when this returns, undone when it throws.
    ///
    /// - Parameter isFlushed: false where a power loss may undo it, until the next transaction or the close.
    func transaction<Result>(
        isFlushed: Bool = true,
        _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try database.transaction(isFlushed: isFlushed, body)
    }

    /// Overwrites what was deleted, in the log too.
    func eraseDeleted() throws(VaultError) { try storing(database.truncateLog) }

    func contents() throws(VaultError) -> Contents {
        try storing { () throws(SQLiteError) in
            try database.beginRead()
            defer { database.rollback() }
            return try readContents()
        }
    }

    /// The same within a transaction, as it would be committed, but for tables that are known to be lost: once SQLite saw
    /// damage it commits nothing.
    func contentsSoFar(without lost: Set<Table>) throws(VaultError) -> Contents {
        try storing { () throws(SQLiteError) in try readContents(without: lost) }
    }

    private func readContents(without lost: Set<Table> = []) throws(SQLiteError) -> Contents {
        var contents = Contents()
        contents.lost = lost
        contents.head = try row(of: "SELECT body, mac FROM head")
        contents.ledger = try row(of: "SELECT body, mac FROM attempt_ledger")
        try readSlots(into: &contents)
        // Half a vault is none that was being made or erased.
        guard contents.lost.isDisjoint(with: [.slot, .slotCopy]) || !contents.hasNoSlots else { throw .corrupt }
        // Nor are wallets that nothing opens: with them a vault is made in one transaction, and erased in one.
        if contents.holdsNothing {
            guard try database.rows("SELECT 1 FROM wallet LIMIT 1").isEmpty else { throw .corrupt }
        }
        // Notes only say what may be deleted.
        try read(.leftover, into: &contents) { (contents) throws(SQLiteError) in contents.leftovers = try leftovers() }
        return contents
    }

    private func read(
        _ table: Table,
        into contents: inout Contents,
        _ body: (inout Contents) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard !contents.lost.contains(table) else { return }
        do throws(SQLiteError) { try body(&contents) } catch  where error.isDamage { contents.lost.insert(table) }
    }

    /// The one row of a table.
    ///
    /// What can't be read, a column of another type, and a row beside another count as a row with nothing in it, which no tag is
    /// of: the next one takes the place of all.
    private func row(of query: StaticString) throws(SQLiteError) -> TaggedRow? {
        do throws(SQLiteError) {
            let rows = try database.rows(query)
            guard rows.count <= 1 else { return .unreadable }
            return rows.first.map { TaggedRow(body: (try? $0.blob(0)) ?? [], mac: (try? $0.blob(1)) ?? []) }
        } catch  where error.isDamage {
            return .unreadable
        }
    }

    /// Reads both rows of each slot; a row of another shape is damage, and no reason to read no other.
    private func readSlots(into contents: inout Contents) throws(SQLiteError) {
        try read(.slot, into: &contents) { (contents) throws(SQLiteError) in
            for row in try database.rows("SELECT id, record FROM slot ORDER BY id") {
                guard let id = try? row.blob(0), let record = try? row.blob(1) else { continue }
                contents.slots.append((id: id, record: record))
            }
        }
        guard try hasCopies else { return }
        contents.copies = []
        try read(.slotCopy, into: &contents) { (contents) throws(SQLiteError) in
            for row in try database.rows("SELECT id, record, digest FROM slot_copy ORDER BY id") {
                guard let id = try? row.blob(0), let record = try? row.blob(1), let digest = try? row.blob(2) else {
                    continue
                }
                contents.copies?.append(SlotCopy(id: id, record: record, digest: digest))
            }
        }
    }

    private func leftovers() throws(SQLiteError) -> [Leftover] {
        var leftovers: [Leftover] = []
        for row in try database.rows("SELECT item, tag FROM leftover ORDER BY item") {
            guard let name = ItemName(text: try row.text(0)) else { continue }
            leftovers.append(Leftover(item: name, tag: try row.optionalBlob(1)))
        }
        return leftovers
    }

    private var hasCopies: Bool {
        get throws(SQLiteError) { try database.version() >= Self.versionWithCopies }
    }
}

// Head, ledger, slots and leftovers.
extension VaultStore {
    /// The head as it is now; within a transaction, until that ends.
    func head() throws(VaultError) -> TaggedRow? {
        try storing { () throws(SQLiteError) in try row(of: "SELECT body, mac FROM head") }
    }

    /// Puts a head into the place of whatever is there: a table that is emptied whole needs no sound page.
    func setHead(_ head: TaggedRow) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM head")
            try database.run("INSERT INTO head VALUES (1, ?, ?)", .blob(head.body), .blob(head.mac))
        }
    }

    /// Marks the file as one that releases before the present ledger can't read; within a transaction.
    ///
    /// It makes no table, so a list of free pages that is damaged keeps no guess from being counted (V-05).
    func raiseVersionOfLedger() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.raiseVersion(to: Self.versionWithMarks) }
    }

    /// Marks the file as one that releases before the present format can't read; within a transaction, before a slot is
    /// written.
    func raiseVersion() throws(VaultError) {
        try storing { () throws(SQLiteError) in
            let hadCopies = try hasCopies
            try database.raiseVersion()
            guard !hadCopies else { return }
            // What SQL can't compute.
            for row in try database.rows("SELECT id, record FROM slot") {
                guard let id = try? row.blob(0), let record = try? row.blob(1) else { continue }
                try database.run(
                    "UPDATE slot_copy SET digest = ? WHERE id = ?",
                    .blob(SHA256.digest(record)),
                    .blob(id)
                )
            }
        }
    }

    /// Keeps room for what follows an attempt: giving it back, or its success, each a row; within a transaction.
    func reserveRoom() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.reserveLog(pages: 8) }
    }

    /// Puts a ledger into the place of whatever is there, as `setHead` does; within a transaction.
    func setLedger(_ ledger: TaggedRow) throws(VaultError) {
        try removeLedger()
        try storing { () throws(SQLiteError) in
            try database.run("INSERT INTO attempt_ledger VALUES (1, ?, ?)", .blob(ledger.body), .blob(ledger.mac))
        }
    }

    func ledger() throws(VaultError) -> TaggedRow? {
        try storing { () throws(SQLiteError) in try row(of: "SELECT body, mac FROM attempt_ledger") }
    }

    func removeLedger() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM attempt_ledger") }
    }

    /// Writes both rows of a slot.
    func add(_ slot: SlotRecord) throws(VaultError) {
        let record = try slot.bytes
        try storing { () throws(SQLiteError) in
            try database.run("INSERT INTO slot VALUES (?, ?)", .blob(slot.id.bytes), .blob(record))
            guard try hasCopies else { return }
            try database.run(
                "INSERT INTO slot_copy VALUES (?, ?, ?)",
                .blob(slot.id.bytes),
                .blob(record),
                .blob(SHA256.digest(record))
            )
        }
    }

    /// What both rows of a slot say; nil where they differ.
    func slotRecord(_ id: Identifier) throws(VaultError) -> [UInt8]? {
        try storing { () throws(SQLiteError) in
            let record = try database.rows("SELECT record FROM slot WHERE id = ?", .blob(id.bytes)).first?.blob(0)
            guard try hasCopies else { return record }
            let copy = try database.rows("SELECT record FROM slot_copy WHERE id = ?", .blob(id.bytes)).first?.blob(0)
            return record == copy ? record : nil
        }
    }

    func removeSlot(_ id: Identifier) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM slot WHERE id = ?", .blob(id.bytes))
            if try hasCopies { try database.run("DELETE FROM slot_copy WHERE id = ?", .blob(id.bytes)) }
        }
    }

    /// Puts these slots into the place of whatever rows there are.
    func setSlots(_ slots: [SlotRecord]) throws(VaultError) {
        try removeSlots()
        for slot in slots { try add(slot) }
    }

    private func removeSlots() throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM slot")
            if try hasCopies { try database.run("DELETE FROM slot_copy") }
        }
    }

    /// Durable by itself when called outside a transaction.
    func addLeftover(_ item: ItemName, tag: [UInt8]? = nil) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run(
                "INSERT OR REPLACE INTO leftover VALUES (?, ?)",
                .text(item.text),
                tag.map(SQLiteValue.blob) ?? .null
            )
        }
    }

    func removeLeftover(_ item: ItemName) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM leftover WHERE item = ?", .text(item.text))
        }
    }

    /// Notes a leftover anew, so that something is really written to the log.
    func renewLeftover(_ leftover: Leftover) throws(VaultError) {
        try transaction { () throws(VaultError) in
            try removeLeftover(leftover.item)
            try addLeftover(leftover.item, tag: leftover.tag)
        }
    }

    /// Takes out every row but the leftovers: what is left of a vault that is being reset.
    func removeEverything() throws(VaultError) {
        try removeSlots()
        try removeWallets()
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM head") }
        try removeLedger()
        try removeOfflineLogin()
    }
}

// What opens an account's vault without its service.
extension VaultStore {
    /// The sealed row; nil where there is none, or it can't be read.
    func offlineLogin() throws(VaultError) -> [UInt8]? {
        try storing { () throws(SQLiteError) in
            guard try hasAccounts else { return nil }
            do throws(SQLiteError) {
                return try database.rows("SELECT box FROM offline_login").first?.blob(0)
            } catch  where error.isDamage {
                return nil
            }
        }
    }

    func setOfflineLogin(_ box: [UInt8]) throws(VaultError) {
        try transaction { () throws(VaultError) in
            try removeOfflineLogin()
            try storing { () throws(SQLiteError) in
                try database.run("INSERT INTO offline_login VALUES (1, ?)", .blob(box))
            }
        }
    }

    func removeOfflineLogin() throws(VaultError) {
        try storing { () throws(SQLiteError) in
            if try hasAccounts { try database.run("DELETE FROM offline_login") }
        }
    }

    private var hasAccounts: Bool {
        get throws(SQLiteError) { try database.version() >= Self.versionWithAccounts }
    }
}

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

    /// A number that is another one once somebody else has written to the file.
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
