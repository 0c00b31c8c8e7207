import Foundation
import Testing
import ThumbturnSQLite
import ThumbturnTestKit

@Suite struct FaultyDiskTests {
    enum Mode: CaseIterable {
        case kill, losePower, losePowerKeepingAll, tear1, tear2, tear3, fail, failAfterEffect

        func stop(at number: Int) -> FaultyDisk.Stop {
            switch self {
            case .kill: .kill(at: number)
            case .losePower: .powerLoss(at: number, keeping: .none)
            case .losePowerKeepingAll: .powerLoss(at: number, keeping: .all)
            case .tear1: .powerLoss(at: number, keeping: .torn(seed: 1))
            case .tear2: .powerLoss(at: number, keeping: .torn(seed: 2))
            case .tear3: .powerLoss(at: number, keeping: .torn(seed: 3))
            case .fail: .fail(at: number)
            case .failAfterEffect: .failAfterEffect(at: number)
            }
        }
    }

    private let folder: TemporaryFolder
    private let disk = FaultyDisk()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() throws -> Database {
        try Database(opening: folder.file, format: Sample.format, vfs: disk.vfsName)
    }

    @Test(.holds("A40"), arguments: Mode.allCases)
    func `a stop at any operation leaves the last commit or the one under way`(mode: Mode) throws {
        try Sample.create(at: folder.file).close()
        let start = try folder.contents()
        var stops = 0
        repeat {
            try folder.replaceContents(with: start)
            stops += 1
            disk.arm(mode.stop(at: stops))
            var committed: Int64 = 0
            do {
                let database = try open()
                for generation in 1...3 {
                    try Sample.advance(database)
                    committed = Int64(generation)
                    if generation == 2 { try database.truncateLog() }
                }
            } catch is SQLiteError {}  // the connection closed with its last reference
            disk.settle()

            let found = try Sample.generation(of: open())
            #expect(found == committed || found == committed + 1, "\(mode) at \(stops)")
        } while disk.didStop
        #expect(stops > 20)
        print("FaultyDisk: \(mode): \(stops - 1) stops in three transactions")
    }

    @Test(.holds("A40"), arguments: Mode.allCases)
    func `a stop at any operation of a creation leaves a vault or room for one`(mode: Mode) throws {
        var stops = 0
        repeat {
            try? FileManager.default.removeItem(atPath: folder.folder)
            stops += 1
            disk.arm(mode.stop(at: stops))
            let database = try? Database(creating: folder.file, format: Sample.format, vfs: disk.vfsName)
            let wasCreated = database != nil
            database?.close()
            disk.settle()

            do {
                #expect(try open().rows("SELECT * FROM head").isEmpty)
            } catch SQLiteError.cannotOpen {
                #expect(!wasCreated && Database.presence(of: folder.file) == .absent, "\(mode) at \(stops)")
                try Sample.create(at: folder.file, vfs: disk.vfsName).close()
            }
        } while disk.didStop
        #expect(stops > 5)
        print("FaultyDisk: \(mode): \(stops - 1) stops in a creation")
    }

    @Test func `a full disk says so, keeps the old rows, and works again with room`() throws {
        let database = try Sample.create(at: folder.file, vfs: disk.vfsName)
        var stops = 0
        repeat {
            let before = try Sample.generation(of: database)
            stops += 1
            disk.arm(.full(from: stops))
            do {
                try Sample.advance(database)
            } catch {
                #expect(error as? SQLiteError == .full)
                disk.disarm()
                #expect(try Sample.generation(of: database) == before)
            }
        } while disk.didStop
        disk.disarm()
        try Sample.advance(database)
        #expect(stops > 3)
    }

    @Test func `a drive that lies about syncs loses a commit, so power failures here are real`() throws {
        try Sample.create(at: folder.file).close()
        let start = try folder.contents()
        disk.ignoresSync = true
        func advance(stoppingAfter count: Int, keeping fate: FaultyDisk.UnsyncedFate) throws -> Int64? {
            try folder.replaceContents(with: start)
            disk.arm(.powerLoss(at: count + 1, keeping: fate))
            let database = try open()
            try Sample.advance(database)
            #expect(disk.operationCount == count)
            database.close()
            #expect(disk.didStop)
            disk.settle()
            return try? Sample.generation(of: open())
        }
        func countOperations() throws -> Int {
            try folder.replaceContents(with: start)
            disk.disarm()
            disk.resetOperationCount()
            let database = try open()
            try Sample.advance(database)
            return disk.operationCount
        }
        let operations = try countOperations()
        #expect(try advance(stoppingAfter: operations, keeping: .none) == 0)
        #expect(try advance(stoppingAfter: operations, keeping: .all) == 1)

        disk.ignoresSync = false
        for fate in [FaultyDisk.UnsyncedFate.none, .all, .torn(seed: 1)] {
            #expect(try advance(stoppingAfter: operations, keeping: fate) == 1)
        }
    }

    /// What is milder waits for the next flush, and undoes nothing that was flushed.
    @Test(arguments: [FaultyDisk.UnsyncedFate.none, .all, .torn(seed: 1), .torn(seed: 2), .torn(seed: 3)])
    func `power loss takes a commit that was not flushed, and none before it, until the next one or the close`(
        fate: FaultyDisk.UnsyncedFate
    ) throws {
        try Sample.create(at: folder.file).close()
        let start = try folder.contents()
        func generation(after steps: (Database) throws -> Void) throws -> Int64 {
            try folder.replaceContents(with: start)
            disk.arm(.powerLoss(at: .max, keeping: fate))
            let database = try open()
            try Sample.advance(database)
            try database.flushCommits(false)
            try Sample.advance(database)
            try database.flushCommits(true)
            try steps(database)
            disk.die()
            database.close()
            disk.settle()
            return try Sample.generation(of: open())
        }
        let alone = try generation { _ in }
        #expect(alone == 2 || alone == 1 && fate != .all)
        if case .none = fate { #expect(alone == 1) }
        #expect(try generation { try Sample.advance($0) } == 3)
        #expect(try generation { $0.close() } == 2)
    }

    @Test(.holds("A61")) func `power loss does not bring a truncated log back`() throws {
        let database = try Sample.create(at: folder.file, vfs: disk.vfsName)
        let marker = Data((0..<64).map { UInt8($0) ^ 0x5a })
        disk.arm(.powerLoss(at: .max, keeping: .none))
        try database.run("INSERT INTO envelope VALUES ('marker', 1, ?)", .blob(Array(marker)))
        #expect(try folder.contents()["vault.db-wal"]?.range(of: marker) != nil)
        try database.run("DELETE FROM envelope WHERE name = 'marker'")
        try database.truncateLog()
        let files = try folder.contents()
        disk.settle()
        #expect(try folder.contents() == files)
        #expect(files.values.allSatisfy { $0.range(of: marker) == nil })
    }

    @Test func `a torn write leaves each sector old or new, the same for a seed`() throws {
        try Sample.create(at: folder.file).close()
        let start = try folder.contents()
        disk.ignoresSync = true
        func database(keeping fate: FaultyDisk.UnsyncedFate) throws -> [UInt8] {
            try folder.replaceContents(with: start)
            disk.arm(.powerLoss(at: .max, keeping: fate))
            let database = try open()
            try Sample.advance(database)
            try database.truncateLog()
            database.close()
            disk.settle()
            return try Array(#require(try folder.contents()["vault.db"]))
        }
        func sectors(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
            stride(from: 0, to: bytes.count, by: 512).map { bytes[$0..<$0 + 512] }
        }
        let old = try sectors(database(keeping: .none))
        let new = try sectors(database(keeping: .all))
        #expect(try old == sectors(Array(#require(start["vault.db"]))))
        for seed in UInt64(1)...8 {
            let torn = try sectors(database(keeping: .torn(seed: seed)))
            #expect(torn.count == old.count)
            #expect(torn != old && torn != new)
            #expect(zip(torn, zip(old, new)).allSatisfy { $0 == $1.0 || $0 == $1.1 })
            #expect(try torn == sectors(database(keeping: .torn(seed: seed))))
        }
    }

    @Test func `another store shares the numbering and the stop`() throws {
        let database = try Sample.create(at: folder.file, vfs: disk.vfsName)
        var names: [String] = []
        disk.onOperation = { names.append($0) }
        disk.arm(.kill(at: 1_000))
        #expect(disk.countForeignOperation("save item") == .proceed)
        try Sample.advance(database)
        let total = disk.operationCount
        #expect(total == names.count)
        #expect(names.first == "save item")
        #expect(names.last == "sync vault.db-wal")

        disk.arm(.kill(at: 2))
        #expect(disk.countForeignOperation("save item") == .proceed)
        #expect(throws: SQLiteError.self) { try Sample.advance(database) }
        #expect(disk.didStop)
        #expect(disk.countForeignOperation("save item") == .dead)

        disk.arm(.fail(at: 2))
        #expect((1...3).map { _ in disk.countForeignOperation("save item") } == [.proceed, .fail, .proceed])
        disk.arm(.failAfterEffect(at: 1))
        #expect((1...2).map { _ in disk.countForeignOperation("save item") } == [.failAfterEffect, .proceed])
        disk.arm(.full(from: 1))
        #expect(disk.countForeignOperation("save item") == .proceed)
        #expect(!disk.didStop)
    }

    @Test func `a dead process reads nothing, and its connections close`() throws {
        let first = try Sample.create(at: folder.file, vfs: disk.vfsName)
        let second = try open()
        try second.beginRead()
        try first.begin()
        disk.arm(.kill(at: 1))
        #expect(throws: SQLiteError.self) { try open() }
        #expect(throws: SQLiteError.self) {
            try first.run("DELETE FROM envelope")
            try first.commit()
        }
        first.close()
        second.close()
        disk.settle()
        #expect(try Sample.generation(of: open()) == 0)
    }
}
