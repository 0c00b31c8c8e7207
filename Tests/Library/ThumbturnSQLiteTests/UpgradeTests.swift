import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnSQLite

/// A format of three versions: the second gains a table, the third changes one, and drops one for another.
private enum Grown {
    static let format = Sample.format
        .next(
            schema: Sample.format.first.schema + ["CREATE TABLE draft(name TEXT PRIMARY KEY, body BLOB)"],
            upgrade: [
                "CREATE TABLE draft(name TEXT PRIMARY KEY, body BLOB)",
                "INSERT INTO draft SELECT name, body FROM envelope",
            ]
        )
        .next(
            schema: [
                "CREATE TABLE head(id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, note TEXT, mark BLOB)",
                Sample.format.first.schema[1],
                "CREATE TABLE kept(name TEXT PRIMARY KEY, body BLOB)",
            ],
            upgrade: [
                "ALTER TABLE head ADD COLUMN mark BLOB",
                "UPDATE head SET mark = x'0102'",
                "CREATE TABLE kept(name TEXT PRIMARY KEY, body BLOB)",
                "INSERT INTO kept SELECT name, body FROM draft",
                "DROP TABLE draft",
            ]
        )

    static let numbers: [Int32] = [3, 4, 5]

    /// Makes a file as the release that ended at version `number` did.
    static func create(at path: String, version number: Int32) throws {
        try Sample.create(at: path, format: #require(format.asOf(number))).close()
        guard number > 3 else { return }
        let database = try Database(opening: path, format: #require(format.asOf(number)))
        try database.run("INSERT INTO draft SELECT name, body FROM envelope")
        database.close()
    }

    /// Raises the version and changes a row, in one transaction.
    static func change(_ database: Database) throws {
        try database.begin()
        do {
            try database.raiseVersion()
            try database.run("UPDATE head SET note = 'changed'")
        } catch {
            database.rollback()
            throw error
        }
        try database.commit()
    }

    /// Whether the change stands whole; half of it is `.corrupt`.
    static func isChanged(_ database: Database, from old: Int32) throws -> Bool {
        guard try Sample.generation(of: database) == 0 else { throw SQLiteError.corrupt }
        let note = try database.rows("SELECT note FROM head")[0].text(0)
        guard try database.version() == 5 else {
            guard try database.version() == old, note == "note" else { throw SQLiteError.corrupt }
            return false
        }
        let kept = try database.rows("SELECT name, body FROM kept ORDER BY name")
        guard note == "changed", try database.rows("SELECT mark FROM head")[0].blob(0) == [1, 2],
            try kept == database.rows("SELECT name, body FROM envelope ORDER BY name"), kept.count == 2
        else { throw SQLiteError.corrupt }
        return true
    }
}

/// A file of an older version becomes one of the newest with the first transaction that needs it, or stays what it was.
@Suite struct UpgradeTests {
    private let folder: TemporaryFolder
    private let disk = FaultyDisk()

    init() throws { folder = try TemporaryFolder() }

    private func open(asOf number: Int32 = 5) throws -> Database {
        try Database(opening: folder.file, format: #require(Grown.format.asOf(number)), vfs: disk.vfsName)
    }

    @Test(arguments: [3, 4] as [Int32])
    func `an older version opens, and rises with the transaction that writes what is new`(number: Int32) throws {
        try Grown.create(at: folder.file, version: number)
        let database = try open()
        #expect(try database.version() == number)
        try database.begin()
        try database.raiseVersion()
        database.rollback()
        try open(asOf: number).close()
        #expect(try !Grown.isChanged(database, from: number))

        try Grown.change(database)
        try Grown.change(database)
        database.close()
        #expect(throws: SQLiteError.newerFormat(5)) { try open(asOf: number) }
        #expect(try Grown.isChanged(open(), from: number))
    }

    @Test func `a new file has the tables that an old one rises to`() throws {
        try Database(creating: folder.file, format: Grown.format).close()
        #expect(try open().version() == 5)
    }

    @Test(.holds("A40"), arguments: [3, 4] as [Int32], FaultyDiskTests.Mode.allCases)
    func `a stop at any operation of an upgrade leaves the file of before or the whole change`(
        number: Int32,
        mode: FaultyDiskTests.Mode
    ) throws {
        try Grown.create(at: folder.file, version: number)
        let start = try folder.contents()
        var stops = 0
        var changed = 0
        repeat {
            try folder.replaceContents(with: start)
            stops += 1
            disk.arm(mode.stop(at: stops))
            var isCommitted = false
            do {
                let database = try open()
                try Grown.change(database)
                isCommitted = true
                try database.truncateLog()
            } catch is SQLiteError {}
            disk.settle()

            let found = try Grown.isChanged(open(), from: number)
            #expect(found || !isCommitted, "\(mode) at \(stops)")
            if found { changed += 1 } else { try open(asOf: number).close() }
        } while disk.didStop
        #expect(stops > 8 && 0 < changed && changed < stops)
    }

    @Test(.holds("A41"), arguments: Grown.numbers, Grown.numbers)
    func `a file is held against the tables of the version that its header names`(tables: Int32, named: Int32)
        throws
    {
        let schema = try #require(Grown.format.asOf(tables)).newest.schema
        let forged = Database.Format(applicationID: Grown.format.applicationID, version: named, schema: schema)
        try Database(creating: folder.file, format: forged).close()
        if tables == named {
            try open().close()
        } else {
            #expect(throws: SQLiteError.schemaMismatch) { try open() }
        }
    }

    @Test func `a version below the oldest is refused`() throws {
        let forged = Database.Format(
            applicationID: Grown.format.applicationID,
            version: 2,
            schema: Grown.format.first.schema
        )
        try Database(creating: folder.file, format: forged).close()
        #expect(throws: SQLiteError.schemaMismatch) { try open() }
    }

    @Test(.holds("A41")) func `tables that were changed after the opening are not upgraded`() throws {
        try Grown.create(at: folder.file, version: 3)
        let database = try open()
        let other = try open()
        other.allowEverything()
        try other.execute("CREATE TRIGGER spy AFTER UPDATE ON head BEGIN DELETE FROM envelope; END")
        #expect(throws: SQLiteError.schemaMismatch) { try Grown.change(database) }
        #expect(try database.version() == 3)
        #expect(try database.rows("SELECT * FROM envelope").count == 2)
    }

    @Test func `statements that lead elsewhere change nothing`() throws {
        try Grown.create(at: folder.file, version: 3)
        let wrong = Sample.format.next(schema: Sample.format.first.schema, upgrade: ["CREATE TABLE extra(a)"])
        let database = try Database(opening: folder.file, format: wrong)
        #expect(throws: SQLiteError.schemaMismatch) { try Grown.change(database) }
        database.close()
        try open(asOf: 3).close()
    }

    @Test func `a version rises within a transaction only, and is set by nothing else`() throws {
        try Grown.create(at: folder.file, version: 3)
        let database = try open()
        #expect(throws: SQLiteError.other(21)) { try database.raiseVersion() }  // SQLITE_MISUSE
        #expect(throws: SQLiteError.other(23)) { try database.execute("PRAGMA user_version = 5") }  // SQLITE_AUTH
        #expect(try database.version() == 3)
    }

    @Test func `the tables are closed again after an upgrade, and after one that failed`() throws {
        for fails in [true, false] {
            try? FileManager.default.removeItem(atPath: folder.folder)
            try Grown.create(at: folder.file, version: 3)
            let database = try open()
            // From the first write on, which is the commit's.
            if fails { disk.arm(.full(from: 1)) }
            #expect(((try? Grown.change(database)) == nil) == fails)
            disk.disarm()
            #expect(throws: SQLiteError.other(23)) { try database.execute("DROP TABLE envelope") }
            #expect(try Grown.isChanged(database, from: 3) == !fails)
        }
    }

    @Test func `a connection that another one's upgrade overtakes goes on, and one of an older release is told`() throws
    {
        try Grown.create(at: folder.file, version: 3)
        let old = try open(asOf: 3)
        let open = try self.open()
        #expect(try Sample.generation(of: old) == 0)
        #expect(try Sample.generation(of: open) == 0)
        try Grown.change(self.open())
        #expect(throws: SQLiteError.newerFormat(5)) { try old.version() }
        #expect(throws: SQLiteError.newerFormat(5)) { try Grown.change(old) }
        try Grown.change(open)
        #expect(try Grown.isChanged(open, from: 3))
    }
}
