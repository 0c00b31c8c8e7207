/// The version of the tables in a PostgreSQL database, in a table with one row.
enum PostgresFormat {
    /// Creates missing tables and upgrades older ones; of several concurrent callers, only one does.
    ///
    /// - Parameter making: whether to create missing tables.
    /// - Returns: the version of the tables, which may be newer than any known here; `nil` if there are no tables.
    static func raise(
        to schema: ServiceSchema,
        on connection: PostgresConnection,
        making: Bool
    ) throws(PostgresFailure) -> Int64? {
        let newest = schema.newest.number
        let found = try version(on: connection)
        if let found, found >= newest { return found }
        guard found != nil || making else { return nil }
        // Take the lock before the transaction starts, because its snapshot of the tables dates from then. The
        // connection's end releases the lock at the latest; nothing else in our database takes such a lock.
        try connection.execute("SELECT pg_advisory_lock(\(lock))")
        try connection.execute("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE")
        // Lock before the snapshot is taken: the transaction then sees everything that older programs committed, and
        // new writers wait for its end (`PostgresTransaction.demand`).
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

    /// Returns the version of the tables; `nil` if there are none.
    private static func version(on connection: PostgresConnection) throws(PostgresFailure) -> Int64? {
        let isThere = try connection.query("SELECT to_regclass('thumbturn_format') IS NOT NULL", [])
        guard let row = isThere.rows.first ?? nil, (try? row.integer(0)) == 1 else { return nil }
        let rows = try connection.query("SELECT version FROM thumbturn_format", []).rows
        guard rows.count == 1, let row = rows[0], let version = try? row.integer(0) else { throw .state("XX001") }
        return version
    }
}
