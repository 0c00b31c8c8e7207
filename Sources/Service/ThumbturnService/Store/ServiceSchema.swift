internal import ThumbturnSQLite

/// The tables of the service: one list of versions, from which both databases take theirs.
///
/// Written as SQLite keeps it. PostgreSQL's types have other names, and its tables need no word about how they are kept.
/// Times are milliseconds of the wall clock (UTC). Whatever is called *sealed* went through a `Sealer`.
struct ServiceSchema: Sendable {
    /// One version, and what leads to it from the one before.
    struct Version: Sendable {
        let number: Int64
        let tables: [String]
        let upgrade: [String]
    }

    /// All versions, oldest first; to be added to, never changed once released.
    static let current = ServiceSchema(versions: [Version(number: 1, tables: tables, upgrade: [])])

    /// Oldest first, at least one.
    let versions: [Version]

    var newest: Version { versions[versions.count - 1] }

    /// The same, as the format of a file of SQLite.
    var format: Database.Format {
        var format = Database.Format(
            applicationID: 0x5454_5356,  // "TTSV"
            version: Int32(versions[0].number),
            schema: versions[0].tables
        )
        for version in versions.dropFirst() { format = format.next(schema: version.tables, upgrade: version.upgrade) }
        return format
    }

    /// A statement as PostgreSQL has it.
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
        // `name_hash` is under the name key, and finds an account; `name` is sealed, with no epoch, because a change of the
        // password leaves it alone; `verifier` and `envelope` are sealed with the account's epoch.
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
        // A device that was revoked stays, so that its identifier is never taken again while the account is there. `contact_key`
        // is sealed, with no epoch: a device hears by it that the password was changed. `name` is as its owner gave it.
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
        // The identifiers of closed accounts' devices: no new device may take one.
        """
        CREATE TABLE former_devices (
            device_id BLOB NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID
        """,
        // `hash` is the token's SHA-256: the token itself is nowhere. `session_key` is sealed. `device_id` is the device whose
        // contact key that login made, with which it ends.
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
        // A name has one for each network; where no account has it, `user_id` is what stands for one. `secret` is sealed.
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
        // Failed proofs: `scope` and `key` say whose. Names that nobody has share a fixed number of keys.
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
        // The identifier of the service key that seals, the name key (sealed), the service's name, and how far a walk over all
        // rows has come.
        """
        CREATE TABLE keys (
            purpose TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
    ]
}
