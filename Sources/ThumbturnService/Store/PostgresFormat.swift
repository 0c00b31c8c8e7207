/// The versions of the tables in a database of PostgreSQL, in a table of one row.
enum PostgresFormat {
    /// Makes the tables where there are none, and an older version's new; of several who try at once, one does.
    ///
    /// - Returns: the version that the tables have now, which may be newer than any that is known here.
    static func raise(on connection: PostgresConnection) throws(PostgresFailure) -> Int64 {
        if let version = try version(on: connection), version >= ServiceSchema.newest.number { return version }
        // Taken before the transaction begins, which would go on believing what it knew of tables when it began. It ends with the
        // connection at the latest; nothing else in a database of ours takes a lock of this kind.
        try connection.execute("SELECT pg_advisory_lock(\(lock))")
        try connection.execute("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
        let former = try version(on: connection)
        if former ?? 0 < ServiceSchema.newest.number { try raise(from: former, on: connection) }
        try connection.execute("COMMIT")
        try connection.execute("SELECT pg_advisory_unlock(\(lock))")
        return max(former ?? 0, ServiceSchema.newest.number)
    }

    private static let lock = 0x5454_5356  // "TTSV"

    private static func raise(
        from former: Int64?,
        on connection: PostgresConnection
    ) throws(PostgresFailure) {
        if let former {
            for version in ServiceSchema.versions where version.number > former {
                for statement in version.upgrade { try connection.execute(ServiceSchema.postgres(statement)) }
            }
        } else {
            for statement in ServiceSchema.newest.tables { try connection.execute(ServiceSchema.postgres(statement)) }
            try connection.execute("CREATE TABLE thumbturn_format (version BIGINT NOT NULL)")
            try connection.execute("INSERT INTO thumbturn_format VALUES (0)")
        }
        try connection.execute("UPDATE thumbturn_format SET version = \(ServiceSchema.newest.number)")
    }

    /// The version of the tables that are there; nil where there are none.
    private static func version(on connection: PostgresConnection) throws(PostgresFailure) -> Int64? {
        let isThere = try connection.query("SELECT to_regclass('thumbturn_format') IS NOT NULL", [])
        guard let row = isThere.rows.first ?? nil, (try? row.integer(0)) == 1 else { return nil }
        let rows = try connection.query("SELECT version FROM thumbturn_format", []).rows
        guard rows.count == 1, let row = rows[0], let version = try? row.integer(0) else { throw .state("XX001") }
        return version
    }
}
