/// The versions of the tables in a database of PostgreSQL, in a table of one row.
enum PostgresFormat {
    /// Makes the tables where there are none, and an older version's new; of several who try at once, one does.
    ///
    /// - Parameter making: whether tables that are not there are made.
    /// - Returns: the version that the tables have now, which may be newer than any that is known here; nil where there are none.
    static func raise(
        to schema: ServiceSchema,
        on connection: PostgresConnection,
        making: Bool
    ) throws(PostgresFailure) -> Int64? {
        let newest = schema.newest.number
        let found = try version(on: connection)
        if let found, found >= newest { return found }
        guard found != nil || making else { return nil }
        // Taken before the transaction begins, which would go on believing what it knew of tables when it began. It ends with the
        // connection at the latest; nothing else in a database of ours takes a lock of this kind.
        try connection.execute("SELECT pg_advisory_lock(\(lock))")
        try connection.execute("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
        // Before the transaction sees anything: so it sees all that older programs committed, and whoever begins to write now waits
        // for its end (`PostgresTransaction.demand`).
        if found != nil { try connection.execute("LOCK TABLE thumbturn_format IN ACCESS EXCLUSIVE MODE") }
        let former = try version(on: connection)
        if former ?? 0 < newest { try raise(from: former, to: schema, on: connection) }
        try connection.execute("COMMIT")
        try connection.execute("SELECT pg_advisory_unlock(\(lock))")
        return max(former ?? 0, newest)
    }

    private static let lock = 0x5454_5356  // "TTSV"

    private static func raise(
        from former: Int64?,
        to schema: ServiceSchema,
        on connection: PostgresConnection
    ) throws(PostgresFailure) {
        if let former {
            for version in schema.versions where version.number > former {
                for statement in version.upgrade { try connection.execute(ServiceSchema.postgres(statement)) }
            }
        } else {
            for statement in schema.newest.tables { try connection.execute(ServiceSchema.postgres(statement)) }
            try connection.execute("CREATE TABLE thumbturn_format (version BIGINT NOT NULL)")
            try connection.execute("INSERT INTO thumbturn_format VALUES (0)")
        }
        try connection.execute("UPDATE thumbturn_format SET version = \(schema.newest.number)")
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
