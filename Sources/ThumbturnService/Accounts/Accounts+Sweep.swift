// What no client asks for.
extension Accounts {
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
}
