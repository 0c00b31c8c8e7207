import Synchronization
import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

/// A service on a database of its own, whose clock the test sets.
final class ServiceRoom: Sendable {
    static let origin = "https://vault.example.org"

    let room: StoreRoom
    let service: Service
    let clock: TestClock
    let lines = Lines()

    convenience init(
        _ backing: Backing = .sqlite,
        isRegistrationOpen: Bool = true,
        showsTiles: Bool = false,
        limits change: (inout Limits) -> Void = { _ in }
    ) throws {
        let room = try StoreRoom(backing)
        try ServiceKeyFile(room.file("keys/service.key")).create()
        try self.init(
            room,
            TestClock(),
            isRegistrationOpen: isRegistrationOpen,
            showsTiles: showsTiles,
            limits: change
        )
    }

    /// Another instance over the same database.
    func restarted(isRegistrationOpen: Bool = true) throws -> ServiceRoom {
        try ServiceRoom(room, clock, isRegistrationOpen: isRegistrationOpen) { _ in }
    }

    /// The same service with a ledger.
    func served(by ledger: AuditLedger) throws -> ServiceRoom {
        try ServiceRoom(room, clock, ledger: ledger) { _ in }
    }

    private init(
        _ room: StoreRoom,
        _ clock: TestClock,
        isRegistrationOpen: Bool = true,
        ledger: AuditLedger? = nil,
        showsTiles: Bool = false,
        limits change: (inout Limits) -> Void
    ) throws {
        (self.room, self.clock) = (room, clock)
        let keys = try ServiceKeys(ServiceKeyFile(room.file("keys/service.key")))
        let store = try room.open()
        var configuration = Service.Configuration(origin: Self.origin)
        configuration.isRegistrationOpen = isRegistrationOpen
        configuration.showsTiles = showsTiles
        change(&configuration.limits)
        let lines = lines
        service = Service(
            configuration,
            keys: try AccountKeys(names: NameKey.establish(in: store, keys), service: keys, store: store),
            ledger: ledger,
            log: ServiceLog { line in lines.add(line) },
            clock: { clock.now }
        )
    }

    /// A client at an address, which is answered by a worker of its own.
    func client(_ address: String = "192.0.2.1") throws -> TestClient {
        try TestClient(Worker(service, store: room.open()), from: #require(PeerAddress(address)), clock)
    }

    /// A client whose worker's statements can be read.
    func watchedClient(_ address: String = "192.0.2.1") throws -> (TestClient, WatchedStore) {
        let store = WatchedStore(try room.open())
        return (TestClient(Worker(service, store: store), from: try #require(PeerAddress(address)), clock), store)
    }

    /// Runs statements beside the service, as who can write to the database does.
    func tamper(_ body: (any StoreTransaction) throws(StoreError) -> Void) throws {
        try room.open().transaction(body)
    }

    /// How many rows a table has.
    func rows(of table: String) throws -> Int64 {
        switch table {
        case "handshakes": try number("SELECT COUNT(*) FROM handshakes")
        case "tokens": try number("SELECT COUNT(*) FROM tokens")
        case "counters": try number("SELECT COUNT(*) FROM counters")
        case "proven": try number("SELECT COUNT(*) FROM proven")
        case "devices": try number("SELECT COUNT(*) FROM devices")
        case "nonces": try number("SELECT COUNT(*) FROM nonces")
        default: try number("SELECT COUNT(*) FROM accounts")
        }
    }

    /// The number in the first column of the first row.
    func number(_ sql: StaticString) throws -> Int64 {
        try room.open().reading { transaction throws(StoreError) in try transaction.row(sql)?.integer(0) ?? -1 }
    }
}

/// The service's clock, in a test's hand.
final class TestClock: Sendable {
    private let time = Mutex(ServiceTime(1_700_000_000_000))

    var now: ServiceTime { time.withLock { $0 } }

    func advance(_ span: Milliseconds) {
        time.withLock { $0 = $0 + span }
    }
}

/// The lines of a log.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

/// A store that notes what is asked of it.
final class WatchedStore: Store {
    private let store: any Store
    /// The statements in order, each transaction begun by a word of its own.
    private(set) var statements: [String] = []
    /// How many rows each look-up found.
    private(set) var rowCounts: [Int] = []

    init(_ store: any Store) {
        self.store = store
    }

    func forget() { (statements, rowCounts) = ([], []) }

    fileprivate func note(_ statement: StaticString) { statements.append(statement.description) }

    fileprivate func note(rowCount: Int) { rowCounts.append(rowCount) }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        statements.append("writing")
        return try store.transaction { transaction throws(StoreError) in
            try body(WatchedTransaction(transaction, self))
        }
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        statements.append("reading")
        return try store.reading { transaction throws(StoreError) in
            try body(WatchedTransaction(transaction, self))
        }
    }

    func close() { store.close() }
}

private final class WatchedTransaction: StoreTransaction {
    private let transaction: any StoreTransaction
    private let store: WatchedStore

    init(_ transaction: any StoreTransaction, _ store: WatchedStore) {
        (self.transaction, self.store) = (transaction, store)
    }

    func rows(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> [StoreRow] {
        store.note(sql)
        let rows = try transaction.rows(sql, with: values)
        store.note(rowCount: rows.count)
        return rows
    }

    func run(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> Int {
        store.note(sql)
        return try transaction.run(sql, with: values)
    }

    func put(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) {
        store.note(sql)
        try transaction.put(sql, with: values)
    }

    func undo() { transaction.undo() }
}
