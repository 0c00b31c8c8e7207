import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

/// The vault's database: rows in and out, one transaction for one transition.
///
/// It knows no keys and verifies nothing.
final class VaultStore {
    static let fileName = "vault.sqlite"

    static let format = Database.Format(
        applicationID: 0x5442_5631,  // "TBV1"
        schema: [
            "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL, mac BLOB NOT NULL)",
            "CREATE TABLE slot (id BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID",
            "CREATE TABLE slot_copy (id BLOB PRIMARY KEY, record BLOB NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID",
            "CREATE TABLE wallet (id BLOB PRIMARY KEY, tag BLOB NOT NULL, label BLOB NOT NULL, secret BLOB NOT NULL)",
            "CREATE INDEX wallet_by_tag ON wallet (tag)",
            "CREATE TABLE wallet_index (id INTEGER PRIMARY KEY CHECK (id = 1), digests BLOB NOT NULL)",
            "CREATE TABLE attempt_ledger (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL, mac BLOB NOT NULL)",
            "CREATE TABLE leftover (item TEXT PRIMARY KEY, tag BLOB) WITHOUT ROWID",
            "CREATE TABLE offline_login (id INTEGER PRIMARY KEY CHECK (id = 1), box BLOB NOT NULL)",
            "CREATE TABLE contact_key (id INTEGER PRIMARY KEY CHECK (id = 1), box BLOB NOT NULL)",
        ]
    )

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
        /// The second row of each slot.
        var copies: [SlotCopy] = []
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

    let database: Database

    /// Makes the database in `folder`, and the folder when it is missing.
    ///
    /// - Parameter isScratch: whether power loss may take it: it is deleted by who made it.
    init(
        creatingIn folder: String,
        named name: String = fileName,
        vfs: String?,
        isScratch: Bool = false
    ) throws(VaultError) {
        let path = folder + "/" + name
        do {
            database = try Database(creating: path, format: Self.format, vfs: vfs, isScratch: isScratch)
        } catch .cannotOpen where Database.presence(of: path) == .present {
            throw VaultError(.vaultExists)
        } catch {
            throw VaultError(error)
        }
    }

    /// Opens the database in `folder`.
    ///
    /// - Parameter isScratch: whether it is a copy that is deleted by who made it.
    /// - Throws: `.vaultMissing` only when it is certain that there is none.
    init(
        openingIn folder: String,
        named name: String = fileName,
        vfs: String?,
        isScratch: Bool = false
    ) throws(VaultError) {
        let path = folder + "/" + name
        switch Database.presence(of: path) {
        case .absent: throw VaultError(.vaultMissing)
        case .unreachable(let code): throw VaultError("lstat", errno: code)
        case .present: break
        }
        // SQLite takes that for somebody else's lock, and waits for seconds.
        if FolderNeed.lacksLocks(folder + "/" + ProcessLock.fileName) { throw VaultError(FolderNeed.locks) }
        let wasFull = SpareRoom.release(in: folder)
        database = try storing { () throws(SQLiteError) in
            try Database(opening: path, format: Self.format, vfs: vfs, isScratch: isScratch)
        }
        // What could not be moved out of the log takes the room twice.
        if wasFull { try? database.truncateLog() }
    }

    func close() { database.close() }

    /// How long the file is once the open transaction is committed.
    func byteCountSoFar() throws(VaultError) -> Int { try storing(database.wholeByteCount) }

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

    /// Runs `body` on the rows as they stand now; SQLite locks its files once for all that it reads.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try storing(database.beginRead)
        defer { database.rollback() }
        return try body()
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
        // Half a vault is not one that was being made or erased.
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
    func row(of query: StaticString) throws(SQLiteError) -> TaggedRow? {
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
        try read(.slotCopy, into: &contents) { (contents) throws(SQLiteError) in
            for row in try database.rows("SELECT id, record, digest FROM slot_copy ORDER BY id") {
                guard let id = try? row.blob(0), let record = try? row.blob(1), let digest = try? row.blob(2) else {
                    continue
                }
                contents.copies.append(SlotCopy(id: id, record: record, digest: digest))
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
}
