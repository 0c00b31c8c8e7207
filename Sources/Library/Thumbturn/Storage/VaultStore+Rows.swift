import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite

// Head, ledger, slots and leftovers.
extension VaultStore {
    /// Returns the current head; within a transaction, it stays the same until that ends.
    func head() throws(VaultError) -> TaggedRow? {
        try storing { () throws(SQLiteError) in try row(of: "SELECT body, mac FROM head") }
    }

    /// Replaces the head, readable or not: emptying a whole table needs no sound page.
    func setHead(_ head: TaggedRow) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM head")
            try database.run("INSERT INTO head VALUES (1, ?, ?)", .blob(head.body), .blob(head.mac))
        }
    }

    /// Upgrades a file of an older version to the newest; requires a transaction.
    func raiseVersion() throws(VaultError) { try storing { () throws(SQLiteError) in try database.raiseVersion() } }

    /// Reserves room for what follows an attempt, taking it back or its end, with its event; requires a transaction.
    func reserveRoom() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.reserveLog(pages: 12) }
    }

    /// Replaces the ledger, readable or not, as `setHead` does; requires a transaction.
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
            try database.run(
                "INSERT INTO slot_copy VALUES (?, ?, ?)",
                .blob(slot.id.bytes),
                .blob(record),
                .blob(SHA256.digest(record))
            )
        }
    }

    /// Returns the record in both rows of a slot; nil when they differ.
    func slotRecord(_ id: Identifier) throws(VaultError) -> [UInt8]? {
        try storing { () throws(SQLiteError) in
            let record = try database.rows("SELECT record FROM slot WHERE id = ?", .blob(id.bytes)).first?.blob(0)
            let copy = try database.rows("SELECT record FROM slot_copy WHERE id = ?", .blob(id.bytes)).first?.blob(0)
            return record == copy ? record : nil
        }
    }

    func removeSlot(_ id: Identifier) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM slot WHERE id = ?", .blob(id.bytes))
            try database.run("DELETE FROM slot_copy WHERE id = ?", .blob(id.bytes))
        }
    }

    /// Replaces all slot rows by these slots.
    func setSlots(_ slots: [SlotRecord]) throws(VaultError) {
        try removeSlots()
        for slot in slots { try add(slot) }
    }

    func removeSlots() throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM slot")
            try database.run("DELETE FROM slot_copy")
        }
    }

    /// Adds a leftover note; durable by itself when called outside a transaction.
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

    /// Removes the note of an item that is gone: a power loss may bring the note back, which then finds nothing to
    /// delete.
    func forgetLeftover(_ item: ItemName) throws(VaultError) {
        try transaction(isFlushed: false) { () throws(VaultError) in try removeLeftover(item) }
    }

    /// Rewrites a leftover note, so that the log gets a new commit.
    func renewLeftover(_ leftover: Leftover) throws(VaultError) {
        try transaction { () throws(VaultError) in
            try removeLeftover(leftover.item)
            try addLeftover(leftover.item, tag: leftover.tag)
        }
    }

    /// Deletes every row except the leftovers and the trail: what remains of a vault that is being reset.
    func removeEverything() throws(VaultError) {
        try removeSlots()
        try removeWallets()
        try removeWalletIndex()
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM head") }
        try removeLedger()
        try removeOfflineLogin()
        try removeContactKey()
        try removeTrailLog()
    }
}

// Rows for an account's vault.
extension VaultStore {
    /// Returns the sealed offline login; nil when there is none, or it can't be read.
    func offlineLogin() throws(VaultError) -> [UInt8]? {
        try storing { () throws(SQLiteError) in
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
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM offline_login") }
    }

    /// Returns the sealed key that proves the answers of an account's service; nil when there is none, or it can't be
    /// read.
    func contactKey() throws(VaultError) -> [UInt8]? {
        try storing { () throws(SQLiteError) in
            do throws(SQLiteError) {
                return try database.rows("SELECT box FROM contact_key").first?.blob(0)
            } catch  where error.isDamage {
                return nil
            }
        }
    }

    /// Replaces the contact key; a power loss may undo that, and the next login repairs it.
    func setContactKey(_ box: [UInt8]) throws(VaultError) {
        try transaction(isFlushed: false) { () throws(VaultError) in
            try removeContactKey()
            try storing { () throws(SQLiteError) in
                try database.run("INSERT INTO contact_key VALUES (1, ?)", .blob(box))
            }
        }
    }

    private func removeContactKey() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM contact_key") }
    }
}

// The trail.
extension VaultStore {
    func trail() throws(VaultError) -> TaggedRow? {
        try storing { () throws(SQLiteError) in try row(of: "SELECT body, mac FROM trail") }
    }

    /// Replaces the trail's row, readable or not, as `setHead` does; requires a transaction.
    func setTrail(_ trail: TaggedRow) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM trail")
            try database.run("INSERT INTO trail VALUES (1, ?, ?)", .blob(trail.body), .blob(trail.mac))
        }
    }

    /// What is known of the account's log.
    func trailLog() throws(VaultError) -> TaggedRow? {
        try storing { () throws(SQLiteError) in try row(of: "SELECT body, mac FROM trail_log") }
    }

    /// Replaces that row, readable or not, as `setHead` does; requires a transaction.
    func setTrailLog(_ log: TaggedRow) throws(VaultError) {
        try removeTrailLog()
        try storing { () throws(SQLiteError) in
            try database.run("INSERT INTO trail_log VALUES (1, ?, ?)", .blob(log.body), .blob(log.mac))
        }
    }

    func removeTrailLog() throws(VaultError) {
        try storing { () throws(SQLiteError) in try database.run("DELETE FROM trail_log") }
    }

    func room() throws(VaultError) -> Database.Room { try storing(database.room) }

    /// Whether a write since took no page that something else uses; requires its transaction.
    func tookNoUsedPage(since former: Database.Room) throws(VaultError) -> Bool {
        try storing { () throws(SQLiteError) in try database.tookNoUsedPage(since: former) }
    }

    /// Removes a row that can't be read; requires a transaction.
    ///
    /// - Throws: `.vaultDamaged` when its page can't be written either.
    func probeTrail() throws(VaultError) {
        if try trail() == .unreadable { try removeTrail() }
    }

    /// Empties both tables of the trail, which needs no sound page.
    func removeTrail() throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM trail")
            try database.run("DELETE FROM event")
        }
    }

    /// Returns a record's box; nil when there is none.
    func event(_ number: Int64) throws(VaultError) -> [UInt8]? {
        try storing { () throws(SQLiteError) in
            try database.rows("SELECT box FROM event WHERE number = ?", .integer(number)).first?.blob(0)
        }
    }

    /// Writes a record's box, over whatever has its number.
    func addEvent(_ number: Int64, _ box: [UInt8]) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("INSERT OR REPLACE INTO event VALUES (?, ?)", .integer(number), .blob(box))
        }
    }

    /// Deletes some of the records that lie before the last of these ranges and in none of them: to overwrite thousands at
    /// once would need room in the log.
    ///
    /// - Parameter kept: the numbers of each chain that is kept, in order.
    func trimEvents(outside kept: [Range<Int64>]) throws(VaultError) {
        var start = Int64.min
        for range in kept {
            if start < range.lowerBound {
                try storing { () throws(SQLiteError) in
                    try database.run(
                        """
                        DELETE FROM event WHERE number IN
                        (SELECT number FROM event WHERE number >= ? AND number < ? LIMIT 16)
                        """,
                        .integer(start),
                        .integer(range.lowerBound)
                    )
                }
            }
            start = range.upperBound
        }
    }

    /// Deletes all records, or those from this number on.
    func removeEvents(from number: Int64 = .min) throws(VaultError) {
        try storing { () throws(SQLiteError) in
            try database.run("DELETE FROM event WHERE number >= ?", .integer(number))
        }
    }
}
