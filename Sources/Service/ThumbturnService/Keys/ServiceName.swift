/// The service's name: what its devices sign and its accounts' envelopes are bound to, at whatever address it is dialled.
///
/// It is fixed when the database is made, and comes back with every copy of it; so a service that moves is the same one.
package enum ServiceName {
    /// Gives the name that the database has; one that has none yet takes `first`.
    ///
    /// - Parameter first: scheme, host and port, as a device dials them when the service begins.
    package static func establish(_ first: String, in store: any Store) throws(StoreError) -> String {
        try store.transaction { transaction throws(StoreError) in
            try transaction.run(
                "INSERT INTO keys (purpose, value) VALUES ('origin', $1) ON CONFLICT (purpose) DO NOTHING",
                .blob(Array(first.utf8))
            )
            guard let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'origin'") else {
                throw .damaged
            }
            return String(decoding: try row.blob(0), as: UTF8.self)
        }
    }
}
