/// The service's name, which devices sign and envelopes are bound to, independent of the address that is dialled.
///
/// It is fixed when the database is created, and is part of every copy of it; so a service that moves keeps its
/// identity.
package enum ServiceName {
    /// Returns the name in the database; a database without one stores `first`.
    ///
    /// - Parameter first: scheme, host and port that a device dials when the service first starts.
    package static func establish(_ first: String, in store: any Store) throws(StoreError) -> String {
        try store.transaction { transaction throws(StoreError) in
            try transaction.run(
                "INSERT INTO keys (purpose, value) VALUES ('origin', $1) ON CONFLICT (purpose) DO NOTHING",
                .blob(Array(first.utf8))
            )
            guard let name = try read(transaction) else { throw .damaged }
            return name
        }
    }

    /// Returns the name in the database; `nil` before the service first starts.
    static func read(_ transaction: any StoreTransaction) throws(StoreError) -> String? {
        guard let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'origin'") else { return nil }
        return String(decoding: try row.blob(0), as: UTF8.self)
    }
}
