import Testing

@testable import ThumbturnService

extension StoreLocation {
    /// The same place, for a program that knows other versions.
    func with(_ schema: ServiceSchema) -> StoreLocation {
        switch self {
        case .sqlite(let file): return .sqlite(SQLiteFile(file.path, schema: schema))
        case .postgres(var server):
            server.schema = schema
            return .postgres(server)
        }
    }
}

/// What an upgrade does to a database, and to the programs that have it open.
///
/// No release has a step yet, so the tests have one.
@Suite("An upgrade", .timeLimit(.minutes(10))) struct StoreUpgradeTests {
    private static let number = ServiceSchema.current.newest.number + 1
    private static let table = """
        CREATE TABLE extra (
            device_id BLOB NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID
        """

    private static func schema(_ steps: [String]) -> ServiceSchema {
        let current = ServiceSchema.current
        let newer = ServiceSchema.Version(number: number, tables: current.newest.tables + [table], upgrade: steps)
        return ServiceSchema(versions: current.versions + [newer])
    }

    /// One version more, whose step makes a table and copies rows into it.
    static let newer = schema([table, "INSERT INTO extra (device_id) SELECT device_id FROM former_devices"])

    private func add(_ id: [UInt8], to store: any Store) throws(StoreError) {
        try store.transaction { transaction throws(StoreError) in
            try transaction.put("INSERT INTO former_devices (device_id) VALUES ($1)", with: [.blob(id)])
        }
    }

    private func count(_ store: any Store, _ sql: StaticString) throws -> Int64 {
        try store.reading { transaction throws(StoreError) in try transaction.row(sql)?.integer(0) ?? -1 }
    }

    private func notes(_ store: any Store) throws -> Int64 { try count(store, "SELECT COUNT(*) FROM extra") }

    private func devices(_ store: any Store) throws -> Int64 { try count(store, "SELECT COUNT(*) FROM former_devices") }

    @Test(arguments: Backing.allCases)
    func `it runs its step once, keeps what was there, and a new database is the same`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        try add([1], to: room.open())
        for _ in 1...2 {
            let store = try room.location.with(Self.newer).open()
            #expect(try notes(store) == 1 && devices(store) == 1)
        }
        let fresh = try StoreRoom(backing)
        let store = try fresh.location.with(Self.newer).open()
        #expect(try notes(store) == 0)
        try add([2], to: store)
        #expect(throws: StoreError.newerFormat(Self.number)) { try fresh.open() }
    }

    @Test(.holds("SVC-38"), arguments: Backing.allCases)
    func `an older program that goes on writes nothing into it any more`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let older = try room.open()
        try add([1], to: older)
        let store = try room.location.with(Self.newer).open()
        for id in [2, 3] as [UInt8] {
            #expect(throws: StoreError.newerFormat(Self.number)) { try add([id], to: older) }
        }
        #expect(try devices(store) == 1)
        try add([4], to: store)
        #expect(try devices(store) == 2)
    }

    @Test(arguments: Backing.allCases)
    func `what older programs write while it runs is in it, or refused`(backing: Backing) throws {
        for round in 0..<5 as Range<UInt8> {
            let room = try StoreRoom(backing)
            let first = try room.open()
            for id in 0..<20 as Range<UInt8> { try add([200, id], to: first) }
            try onThreads(4) { index in
                guard index > 0 else {
                    _ = try room.location.with(Self.newer).open()
                    return
                }
                let store = try? room.open()
                var number: UInt8 = 0
                while let store, number < 250 {
                    number += 1
                    do throws(StoreError) { try add([round, UInt8(index), number], to: store) } catch {
                        guard error != .busy else { continue }
                        #expect(error == .newerFormat(Self.number))
                        return
                    }
                }
            }
            let store = try room.location.with(Self.newer).open()
            #expect(try notes(store) == devices(store))
        }
    }

    @Test(arguments: Backing.allCases)
    func `a step that fails leaves the former version, which goes on`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let older = try room.open()
        try add([1], to: older)
        let broken = Self.schema([Self.table, "INSERT INTO extra (device_id) SELECT nothing FROM former_devices"])
        #expect(throws: StoreError.self) { try room.location.with(broken).open() }
        try add([2], to: older)
        #expect(try devices(room.open()) == 2)
        #expect(try notes(room.location.with(Self.newer).open()) == 2)
    }
}
