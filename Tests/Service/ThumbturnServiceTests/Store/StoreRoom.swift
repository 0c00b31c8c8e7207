import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnService

/// Which database a test runs on.
enum Backing: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgres = "PostgreSQL"

    /// Where the logs are to lie on several nodes, they do in PostgreSQL alone.
    static var allCases: [Backing] { TestServer.workers.isEmpty ? [.sqlite, .postgres] : [.postgres] }

    var testDescription: String { rawValue }
}

extension Trait where Self == ConditionTrait {
    /// The test needs a real server, which `make test-service` starts.
    static var needsPostgres: Self { .enabled(if: TestServer.isUp, "run `make test-service`") }
}

/// The server of `make test-service`, which all tests share.
enum TestServer {
    static let uri = ProcessInfo.processInfo.environment["POSTGRES"] ?? ""
    static var isUp: Bool { !uri.isEmpty }
    /// Other servers, on which the logs of each database are to lie.
    static let workers = workers(ProcessInfo.processInfo.environment["POSTGRES_WORKERS"] ?? "")

    static func workers(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Ends the test's case where there is no server.
    static func demand() throws {
        if !isUp { try Test.cancel("it needs PostgreSQL: run `make test-service`") }
    }
}

/// A server for one test, which may be stopped.
final class OwnServer: Sendable {
    let uri: String
    /// Whether it has a table space on a disk of its own, which can be filled: root alone can make one.
    let hasSmallDisk: Bool
    /// Servers on which the logs are to lie; `worker` 1 is the first.
    let workers: [String]
    private let folder: String

    init(spread isSpread: Bool = false) throws {
        // Another user runs it, who has to walk there.
        folder = "/tmp/thumbturn-\(UUID().uuidString.prefix(8))"
        uri = try Self.value("POSTGRES", of: "up", folder)
        hasSmallDisk = FileManager.default.fileExists(atPath: folder + "/small")
        workers = isSpread ? TestServer.workers(try Self.value("POSTGRES_WORKERS", of: "spread", folder)) : []
    }

    deinit {
        for command in ["down", "check"] { _ = try? Self.run(command, folder) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs `Scripts/service-stack.sh` for the server, such as `stop`.
    ///
    /// - Parameter worker: the number of a worker to which it is done instead.
    func run(_ command: String, _ words: String..., worker: Int? = nil) throws {
        try Self.run(command, [folder + (worker.map { "/worker\($0)" } ?? "")] + words)
    }

    @discardableResult
    private static func run(_ command: String, _ words: [String]) throws -> [String] {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Scripts/service-stack.sh").standardizedFileURL.path
        let (lines, end) = try TestChild([command] + words, of: script).finish()
        try #require(end == .exited(0), "\(command) \(words)")
        return lines
    }

    private static func run(_ command: String, _ folder: String) throws -> [String] { try run(command, [folder]) }

    /// Runs a command, which prints a name with its value for a shell.
    private static func value(_ name: String, of command: String, _ folder: String) throws -> String {
        let line = try #require(run(command, folder).first { $0.hasPrefix("export \(name)=") })
        return line.dropFirst("export \(name)=".count).trimmingCharacters(in: ["'"])
    }
}

/// A database of its own for one test, which ends with the value.
final class StoreRoom: Sendable {
    let location: StoreLocation
    private let folder: TemporaryFolder
    private let schema: String?
    private let spread: Spread?
    private let server: OwnServer?

    /// - Parameters:
    ///   - tablespace: where PostgreSQL keeps the tables.
    ///   - server: the server to use instead of the shared one.
    init(_ backing: Backing, on server: OwnServer? = nil, tablespace: String? = nil) throws {
        folder = try TemporaryFolder()
        self.server = server
        switch backing {
        case .sqlite:
            (schema, spread) = (nil, nil)
            location = .sqlite(SQLiteFile(folder.file("data/service.db")))
        case .postgres:
            if server == nil { try TestServer.demand() }
            let uri = server?.uri ?? TestServer.uri
            let schema = "test_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
            try Self.connection(to: uri).execute("CREATE SCHEMA \(schema)")
            self.schema = schema
            let workers = server?.workers ?? TestServer.workers
            spread = workers.isEmpty ? nil : try Spread(schema, on: uri, workers)
            let space = tablespace.map { "%20-cdefault_tablespace%3D\($0)" } ?? (workers.isEmpty ? "" : Spread.options)
            location = .postgres(PostgresServer(uri + "?options=-csearch_path%3D\(schema)\(space)"))
        }
    }

    deinit {
        guard let schema, server == nil else { return }
        if let spread { return spread.remove() }
        _ = try? Self.connection(to: TestServer.uri).execute("DROP SCHEMA \(schema) CASCADE")
    }

    /// A connection, asked for several times: a busy machine may take longer to give one than the product waits.
    private static func connection(to uri: String) throws -> PostgresConnection {
        for _ in 1...4 { if let connection = try? PostgresConnection(PostgresServer(uri)) { return connection } }
        return try PostgresConnection(PostgresServer(uri))
    }

    /// A connection, which keeps the database.
    func open() throws -> any Store { RoomStore(store: try location.open(), room: self) }

    /// A connection as another process has it, which takes no turns with those of this one.
    func openElsewhere() throws -> any Store {
        let other = try #require(StoreLocation(text))
        return RoomStore(store: try other.open(), room: self)
    }

    /// As the options of a child of the tests name it.
    var text: String {
        switch location {
        case .sqlite(let file): "sqlite:\(file.path)"
        case .postgres(let server): server.uri
        }
    }

    /// The file of the database, where it is one.
    var path: String { folder.file("data/service.db") }

    /// Where a test may put what belongs to the database.
    func file(_ name: String) -> String { folder.file(name) }

    /// A connection beside the store to the test's own tables.
    func operatorsConnection() throws -> PostgresConnection {
        guard case .postgres(let server) = location else { throw StoreError.unavailable }
        return try PostgresConnection(server)
    }

    /// The same to the logs' tables on a worker, of which 0 is the first.
    func operatorsConnection(toWorker index: Int) throws -> PostgresConnection {
        guard let spread else { throw StoreError.unavailable }
        return try spread.connection(to: index)
    }
}

/// A connection to the database of a test.
private final class RoomStore: Store {
    private let store: any Store
    private let room: StoreRoom

    init(store: any Store, room: StoreRoom) {
        (self.store, self.room) = (store, room)
    }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.transaction(body)
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.reading(body)
    }

    func close() { store.close() }
}

extension Store {
    /// Reads a row, to see that the database answers.
    func check() throws(StoreError) {
        _ = try reading { transaction throws(StoreError) in try transaction.row("SELECT purpose FROM keys LIMIT 1") }
    }
}

/// Runs a body on so many threads at once, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failures = Failures()
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        let thread = Thread {
            defer { group.leave() }
            do { try body(index) } catch { failures.add(error) }
        }
        thread.stackSize = 1 << 20
        thread.start()
    }
    group.wait()
    if let first = failures.all.first { throw first }
}

private final class Failures: @unchecked Sendable {
    // Safe to send: the lock guards the array.
    private let lock = NSLock()
    private var errors: [any Error] = []
    var all: [any Error] { lock.withLock { errors } }
    func add(_ error: any Error) { lock.withLock { errors.append(error) } }
}
