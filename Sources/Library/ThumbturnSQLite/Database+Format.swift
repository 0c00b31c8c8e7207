internal import CSQLite

extension Database {
    /// What a database file has to be: one list of tables for each version, and what leads from each to the next.
    package struct Format: Equatable, Sendable {
        /// One version of what is in the tables.
        package struct Version: Equatable, Sendable {
            /// The `user_version` in the file's header.
            package let number: Int32
            /// The `CREATE` statements in order, as SQLite keeps them: from `CREATE TABLE name` on, without a semicolon.
            package let schema: [String]
            /// What makes these tables of those of the version before.
            package let upgrade: [String]
        }

        /// The number in the file's header that says whose file it is; not 0.
        package let applicationID: Int32
        /// The oldest version that can be read, and the only one so far.
        package let first: Version
        /// What came after it, one number after the other.
        package private(set) var later: [Version] = []

        /// The version that a new file gets, and that `raiseVersion` leads to.
        package var newest: Version { later.last ?? first }

        /// Starts a format at its oldest version.
        package init(applicationID: Int32, version: Int32 = 1, schema: [String]) {
            self.applicationID = applicationID
            first = Version(number: version, schema: schema, upgrade: [])
        }

        /// The same format with one version more.
        ///
        /// - Parameters:
        ///   - schema: its tables; nil where only what is in them changes.
        ///   - upgrade: the statements that lead to them, in the order in which a new file has its tables.
        package func next(schema: [String]? = nil, upgrade: [String] = []) -> Format {
            var format = self
            let number = newest.number + 1
            format.later.append(Version(number: number, schema: schema ?? newest.schema, upgrade: upgrade))
            return format
        }

        /// The format as a release knew it that ended at version `number`; nil where there is no such version.
        package func asOf(_ number: Int32) -> Format? {
            var format = self
            format.later.removeAll { $0.number > number }
            return format.newest.number == number ? format : nil
        }

        fileprivate func version(_ number: Int32) -> Version? {
            number == first.number ? first : later.first { $0.number == number }
        }
    }

    /// The version of the file as it stands now; another connection may raise it outside this one's transaction.
    ///
    /// - Throws: `.newerFormat` where another program raised it past what this one knows.
    package func version() throws(SQLiteError) -> Int32 {
        let version = Int32(truncatingIfNeeded: try number("PRAGMA user_version"))
        guard version <= format.newest.number else { throw .newerFormat(version) }
        return version
    }

    /// Makes an older file one of a later version, as a part of the transaction that writes what is new in it.
    ///
    /// The tables are checked before and after: what leads from one version to the next meets what it was written for,
    /// and leaves what a new file has, or nothing happens.
    /// - Parameter target: the version; nil for the newest.
    package func raiseVersion(to target: Int32? = nil) throws(SQLiteError) {
        let former = try version()
        let target = target ?? format.newest.number
        guard former < target else { return }
        // Nobody else writes while this transaction does, so what is checked here is what the statements find.
        guard unsafe sqlite3_get_autocommit(handle) == 0 else { throw .other(SQLITE_MISUSE) }
        allowEverything()
        defer { allowRowsOnly() }
        try verifyFormat()
        for version in format.later where version.number > former && version.number <= target {
            for statement in version.upgrade { try execute(statement) }
            try execute("PRAGMA user_version = \(version.number)")
            try verifyFormat()
        }
    }

    /// Checks whose file it is and its version, from the header alone, and only then its tables and where they begin.
    ///
    /// SQLite itself does not notice that two tables begin on one page, and what empties one would empty both (V-05).
    func verifyFormat() throws(SQLiteError) {
        guard try number("PRAGMA application_id") == format.applicationID else { throw .notADatabase }
        guard let version = format.version(try version()) else { throw .schemaMismatch }

        guard try number("PRAGMA page_size") == Self.pageByteCount, try number("PRAGMA auto_vacuum") == 0 else {
            throw .corrupt
        }

        var schema: [String] = []
        var roots: [Int64] = []
        var firstCount = 0
        for row in try rows("SELECT type, name, sql, rootpage FROM sqlite_schema ORDER BY rowid") {
            if let statement = try row.optionalText(2) {
                schema.append(statement)
            } else {
                // Only the index behind a PRIMARY KEY or UNIQUE has no statement of its own.
                guard try row.text(0) == "index", try row.text(1).hasPrefix("sqlite_autoindex_") else {
                    throw .schemaMismatch
                }
            }
            let root = try row.integer(3)
            // Views and triggers, which no format of ours has, begin nowhere.
            guard root > 0 else { continue }
            roots.append(root)
            if schema.count <= format.first.schema.count { firstCount = roots.count }
        }
        guard schema == version.schema else { throw .schemaMismatch }
        // Those of a file's first version follow its first page; what came later begins wherever there was room.
        guard roots.prefix(firstCount).enumerated().allSatisfy({ $1 == $0 + 2 }), Set(roots).count == roots.count else {
            throw .corrupt
        }
    }

    /// From here on allows nothing but reading and writing rows.
    func allowRowsOnly() {
        let allow:
            @convention(c) (
                UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
                UnsafePointer<CChar>?
            ) -> Int32 = { _, action, name, value, _, trigger in
                // Asked when a statement is prepared, so it costs nothing later; also when it is prepared again because
                // another process changed the tables, perhaps to plant a trigger, whose name is the last argument.
                guard unsafe trigger == nil else { return SQLITE_DENY }
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_TRANSACTION,
                    SQLITE_FUNCTION, SQLITE_RECURSIVE:
                    return SQLITE_OK
                case SQLITE_PRAGMA:
                    // Asking for the version, which `raiseVersion` alone sets, whether others wrote, how long the file is and how
                    // much of it is free; and when a commit is flushed.
                    let asks =
                        unsafe value == nil
                        && (sqlite3_stricmp(name, "user_version") == 0 || sqlite3_stricmp(name, "data_version") == 0
                            || sqlite3_stricmp(name, "page_count") == 0
                            || sqlite3_stricmp(name, "freelist_count") == 0)
                    let flushes =
                        unsafe value != nil && sqlite3_stricmp(name, "synchronous") == 0
                        && (sqlite3_stricmp(value, "extra") == 0 || sqlite3_stricmp(value, "normal") == 0)
                    return asks || flushes ? SQLITE_OK : SQLITE_DENY
                default:
                    return SQLITE_DENY
                }
            }
        _ = unsafe sqlite3_set_authorizer(handle, allow, nil)
    }

    func allowEverything() { _ = unsafe sqlite3_set_authorizer(handle, nil, nil) }

    func number(_ sql: StaticString) throws(SQLiteError) -> Int64 {
        guard let row = try rows(sql).first else { throw .corrupt }
        return try row.integer(0)
    }
}
