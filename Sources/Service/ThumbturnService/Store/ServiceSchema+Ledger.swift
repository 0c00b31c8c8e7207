// The tables of the audit ledger (design section 9). The key of each begins with `log`, so that logs can lie on several
// nodes; those that lie with the accounts come last.
extension ServiceSchema {
    static let ledgerTables = [
        // Where a log stands: `size` counts leaves, `root` is their tree's, `signed` is the size of the newest signed
        // head (-1 before the first), `ts` the last leaf's time, `outbox` the number of the last entry taken from there.
        // `ended` is 1 once `restored` has begun the next log.
        """
        CREATE TABLE logs (
            log INTEGER NOT NULL PRIMARY KEY,
            origin TEXT NOT NULL,
            size INTEGER NOT NULL,
            root BLOB NOT NULL,
            signed INTEGER NOT NULL,
            ts INTEGER NOT NULL,
            outbox INTEGER NOT NULL,
            ended INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE leaves (
            log INTEGER NOT NULL,
            idx INTEGER NOT NULL,
            leaf BLOB NOT NULL,
            PRIMARY KEY (log, idx)
        ) STRICT
        """,
        // C2SP's tiles: up to 256 hashes, of nodes of level 8 * `level`.
        """
        CREATE TABLE tiles (
            log INTEGER NOT NULL,
            level INTEGER NOT NULL,
            number INTEGER NOT NULL,
            hashes BLOB NOT NULL,
            PRIMARY KEY (log, level, number)
        ) STRICT
        """,
        // Every signed head.
        """
        CREATE TABLE notes (
            log INTEGER NOT NULL,
            size INTEGER NOT NULL,
            note BLOB NOT NULL,
            PRIMARY KEY (log, size)
        ) STRICT
        """,
        // `first_seq` and `record_count` are those of the records that an upload added, at `first_idx` and behind it.
        """
        CREATE TABLE uploads (
            log INTEGER NOT NULL,
            first_idx INTEGER NOT NULL,
            device_id BLOB NOT NULL,
            epoch BLOB NOT NULL,
            first_seq INTEGER NOT NULL,
            record_count INTEGER NOT NULL,
            header BLOB NOT NULL,
            signature BLOB NOT NULL,
            ts INTEGER NOT NULL,
            PRIMARY KEY (log, first_idx)
        ) STRICT
        """,
        "CREATE INDEX uploads_of_device ON uploads (log, device_id, first_idx)",
        // A chain of a device: its next `seq`, and the hash that continues it. `ended` is 1 behind a fork.
        """
        CREATE TABLE chains (
            log INTEGER NOT NULL,
            device_id BLOB NOT NULL,
            epoch BLOB NOT NULL,
            user_id BLOB NOT NULL,
            public_key BLOB NOT NULL,
            next_seq INTEGER NOT NULL,
            head BLOB NOT NULL,
            ended INTEGER NOT NULL,
            PRIMARY KEY (log, device_id, epoch)
        ) STRICT
        """,
        // The upload that forked a chain, as evidence.
        """
        CREATE TABLE forks (
            log INTEGER NOT NULL,
            device_id BLOB NOT NULL,
            epoch BLOB NOT NULL,
            idx INTEGER NOT NULL,
            header BLOB NOT NULL,
            signature BLOB NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (log, device_id, epoch)
        ) STRICT
        """,
        // How many entries about a device its log has taken on a day (since 1970).
        """
        CREATE TABLE quotas (
            log INTEGER NOT NULL,
            device_id BLOB NOT NULL,
            day INTEGER NOT NULL,
            entries INTEGER NOT NULL,
            PRIMARY KEY (log, device_id)
        ) STRICT
        """,
        // The keys that sign a log's heads, the first one first. `from_size` is the size of the first signed head that
        // covers a leaf, and -1 until a head is signed; `note` is the first one that a former key signed beside it.
        """
        CREATE TABLE log_keys (
            log INTEGER NOT NULL,
            position INTEGER NOT NULL,
            public_key BLOB NOT NULL,
            from_size INTEGER NOT NULL,
            note BLOB,
            PRIMARY KEY (log, position)
        ) STRICT
        """,
        // Entries that wait for their log, written with the account's change; `last` counts all that ever were.
        """
        CREATE TABLE outbox (
            log INTEGER NOT NULL,
            number INTEGER NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (log, number)
        ) STRICT
        """,
        """
        CREATE TABLE outbox_ends (
            log INTEGER NOT NULL PRIMARY KEY,
            last INTEGER NOT NULL
        ) STRICT
        """,
        // `hash` is the token's SHA-256; the token itself is not stored.
        """
        CREATE TABLE auditors (
            hash BLOB NOT NULL PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            created_at INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
