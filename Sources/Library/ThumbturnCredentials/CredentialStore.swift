import ThumbturnBase
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

/// The database of credential vaults: a row for each name, and the items to be deleted.
///
/// It has no keys and verifies nothing.
final class CredentialStore {
    static let fileName = "credentials.sqlite"

    static let format = Database.Format(
        applicationID: 0x5442_4331,  // "TBC1"
        schema: [
            """
            CREATE TABLE credential (name TEXT PRIMARY KEY, item TEXT NOT NULL, protection INTEGER NOT NULL, \
            device INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID
            """,
            "CREATE TABLE leftover (item TEXT PRIMARY KEY) WITHOUT ROWID",
        ]
    )

    private let database: Database

    /// Opens the database in `folder`; creates both if they certainly do not exist.
    ///
    /// An interrupted creation is completed. A damaged database is never replaced.
    ///
    /// - Parameter format: another one only in tests, which plant the next version.
    init(in folder: String, vfs: String?, format: Database.Format = format) throws(VaultError) {
        let path = folder + "/" + Self.fileName
        do {
            database = try Database(creating: path, format: format, vfs: vfs)
        } catch .cannotOpen where Database.presence(of: path) == .present {
            database = try storing { () throws(SQLiteError) in
                try Database(opening: path, format: format, vfs: vfs)
            }
        } catch {
            throw VaultError(error)
        }
    }

    /// Removes the file if it is still damaged: another process may have replaced it.
    static func removeDamaged(in folder: String) throws(VaultError) {
        do throws(VaultError) {
            let store = try CredentialStore(in: folder, vfs: nil)
            defer { store.close() }
            try store.verify()
        } catch {
            guard error.code == .vaultDamaged else { throw error }
            do throws(FileError) {
                let folder = try OpenFolder(folder)
                // The file last: a log alone would block the next database, and does not show that there was damage.
                for suffix in ["-wal", "-shm", "-journal", ""] { try folder.remove(fileName + suffix) }
            } catch {
                throw VaultError("remove", error)
            }
        }
    }

    /// Reads every row.
    private func verify() throws(VaultError) {
        _ = try leftovers()
        _ = try storing { () throws(SQLiteError) in try database.rows("SELECT * FROM credential").count }
    }

    func close() { database.close() }

    /// Reads the record stored under `name`.
    ///
    /// - Throws: `.vaultDamaged` for a row that no vault wrote.
    func record(named name: CredentialName) throws(VaultError) -> CredentialRecord? {
        guard let spelling = try spelling(of: name) else { return nil }
        let row = try storing { () throws(SQLiteError) in
            try database.rows("SELECT item, protection, device, sealed FROM credential WHERE name = ?", .text(spelling))
                .first.map { (row) throws(SQLiteError) in
                    (try row.text(0), try row.integer(1), try row.integer(2), try row.blob(3))
                }
        }
        guard let (item, protection, device, sealed) = row else { return nil }
        return try CredentialRecord(
            name: CredentialName(stored: spelling),
            item: item,
            protection: protection,
            device: device,
            sealed: sealed
        )
    }

    /// Reads every name in its stored spelling.
    func names() throws(VaultError) -> [String] {
        try storing { () throws(SQLiteError) in
            var names: [String] = []
            for row in try database.rows("SELECT name FROM credential ORDER BY name") { names.append(try row.text(0)) }
            return names
        }
    }

    /// Returns the stored spelling of a name: canonically equivalent names are the same, which SQLite can't tell.
    private func spelling(of name: CredentialName) throws(VaultError) -> String? {
        try storing { () throws(SQLiteError) in
            for row in try database.rows("SELECT name FROM credential") {
                let spelling = try row.text(0)
                if spelling == name.text { return spelling }
            }
            return nil
        }
    }

    /// Replaces the record stored under a name in one transaction: the new item is no longer a leftover, and the old
    /// one becomes one.
    ///
    /// - Throws: `.busy` when the stored record is not `old`. After any other failure it is unknown which is stored.
    func replace(_ old: CredentialRecord?, by new: CredentialRecord) throws(VaultError) {
        try database.transaction { () throws(VaultError) in
            guard try record(named: new.name) == old else { throw VaultError(.busy, "stored meanwhile") }
            try storing { () throws(SQLiteError) in try database.raiseVersion() }
            if let old {
                try remove(old.name.text)
                try note(old.item)
            }
            try storing { () throws(SQLiteError) in
                try database.run(
                    "INSERT INTO credential VALUES (?, ?, ?, ?, ?)",
                    .text(new.name.text),
                    .text(new.item.text),
                    .integer(Int64(new.protection.rawValue)),
                    .integer(Int64(new.device.rawValue)),
                    .blob(new.sealed)
                )
                try database.run("DELETE FROM leftover WHERE item = ?", .text(new.item.text))
            }
            guard try record(named: new.name) == new else { throw VaultError(.credentialsNotStored, "row") }
        }
    }

    /// Deletes the record stored under `name`, readable or not; its item becomes a leftover.
    func erase(_ name: CredentialName) throws(VaultError) {
        try database.transaction { () throws(VaultError) in
            guard let spelling = try spelling(of: name) else { return }
            let item = try storing { () throws(SQLiteError) in
                try database.rows("SELECT item FROM credential WHERE name = ?", .text(spelling)).first?.text(0)
            }
            try remove(spelling)
            if let item = item.flatMap(ItemName.init(text:)), item.purpose == .credential { try note(item) }
        }
    }

    /// Overwrites deleted rows, in the log too.
    func eraseRemoved() throws(VaultError) { try storing(database.truncateLog) }

    private func remove(_ spelling: String) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM credential WHERE name = ?", .text(spelling))
        }
    }
}

// Items to be deleted. A name is recorded before its item is made, so that a crash leaves no orphan.
extension CredentialStore {
    /// Records an item as a leftover; durable by itself outside a transaction.
    func note(_ item: ItemName) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("INSERT OR REPLACE INTO leftover VALUES (?)", .text(item.text))
        }
    }

    /// Returns the leftovers that no row refers to.
    ///
    /// These rows are not authenticated, so an item of another kind is skipped.
    func leftovers() throws(VaultError) -> [ItemName] {
        try storing { () throws(SQLiteError) in
            var items: [ItemName] = []
            for row in try database.rows("SELECT item FROM leftover WHERE item NOT IN (SELECT item FROM credential)") {
                guard let item = ItemName(text: try row.text(0)), item.purpose == .credential else { continue }
                items.append(item)
            }
            return items
        }
    }

    /// Records an item as a leftover again, durably, unless a row refers to it.
    ///
    /// A commit whose flush failed may be complete in the log, and would count after a crash; a later durable commit
    /// resolves that. So an item is deleted only after this.
    ///
    /// - Returns: whether it is a leftover.
    func confirmLeftover(_ item: ItemName) throws(VaultError) -> Bool {
        try database.transaction { () throws(VaultError) in
            let isNamed = try storing { () throws(SQLiteError) in
                try !database.rows("SELECT 1 FROM credential WHERE item = ?", .text(item.text)).isEmpty
            }
            try forget(item)
            // If a row refers to it, this write still makes the commit durable: an empty one would not reach the disk.
            try note(item)
            if isNamed { try forget(item) }
            return !isNamed
        }
    }

    /// Removes the leftover row of a deleted item.
    func forget(_ item: ItemName) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM leftover WHERE item = ?", .text(item.text))
        }
    }
}
