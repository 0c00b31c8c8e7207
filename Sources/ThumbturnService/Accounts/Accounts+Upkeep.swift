import ThumbturnCrypto
import ThumbturnRules

// What no client asks for.
extension Accounts {
    /// How many accounts are raised in one transaction.
    private static let batch: Int64 = 200

    /// Deletes what has ended, and counts what is open.
    func sweep(at now: ServiceTime, in store: any Store) throws(Problem) {
        let open = try store.writing { tables throws(Problem) in
            let end = StoreValue.time(now)
            try tables.run("DELETE FROM handshakes WHERE expires_at <= $1", end)
            try tables.run("DELETE FROM tokens WHERE expires_at <= $1", end)
            try tables.run("DELETE FROM nonces WHERE expires_at <= $1", end)
            try tables.run("DELETE FROM counters WHERE expires_at <= $1", end)
            try tables.run("DELETE FROM proven WHERE expires_at <= $1", end)
            return try tables.openHandshakes()
        }
        gauge.set(open)
    }

    /// Raises the epoch of every account, and ends all logins, after the database came back from a backup.
    ///
    /// Each device so hears of an epoch that it did not know, and an epoch that was given out after the backup never comes
    /// again. Where this is cut off it has to be run again; to raise an account twice does no harm.
    ///
    /// - Returns: how many accounts there are.
    package func restored(in store: any Store) throws(Problem) -> Int {
        try store.writing { tables throws(Problem) in
            try tables.run("DELETE FROM tokens")
            try tables.run("DELETE FROM handshakes")
        }
        var (count, last) = (0, [UInt8]())
        while true {
            let raised = try store.writing { tables throws(Problem) in
                try tables.raise(behind: last, most: Self.batch, keys)
            }
            guard let end = raised.last else { return count }
            count += raised.count
            last = end.bytes
        }
    }
}

extension Tables {
    /// - Returns: whose epochs were raised, in order.
    fileprivate func raise(
        behind last: [UInt8],
        most: Int64,
        _ keys: AccountKeys
    ) throws(Problem) -> [Identifier] {
        let rows = try rows(
            """
            SELECT user_id, epoch, verifier, envelope FROM accounts WHERE user_id > $1 ORDER BY user_id LIMIT $2
            """,
            .blob(last),
            .integer(most)
        )
        let seals = try seals(keys)
        return try rows.map { row throws(Problem) in
            let (userID, epoch) = (try row.identifier(0), try row.integer(1))
            let raised = epoch + PolicyEpoch.restored
            let verifier = try keys.verifier(try row.blob(2), of: userID, epoch: epoch)
            let envelope = try keys.envelope(try row.optionalBlob(3), of: userID, epoch: epoch)
            try run(
                "UPDATE accounts SET epoch = $1, verifier = $2, envelope = $3 WHERE user_id = $4",
                .integer(raised),
                .blob(try seals.verifier(verifier, of: userID, epoch: raised)),
                .optional(try envelope.map { envelope throws(Problem) in
                    try seals.envelope(envelope, of: userID, epoch: raised)
                }),
                .identifier(userID)
            )
            return userID
        }
    }
}
