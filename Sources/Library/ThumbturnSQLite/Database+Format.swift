internal import CSQLite

extension Database {
    /// The required format of a database file: the tables of each version, and the upgrades between versions.
    package struct Format: Equatable, Sendable {
        /// One version of the tables and their contents.
        package struct Version: Equatable, Sendable {
            /// The `user_version` in the file's header.
            package let number: Int32
            /// The `CREATE` statements in order, as SQLite stores them: from `CREATE TABLE name` on, without a
            /// semicolon.
            package let schema: [String]
            /// The statements that turn the tables of the previous version into these.
            package let upgrade: [String]
        }

        /// The number in the file's header that identifies the program; not 0.
        package let applicationID: Int32
        /// The oldest version that can be read.
        package let first: Version
        /// The later versions, with consecutive numbers.
        package private(set) var later: [Version] = []

        /// The version of a new file, and the default target of `raiseVersion`.
        package var newest: Version { later.last ?? first }

        /// Creates a format with its oldest version.
        package init(applicationID: Int32, version: Int32 = 1, schema: [String]) {
            self.applicationID = applicationID
            first = Version(number: version, schema: schema, upgrade: [])
        }

        /// Returns this format with one more version.
        ///
        /// - Parameters:
        ///   - schema: its tables; nil if only their contents change.
        ///   - upgrade: the statements that lead to it, in the order in which a new file has its tables.
        package func next(schema: [String]? = nil, upgrade: [String] = []) -> Format {
            var format = self
            let number = newest.number + 1
            format.later.append(Version(number: number, schema: schema ?? newest.schema, upgrade: upgrade))
            return format
        }

        /// Returns the format as of the release that ended at version `number`; nil if there is no such version.
        package func asOf(_ number: Int32) -> Format? {
            var format = self
            format.later.removeAll { $0.number > number }
            return format.newest.number == number ? format : nil
        }

        fileprivate func version(_ number: Int32) -> Version? {
            number == first.number ? first : later.first { $0.number == number }
        }
    }

    /// Reads the file's present version; another connection may raise it outside this one's transaction.
    ///
    /// - Throws: `.newerFormat` if another program raised it above the versions known here.
    package func version() throws(SQLiteError) -> Int32 {
        let version = Int32(truncatingIfNeeded: try number("PRAGMA user_version"))
        guard version <= format.newest.number else { throw .newerFormat(version) }
        return version
    }

    /// Raises an older file's version, in the transaction that writes what needs the new one.
    ///
    /// The tables are checked before and after each step: an upgrade runs only on the tables it was written for, and
    /// must result in those of a new file, or nothing changes.
    /// - Parameter target: the version; nil for the newest.
    package func raiseVersion(to target: Int32? = nil) throws(SQLiteError) {
        let former = try version()
        let target = target ?? format.newest.number
        guard former < target else { return }
        // No other connection writes during this transaction, so the statements find what is checked here.
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

    /// Checks the program and the version in the header, and only then the tables and their root pages.
    ///
    /// SQLite does not notice if two tables share a root page; emptying one would empty both (V-05).
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
                // Only the index of a PRIMARY KEY or UNIQUE has no statement of its own.
                guard try row.text(0) == "index", try row.text(1).hasPrefix("sqlite_autoindex_") else {
                    throw .schemaMismatch
                }
            }
            let root = try row.integer(3)
            // Views and triggers, which our formats never have, have no root page.
            guard root > 0 else { continue }
            roots.append(root)
            if schema.count <= format.first.schema.count { firstCount = roots.count }
        }
        guard schema == version.schema else { throw .schemaMismatch }
        // The tables of the first version start right after the first page; later ones may start anywhere.
        guard roots.prefix(firstCount).enumerated().allSatisfy({ $1 == $0 + 2 }), Set(roots).count == roots.count else {
            throw .corrupt
        }
    }

    /// Allows only reading and writing rows from here on.
    func allowRowsOnly() {
        let allow:
            @convention(c) (
                UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
                UnsafePointer<CChar>?
            ) -> Int32 = { _, action, name, value, _, trigger in
                // Called when a statement is prepared, so it costs nothing later; also when it is prepared again
                // because another process changed the tables, perhaps to plant a trigger, whose name is the last
                // argument.
                guard unsafe trigger == nil else { return SQLITE_DENY }
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_TRANSACTION,
                    SQLITE_FUNCTION, SQLITE_RECURSIVE:
                    return SQLITE_OK
                case SQLITE_PRAGMA:
                    // Reading the version (only `raiseVersion` sets it), whether others wrote, the file's length and
                    // its free pages; whether each page is used once; setting when a commit is flushed.
                    let asks =
                        unsafe value == nil
                        && (sqlite3_stricmp(name, "user_version") == 0 || sqlite3_stricmp(name, "data_version") == 0
                            || sqlite3_stricmp(name, "page_count") == 0
                            || sqlite3_stricmp(name, "freelist_count") == 0
                            || sqlite3_stricmp(name, "quick_check") == 0)
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
