internal import Glibc
internal import ThumbturnFiles

/// The store on a PostgreSQL server, over libpq.
///
/// - A transaction that conflicts with another is retried, up to 5 s.
/// - If the connection is lost before the commit is sent, the transaction is retried on a new one: a restart of the
///   server causes no error.
/// - A writing transaction first checks the tables' version: if another program has raised it, nothing is written, and
///   the store is opened anew, which reports the version.
/// - A commit without an answer is `.uncertain`.
final class PostgresStore: Store {
    private let server: PostgresServer
    private let makesTables: Bool
    private var connection: PostgresConnection?
    private var isClosed = false

    /// - Parameter making: whether to create missing tables.
    /// - Throws: `.absent`, among others.
    init(_ server: PostgresServer, making: Bool = true) throws(StoreError) {
        self.server = server
        makesTables = making
        _ = try connected()
    }

    @discardableResult
    func transaction<Result>(_ body: (any StoreTransaction) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try run("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE", writes: true, body)
    }

    func reading<Result>(_ body: (any StoreTransaction) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try run("BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY", writes: false, body)
    }

    func close() {
        isClosed = true
        connection = nil
    }

    private func run<Result>(
        _ begin: StaticString,
        writes: Bool,
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let end = MonotonicClock.milliseconds + server.retryMilliseconds
        var races = 0
        var losses = 0
        while true {
            switch try once(begin, writes: writes, body) {
            case .done(let result): return result
            case .race(let error):
                races += 1
                guard MonotonicClock.milliseconds < end else { throw error }
                // Wait a random time, so that conflicting transactions do not meet again.
                usleep(UInt32.random(in: 0...min(1_000 << UInt32(min(races, 6)), 50_000)))
            case .lost:
                losses += 1
                guard losses < 3 else { throw .unavailable }
            }
        }
    }

    /// The outcome of one try, after which another may follow.
    private enum Outcome<Result> {
        case done(Result)
        case race(StoreError)
        case lost
    }

    private func once<Result>(
        _ begin: StaticString,
        writes: Bool,
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Outcome<Result> {
        let connection = try connected()
        defer { if !connection.isUp { self.connection = nil } }
        let transaction = PostgresTransaction(connection)
        let result: Result
        do throws(StoreError) {
            try transaction.begin(begin)
            if writes { try transaction.demand(version: server.schema.newest.number) }
            result = try body(transaction)
            try transaction.end()
        } catch {
            let failure = transaction.failure
            if failure == .versionMoved { connection.giveUp() }
            transaction.rollback()
            if failure?.isRace == true { return .race(error) }
            if failure == .lost || failure == .skipped || failure == .versionMoved { return .lost }
            throw error
        }
        guard !transaction.isUndone else {
            transaction.rollback()
            return .done(result)
        }
        do throws(PostgresFailure) { try transaction.commit() } catch {
            if error == .versionMoved { connection.giveUp() }
            transaction.rollback()
            if error.isRace { return .race(StoreError(error)) }
            if error == .skipped || error == .versionMoved { return .lost }
            throw error == .lost || error == .silent ? .uncertain : StoreError(error)
        }
        return .done(result)
    }

    private func connected() throws(StoreError) -> PostgresConnection {
        guard !isClosed else { throw .unavailable }
        if let connection { return connection }
        let opened: PostgresConnection
        let version: Int64?
        do throws(PostgresFailure) {
            opened = try PostgresConnection(server)
            version = try PostgresFormat.raise(to: server.schema, on: opened, making: makesTables)
        } catch {
            throw StoreError(error)
        }
        guard let version else { throw .absent }
        guard version <= server.schema.newest.number else { throw .newerFormat(version) }
        connection = opened
        return opened
    }
}
