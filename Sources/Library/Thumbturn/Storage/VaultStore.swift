import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

/// The vault's database: reads and writes rows, one transaction for each transition.
///
/// Has no keys and verifies nothing.
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
            "CREATE TABLE event (number INTEGER PRIMARY KEY, box BLOB NOT NULL)",
            "CREATE TABLE trail (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL, mac BLOB NOT NULL)",
            "CREATE TABLE trail_log (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL, mac BLOB NOT NULL)",
        ]
    )

    /// A stored body and its tag, unverified.
    struct TaggedRow: Equatable {
        let body: [UInt8]
        let mac: [UInt8]

        static let unreadable = TaggedRow(body: [], mac: [])

        /// SHA-256 of both, by which a ledger names a head.
        var digest: [UInt8] { SHA256.digest(body, mac) }
    }

    /// An item to delete.
    ///
    /// The note is not authenticated, except by a tag, which only the item itself can produce.
    struct Leftover: Equatable {
        let item: ItemName
        var tag: [UInt8]?
    }

    /// The second row of a slot.
    struct SlotCopy: Equatable {
        let id: [UInt8]
        let record: [UInt8]
        /// SHA-256 of the record: tells which of two differing rows is damaged, if no head does.
        let digest: [UInt8]
    }

    /// A table that a vault can open without.
    enum Table {
        case slot, slotCopy, leftover
    }

    /// Everything except the wallets, read in one transaction.
    struct Contents {
        var head: TaggedRow?
        var slots: [(id: [UInt8], record: [UInt8])] = []
        /// The second row of each slot.
        var copies: [SlotCopy] = []
        /// The tables that can't be read, at least in part.
        var lost: Set<Table> = []
        var ledger: TaggedRow?
        var trail: TaggedRow?
        /// Items of the secure store without references, or whose references wait for a commit.
        var leftovers: [Leftover] = []

        /// Returns whether head and slots, which are all that is parsed, have the same bytes.
        func hasRows(of other: Contents) -> Bool {
            head == other.head && slots.elementsEqual(other.slots, by: ==) && copies == other.copies
        }
    }

    let database: Database

    /// Creates the database in `folder`, and the folder if it is missing.
    ///
    /// - Parameter isScratch: whether a power loss may lose it: the code that created it deletes it.
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
    /// - Parameters:
    ///   - isScratch: whether it is a copy that the code which created it deletes.
    ///   - format: another one only in tests, which plant the next version.
    /// - Throws: `.vaultMissing` only when the vault certainly does not exist.
    init(
        openingIn folder: String,
        named name: String = fileName,
        vfs: String?,
        isScratch: Bool = false,
        format: Database.Format = format
    ) throws(VaultError) {
        let path = folder + "/" + name
        switch Database.presence(of: path) {
        case .absent: throw VaultError(.vaultMissing)
        case .unreachable(let code): throw VaultError("lstat", errno: code)
        case .present: break
        }
        // SQLite mistakes missing lock support for another process's lock, and waits for seconds.
        if FolderNeed.lacksLocks(folder + "/" + ProcessLock.fileName) { throw VaultError(FolderNeed.locks) }
        let wasFull = SpareRoom.release(in: folder)
        database = try storing { () throws(SQLiteError) in
            try Database(opening: path, format: format, vfs: vfs, isScratch: isScratch)
        }
        // Pages that could not be moved out of the log take the space twice.
        if wasFull { try? database.truncateLog() }
    }

    func close() { database.close() }

    /// Returns the file's length after the open transaction commits.
    func byteCountSoFar() throws(VaultError) -> Int { try storing(database.wholeByteCount) }

    /// Removes a database and its side files: a stale log would block the next database of this name.
    static func removeFiles(named name: String, in folder: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { PlainFile.remove(folder + "/" + name + suffix) }
    }

    /// Runs `body` in one transaction: durable when this returns, undone when it throws.
    ///
    /// - Parameter isFlushed: false if a power loss may undo it until the next transaction or the close.
    func transaction<Result>(
        isFlushed: Bool = true,
        _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try database.transaction(isFlushed: isFlushed, body)
    }

    /// Runs `body` in one read transaction; SQLite locks its files once for all reads.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try storing(database.beginRead)
        defer { database.rollback() }
        return try body()
    }

    /// Overwrites deleted data, in the log too.
    func eraseDeleted() throws(VaultError) { try storing(database.truncateLog) }

    func contents() throws(VaultError) -> Contents {
        try storing { () throws(SQLiteError) in
            try database.beginRead()
            defer { database.rollback() }
            return try readContents()
        }
    }

    /// Reads the contents within a transaction, as they would be committed, except tables known to be lost: once SQLite
    /// has seen damage it commits nothing.
    func contentsSoFar(without lost: Set<Table>) throws(VaultError) -> Contents {
        try storing { () throws(SQLiteError) in try readContents(without: lost) }
    }

    private func readContents(without lost: Set<Table> = []) throws(SQLiteError) -> Contents {
        var contents = Contents()
        contents.lost = lost
        contents.head = try row(of: "SELECT body, mac FROM head")
        contents.ledger = try row(of: "SELECT body, mac FROM attempt_ledger")
        contents.trail = try row(of: "SELECT body, mac FROM trail")
        try readSlots(into: &contents)
        // A vault with unreadable slots is not one that was being created or erased.
        guard contents.lost.isDisjoint(with: [.slot, .slotCopy]) || !contents.hasNoSlots else { throw .corrupt }
        // Nor is one that only has wallets: they are created and erased in the vault's one transaction.
        if contents.holdsNothing {
            guard try database.rows("SELECT 1 FROM wallet LIMIT 1").isEmpty else { throw .corrupt }
        }
        // Notes only say what may be deleted, so their loss is tolerable.
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

    /// Returns the single row of a table.
    ///
    /// Unreadable data, a column of another type, and a second row count as an empty row, which no tag authenticates:
    /// the next write replaces them all.
    func row(of query: StaticString) throws(SQLiteError) -> TaggedRow? {
        do throws(SQLiteError) {
            let rows = try database.rows(query)
            guard rows.count <= 1 else { return .unreadable }
            return rows.first.map { TaggedRow(body: (try? $0.blob(0)) ?? [], mac: (try? $0.blob(1)) ?? []) }
        } catch  where error.isDamage {
            return .unreadable
        }
    }

    /// Reads both rows of each slot; a malformed row is damage, which does not stop the others from being read.
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
