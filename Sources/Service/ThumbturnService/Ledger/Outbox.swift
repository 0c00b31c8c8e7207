import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// The entries that the service itself makes, from the account's change that they tell to their log.
///
/// They are written in the transaction of that change, with a number. The log's row has the number of the last one that
/// it took: so each is entered once, though accounts and log may lie on two nodes.
enum Outbox {
    /// The most entries that a log takes at a time.
    static let mostEntries: Int64 = 256

    /// Writes an entry for a log.
    static func put(_ entry: LedgerEntry, for log: Int64, _ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.put("UPDATE outbox_ends SET last = last + 1 WHERE log = $1", with: [.integer(log)])
        try transaction.put(
            "INSERT INTO outbox (log, number, content) SELECT log, last, $1 FROM outbox_ends WHERE log = $2",
            with: [.blob(entry.content), .integer(log)]
        )
    }

    /// Begins the numbers of a log.
    static func begin(_ log: Int64, _ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.run("INSERT INTO outbox_ends (log, last) VALUES ($1, 0)", .integer(log))
    }

    /// Returns the entries behind a number, in order.
    static func entries(
        of log: Int64,
        behind number: Int64,
        _ transaction: any StoreTransaction
    ) throws(StoreError) -> [(number: Int64, entry: LedgerEntry)] {
        let rows = try transaction.rows(
            "SELECT number, content FROM outbox WHERE log = $1 AND number > $2 ORDER BY number LIMIT $3",
            .integer(log),
            .integer(number),
            .integer(mostEntries)
        )
        return try rows.map { row throws(StoreError) in
            guard let entry = try? LedgerEntry(reading: row.blob(1)) else { throw .damaged }
            return (try row.integer(0), entry)
        }
    }

    /// Deletes the entries that their log has, which is durable.
    static func strike(of log: Int64, through number: Int64, _ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.run("DELETE FROM outbox WHERE log = $1 AND number <= $2", .integer(log), .integer(number))
    }
}

extension Tables {
    /// Enters a change of an account into its log; nothing where the database has no ledger yet, which will begin with
    /// the devices that are listed then.
    func enter(_ entry: LedgerEntry, of user: Identifier) throws(Problem) {
        try using { transaction throws(StoreError) in
            guard let plan = try LedgerPlan.read(transaction) else { return }
            try Outbox.put(entry, for: plan.log(of: user), transaction)
        }
    }
}

extension LedgerEntry {
    /// - Parameter publicKey: the device's, SubjectPublicKeyInfo in DER.
    static func enrolled(_ device: Identifier, of user: Identifier, publicKey: [UInt8]) -> LedgerEntry {
        .deviceEnrolled(device: device, user: user, publicKeySha256: SHA256.digest(publicKey))
    }
}
