extension Store {
    /// Runs `body` as one transaction that writes; a refusal takes back what it wrote.
    ///
    /// What has to be kept though the call is refused, such as a count, `body` returns instead of throwing.
    func writing<R>(_ body: (Tables) throws(Problem) -> R) throws(Problem) -> R {
        try settled { () throws(StoreError) in
            try transaction { transaction throws(StoreError) in try Self.run(body, in: transaction) }
        }
    }

    /// Runs `body` as one transaction that only reads.
    func looking<R>(_ body: (Tables) throws(Problem) -> R) throws(Problem) -> R {
        try settled { () throws(StoreError) in
            try reading { transaction throws(StoreError) in try Self.run(body, in: transaction) }
        }
    }

    /// Hands the store its own failures, which it may try again, and takes a refusal for a result.
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
