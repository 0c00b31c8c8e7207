// Maintenance, not requested by a client.
extension Accounts {
    /// Deletes expired rows, at most `most` of each table, and counts the open handshakes.
    ///
    /// The rows are few at a time, so that other calls wait only milliseconds for the store, even after a flood.
    ///
    /// - Returns: whether there may be more expired rows.
    func sweep(at now: ServiceTime, most: Int64 = 1_000, in store: any Store) throws(Problem) -> Bool {
        let (deleted, open) = try store.writing { tables throws(Problem) in
            (try tables.deleteEnded(at: now, most: most), try tables.openHandshakes())
        }
        gauge.set(open)
        return deleted.contains { $0 >= most }
    }
}

extension Tables {
    /// - Returns: the number of deleted rows per table.
    fileprivate func deleteEnded(at now: ServiceTime, most: Int64) throws(Problem) -> [Int] {
        let deletions: [StaticString] = [
            "DELETE FROM handshakes WHERE id IN (SELECT id FROM handshakes WHERE expires_at <= $1 LIMIT $2)",
            "DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE expires_at <= $1 LIMIT $2)",
            """
            DELETE FROM nonces WHERE (device_id, nonce) IN
                (SELECT device_id, nonce FROM nonces WHERE expires_at <= $1 LIMIT $2)
            """,
            """
            DELETE FROM counters WHERE (scope, key) IN
                (SELECT scope, key FROM counters WHERE expires_at <= $1 LIMIT $2)
            """,
            """
            DELETE FROM proven WHERE (user_id, network) IN
                (SELECT user_id, network FROM proven WHERE expires_at <= $1 LIMIT $2)
            """,
        ]
        return try deletions.map { deletion throws(Problem) in try run(deletion, .time(now), .integer(most)) }
    }
}
