extension Store {
    /// Runs `body` as one writing transaction; throwing a refusal undoes its writes.
    ///
    /// To keep a write despite a refusal, such as a count, `body` returns the refusal instead of throwing it.
    func writing<R>(_ body: (Tables) throws(Problem) -> R) throws(Problem) -> R {
        try settled { () throws(StoreError) in
            try transaction { transaction throws(StoreError) in try Self.run(body, in: transaction) }
        }
    }

    /// Runs `body` as one read-only transaction.
    func looking<R>(_ body: (Tables) throws(Problem) -> R) throws(Problem) -> R {
        try settled { () throws(StoreError) in
            try reading { transaction throws(StoreError) in try Self.run(body, in: transaction) }
        }
    }

    /// Passes the store's own failures to the store, which may retry, and returns a refusal as a result.
    private static func run<R>(
        _ body: (Tables) throws(Problem) -> R,
        in transaction: any StoreTransaction
    ) throws(StoreError) -> Result<R, Problem> {
        do throws(Problem) { return .success(try body(Tables(transaction))) } catch {
            if let failure = error.failure { throw failure }
            transaction.undo()
            return .failure(error)
        }
    }

    private func settled<R>(_ call: () throws(StoreError) -> Result<R, Problem>) throws(Problem) -> R {
        let result: Result<R, Problem>
        do throws(StoreError) { result = try call() } catch { throw Problem(store: error) }
        return try result.get()
    }
}
