internal import Glibc

/// The store on a server of PostgreSQL, over libpq.
///
/// - A transaction that was in another's way is tried again, up to 5 s.
/// - A connection that was lost, before a commit was asked for, is made anew, and the transaction runs there: a server that was
///   started again costs nobody an error.
/// - A commit whose answer never came is `.uncertain`.
final class PostgresStore: Store {
    private let server: PostgresServer
    private var connection: PostgresConnection?
    private var isClosed = false

    init(_ server: PostgresServer) throws(StoreError) {
        self.server = server
        _ = try connected()
    }

    @discardableResult
    func transaction<Result>(
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try run("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE", body)
    }

    func reading<Result>(
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try run("BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY", body)
    }

    func close() {
        isClosed = true
        connection = nil
    }

    private func run<Result>(
        _ begin: StaticString,
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let end = PostgresConnection.now() + server.retryMilliseconds
        var races = 0
        var losses = 0
        while true {
            switch try once(begin, body) {
            case .done(let result): return result
            case .race(let error):
                races += 1
                guard PostgresConnection.now() < end else { throw error }
                // Those who met must not meet again.
                usleep(UInt32.random(in: 0...min(1_000 << UInt32(min(races, 6)), 50_000)))
            case .lost:
                losses += 1
                guard losses < 3 else { throw .unavailable }
            }
        }
    }

    /// How one try ended that may be followed by another.
    private enum Outcome<Result> {
        case done(Result)
        case race(StoreError)
        case lost
    }

    private func once<Result>(
        _ begin: StaticString,
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Outcome<Result> {
        let connection = try connected()
        defer { if !connection.isUp { self.connection = nil } }
        let transaction = PostgresTransaction(connection)
        let result: Result
        do throws(StoreError) {
            try transaction.begin(begin)
            result = try body(transaction)
            try transaction.end()
        } catch {
            let failure = transaction.failure
            transaction.rollback()
            if failure?.isRace == true { return .race(error) }
            if failure == .lost || failure == .skipped { return .lost }
            throw error
        }
        guard !transaction.isUndone else {
            transaction.rollback()
            return .done(result)
        }
        do throws(PostgresFailure) { try transaction.commit() } catch {
            transaction.rollback()
            if error.isRace { return .race(StoreError(error)) }
            if error == .skipped { return .lost }
            throw error == .lost || error == .silent ? .uncertain : StoreError(error)
        }
        return .done(result)
    }

    private func connected() throws(StoreError) -> PostgresConnection {
        guard !isClosed else { throw .unavailable }
        if let connection { return connection }
        let opened: PostgresConnection
        let version: Int64
        do throws(PostgresFailure) {
            opened = try PostgresConnection(server)
            version = try PostgresFormat.raise(on: opened)
        } catch {
            throw StoreError(error)
        }
        guard version <= ServiceSchema.newest.number else { throw .newerFormat(version) }
        connection = opened
        return opened
    }
}
