internal import ThumbturnSQLite

/// The tables of the service: one list of versions for both databases.
///
/// The statements are in SQLite's dialect. PostgreSQL names its types differently, and has no storage options. Times
/// are milliseconds of the wall clock (UTC). *Sealed* values went through a `Sealer`.
struct ServiceSchema: Sendable {
    /// A version, with the upgrade from the one before.
    struct Version: Sendable {
        let number: Int64
        let tables: [String]
        let upgrade: [String]
    }

    /// All versions, oldest first; append only, and never change a released one.
    static let current = ServiceSchema(versions: [
        Version(number: 1, tables: tables, upgrade: []),
        Version(number: 2, tables: tables + ledgerTables, upgrade: ledgerTables),
    ])

    /// Oldest first, at least one.
    let versions: [Version]

    var newest: Version { versions[versions.count - 1] }

    /// The schema as the format of a SQLite file.
    var format: Database.Format {
        var format = Database.Format(
            applicationID: 0x5454_5356,  // "TTSV"
            version: Int32(versions[0].number),
            schema: versions[0].tables
        )
        for version in versions.dropFirst() { format = format.next(schema: version.tables, upgrade: version.upgrade) }
        return format
    }

    /// Returns a statement in PostgreSQL's dialect.
    static func postgres(_ statement: String) -> String {
        var text = ""
        var word = ""
        func flush() {
            text += ["BLOB": "BYTEA", "INTEGER": "BIGINT"][word] ?? word
            word = ""
        }
        let end = [") STRICT, WITHOUT ROWID", ") STRICT"].first { statement.hasSuffix($0) }
        for character in end.map({ statement.dropLast($0.count - 1) }) ?? statement[...] {
            if character.isLetter || character == "_" {
                word.append(character)
            } else {
                flush()
                text.append(character)
            }
        }
        flush()
        return text
    }

    private static let tables = [
        // `name_hash`, under the name key, finds an account; `name` is sealed without an epoch, because it survives a
        // password change; `verifier` and `envelope` are sealed with the account's epoch.
        """
        CREATE TABLE accounts (
            user_id BLOB NOT NULL PRIMARY KEY,
            name_hash BLOB NOT NULL UNIQUE,
            name BLOB NOT NULL,
            srp_group TEXT NOT NULL,
            salt BLOB NOT NULL,
            memory_kib INTEGER NOT NULL,
            passes INTEGER NOT NULL,
            verifier BLOB NOT NULL,
            envelope BLOB,
            epoch INTEGER NOT NULL,
            password_changed_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT
        """,
        // A revoked device stays, so that its identifier is never reused while the account exists. `contact_key` is
        // sealed without an epoch, because it proves the answer that the password was changed. `name` is as its owner
        // gave it.
        """
        CREATE TABLE devices (
            device_id BLOB NOT NULL PRIMARY KEY,
            user_id BLOB NOT NULL,
            public_key BLOB NOT NULL,
            algorithm TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER,
            contact_key BLOB NOT NULL,
            name TEXT
        ) STRICT
        """,
        "CREATE INDEX devices_of_account ON devices (user_id)",
        // The identifiers of closed accounts' devices, which new devices must not use.
        """
        CREATE TABLE former_devices (
            device_id BLOB NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID
        """,
        // `hash` is the token's SHA-256; the token itself is not stored. `session_key` is sealed. `device_id` is the
        // device that the login listed last: revoking it ends the login.
        """
        CREATE TABLE tokens (
            hash BLOB NOT NULL PRIMARY KEY,
            user_id BLOB NOT NULL,
            epoch INTEGER NOT NULL,
            login_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            session_key BLOB NOT NULL,
            device_id BLOB
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX tokens_of_account ON tokens (user_id)",
        "CREATE INDEX tokens_by_end ON tokens (expires_at)",
        // A name has one handshake per network; for an unknown name, `user_id` is the substitute's. `secret` is sealed.
        """
        CREATE TABLE handshakes (
            id BLOB NOT NULL PRIMARY KEY,
            name_hash BLOB NOT NULL,
            network BLOB NOT NULL,
            user_id BLOB NOT NULL,
            epoch INTEGER NOT NULL,
            srp_group TEXT NOT NULL,
            client_value BLOB NOT NULL,
            server_value BLOB NOT NULL,
            secret BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            UNIQUE (name_hash, network)
        ) STRICT
        """,
        "CREATE INDEX handshakes_of_network ON handshakes (network)",
        "CREATE INDEX handshakes_by_end ON handshakes (expires_at)",
        """
        CREATE TABLE nonces (
            device_id BLOB NOT NULL,
            nonce BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (device_id, nonce)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX nonces_by_end ON nonces (expires_at)",
        // Failed proofs, identified by `scope` and `key`. Unknown names share a fixed number of keys.
        """
        CREATE TABLE counters (
            scope INTEGER NOT NULL,
            key BLOB NOT NULL,
            failures INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (scope, key)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX counters_by_end ON counters (expires_at)",
        // Networks from which the account's password was proved.
        """
        CREATE TABLE proven (
            user_id BLOB NOT NULL,
            network BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, network)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX proven_by_end ON proven (expires_at)",
        // The identifier of the sealing key, the name key (sealed), the service's name, and the progress of a walk over
        // all rows.
        """
        CREATE TABLE keys (
            purpose TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
