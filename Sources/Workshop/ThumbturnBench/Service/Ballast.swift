/// Fills a database with accounts of the usual size that are never used.
struct Ballast {
    let file: String

    func add(_ count: Int) throws {
        guard count > 0 else { return }
        let database = try RawSQLite(file)
        // Insert in the order of no key, like real accounts.
        try database.run(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
            INSERT INTO accounts (user_id, name_hash, name, srp_group, salt, memory_kib, passes, verifier, envelope, epoch,
                password_changed_at, created_at)
            SELECT randomblob(16), randomblob(32), randomblob(72), 'rfc5054-3072', randomblob(16), 65536, 3, randomblob(436),
                NULL, 0, 0, 0 FROM number
            """
        )
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Returns the size of the database, including its log.
    func byteCount() throws -> Int {
        let database = try RawSQLite(file)
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return try database.number("PRAGMA page_count") * database.number("PRAGMA page_size")
    }
}
