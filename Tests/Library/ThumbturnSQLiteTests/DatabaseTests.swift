import CSQLite
import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnSQLite

@Suite struct DatabaseTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try Sample.create(at: folder.file)
    }

    @Test func `a quota that is used up is a full disk, and SQLite alone does not say so`() {
        let write = SQLITE_IOERR | 3 << 8
        for number in [EDQUOT, ENOSPC] { #expect(SQLiteError(code: write, errno: number) == .full) }
        #expect(SQLiteError(code: write, errno: EIO) == .ioError(extended: write))
        #expect(SQLiteError(code: SQLITE_CORRUPT, errno: EDQUOT) == .corrupt)
    }

    @Test func `values come back as they went in`() throws {
        let body: [UInt8] = [0, 1, 0xff, 0]
        try database.run(
            "INSERT INTO envelope VALUES (?, ?, ?)",
            .text("Gerät\u{0}✓"),
            .integer(.min),
            .blob(body)
        )
        let row = try #require(try database.rows("SELECT *, NULL FROM envelope WHERE body = ?", .blob(body)).first)
        #expect(try row.text(0) == "Gerät\u{0}✓")
        #expect(try row.integer(1) == .min)
        #expect(try row.blob(2) == body)
        #expect(try row.optionalBlob(2) == body)
        #expect(try row.optionalBlob(3) == nil)
        #expect(try row.optionalText(3) == nil)
    }

    private var logLength: Int {
        (try? FileManager.default.attributesOfItem(atPath: folder.file + "-wal")[.size] as? Int) ?? 0
    }

    /// Writes one page; none where the value is the one that stands there.
    private func write(_ value: UInt8, reserving pages: Int64? = nil, in database: Database? = nil) throws {
        let database = database ?? self.database
        try database.begin()
        if let pages { try database.reserveLog(pages: pages) }
        try database.run("UPDATE envelope SET body = ? WHERE rowid = 1", .blob([value]))
        try database.commit()
    }

    private static func value(_ database: Database) throws -> [UInt8]? {
        try database.rows("SELECT body FROM envelope WHERE rowid = 1").first?.blob(0)
    }

    @Test(.holds("A19"))
    func `what was reserved takes the next commits, and the file does not grow with each reservation`()
        throws
    {
        for value in 1...3 { try write(UInt8(value)) }
        var lengths: Set<Int> = []
        for _ in 1...40 {
            try write(2, reserving: 8)
            let length = logLength
            for value in 3...9 { try write(UInt8(value)) }
            #expect(logLength == length, "what was reserved was there")
            lengths.insert(length)
            try database.truncateLog()
        }
        #expect(lengths.count <= 3)
        // Without a truncation it follows what is written, and no more.
        for value in 1...100 { try write(UInt8(value), reserving: 8) }
        #expect(logLength <= 32 + 110 * 4_120)
        #expect(try Self.value(database) == [100])
    }

    @Test(.holds("A19")) func `what another connection wrote since is not taken for room`() throws {
        let other = try Database(opening: folder.file, format: Sample.format)
        try write(1, reserving: 8)
        for value in 2...8 { try write(UInt8(value), in: other) }
        try write(9, reserving: 8)
        let length = logLength
        for value in 10...16 { try write(UInt8(value)) }
        #expect(logLength == length)
        #expect(try Self.value(other) == [16])
        other.close()
    }

    @Test func `a reservation is part of a transaction, and what is rolled back leaves nothing`() throws {
        #expect(throws: SQLiteError.self) { try database.reserveLog(pages: 1) }
        try write(1)
        try database.begin()
        try database.reserveLog(pages: 8)
        try database.run("UPDATE envelope SET body = ? WHERE rowid = 1", .blob([2]))
        database.rollback()
        let other = try Database(opening: folder.file, format: Sample.format)
        #expect(try Self.value(other) == [1])
        try write(3, in: other)
        #expect(try Self.value(database) == [3])
        other.close()
    }

    @Test func `an empty blob and an empty text are not null`() throws {
        try database.run("INSERT INTO envelope VALUES (?, 1, ?)", .text(""), .blob([]))
        let row = try #require(try database.rows("SELECT name, body FROM envelope WHERE name = ''").first)
        #expect(try row.optionalText(0) == "")
        #expect(try row.optionalBlob(1) == [])
    }

    @Test(.holds("A41")) func `a value of the wrong type, a missing column, a float or broken text is damage`() throws {
        let row = try #require(try database.rows("SELECT 1, 'text', x'00', NULL").first)
        #expect(throws: SQLiteError.corrupt) { try row.blob(0) }
        #expect(throws: SQLiteError.corrupt) { try row.integer(1) }
        #expect(throws: SQLiteError.corrupt) { try row.text(2) }
        #expect(throws: SQLiteError.corrupt) { try row.blob(3) }
        #expect(throws: SQLiteError.corrupt) { try row.optionalBlob(4) }
        #expect(throws: SQLiteError.corrupt) { try database.rows("SELECT 1.5")[0].integer(0) }
        #expect(throws: SQLiteError.corrupt) { try database.rows("SELECT CAST(x'ff' AS TEXT)")[0].text(0) }
        #expect(try database.rows("SELECT 1.5, x'01'")[0].blob(1) == [1])
        #expect(throws: SQLiteError.self) { try database.run("UPDATE envelope SET body = ?", .damaged) }
    }

    @Test(.holds("A41")) func `a value above the limit is refused`() {
        let body = [UInt8](repeating: 1, count: Int(Database.maximumValueByteCount) + 1)
        #expect(throws: SQLiteError.tooBig) { try database.run("UPDATE envelope SET body = ?", .blob(body)) }
        #expect(throws: SQLiteError.tooBig) { try database.rows("SELECT zeroblob(2097153)") }
    }

    @Test func `a broken constraint is told apart, and the statement works again`() throws {
        for _ in 1...2 {
            #expect(throws: SQLiteError.constraint) {
                try database.run("INSERT INTO head VALUES (?, 0, '')", .integer(1))
            }
        }
        try database.run("INSERT INTO head VALUES (?, 0, '')", .integer(2))
        #expect(database.changes == 1)
    }

    @Test func `values of one call do not leak into the next`() throws {
        let sql: StaticString = "SELECT ?, ?"  // one literal, so one kept statement
        let first = try #require(try database.rows(sql, .text("kept"), .integer(1)).first)
        #expect(try first.text(0) == "kept")
        let second = try #require(try database.rows(sql, .text("new")).first)
        #expect(try second.text(0) == "new")
        #expect(try second.optionalBlob(1) == nil)
    }

    @Test func `rows can be taken one by one, with the same query inside`() throws {
        func names(depth: Int) throws(SQLiteError) -> [String] {
            var names: [String] = []
            try database.forEachRow("SELECT name FROM envelope ORDER BY name", mapping: { $0 }) {
                (row) throws(SQLiteError) in
                names.append(try row.text(0))
                if depth > 0 { names += try inner(depth: depth - 1) }
            }
            return names
        }
        func inner(depth: Int) throws(SQLiteError) -> [String] { try names(depth: depth) }
        #expect(try names(depth: 0) == ["first", "second"])
        #expect(try names(depth: 1) == ["first", "first", "second", "second", "first", "second"])
    }

    @Test func `what the body throws ends the query, and the database's failures are mapped`() throws {
        enum Failure: Error, Equatable { case enough, database(SQLiteError) }
        var count = 0
        #expect(throws: Failure.enough) {
            try database.forEachRow("SELECT name FROM envelope", mapping: Failure.database) {
                (_) throws(Failure) in
                count += 1
                throw .enough
            }
        }
        #expect(count == 1)
        #expect(throws: Failure.database(.tooBig)) {
            try database.forEachRow("SELECT zeroblob(2097153)", mapping: Failure.database) { (_) throws(Failure) in }
        }
        try Sample.advance(database)
    }

    @Test func `a query that is interrupted fails at its next row, and the next query does not`() throws {
        var count = 0
        #expect(throws: SQLiteError.other(9)) {
            try database.forEachRow("SELECT name FROM envelope", mapping: { $0 }) { (_) throws(SQLiteError) in
                count += 1
                database.interrupt()
            }
        }
        #expect(count == 1)
        #expect(try database.rows("SELECT name FROM envelope").count == 2)
    }

    @Test func `a rolled back transaction leaves nothing`() throws {
        try database.begin()
        try database.run("DELETE FROM envelope")
        database.rollback()
        #expect(try Sample.generation(of: database) == 0)
        database.rollback()  // without a transaction it does nothing
        try Sample.advance(database)
        #expect(try Sample.generation(of: database) == 1)
    }

    @Test func `a closed connection undoes its transaction and refuses every call`() throws {
        try database.begin()
        try database.run("DELETE FROM envelope")
        database.close()
        database.close()
        #expect(throws: SQLiteError.self) { try database.run("DELETE FROM envelope") }
        #expect(throws: SQLiteError.self) { try database.commit() }
        #expect(throws: SQLiteError.self) { try database.truncateLog() }
        #expect(try Sample.generation(of: Database(opening: folder.file, format: Sample.format)) == 0)
    }

    @Test(.holds("A38")) func `a second writer is refused while the first works, a reader sees the last commit`() throws
    {
        let other = try Database(opening: folder.file, format: Sample.format)
        other.waitForOthers(atMostMilliseconds: 0)
        try database.begin()
        try database.run("DELETE FROM envelope")
        #expect(throws: SQLiteError.busy) { try other.begin() }
        #expect(try Sample.generation(of: other) == 0)
        try database.commit()
        #expect(throws: SQLiteError.corrupt) { try Sample.generation(of: other) }
    }

    @Test func `a snapshot stays what it was until it ends, and cannot overwrite what came later`() throws {
        let other = try Database(opening: folder.file, format: Sample.format)
        try other.beginRead()
        #expect(try Sample.generation(of: other) == 0)
        try Sample.advance(database)
        #expect(try Sample.generation(of: other) == 0)
        #expect(throws: SQLiteError.busy) { try other.run("UPDATE head SET generation = 9") }
        other.rollback()
        #expect(try Sample.generation(of: other) == 1)
    }

    @Test(.holds("A38")) func `no update of four connections is lost`() async throws {
        let disk = FaultyDisk()  // for its speed: it syncs nothing
        let file = folder.file
        database.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask {
                    let mine = try Database(opening: file, format: Sample.format, vfs: disk.vfsName)
                    for _ in 1...50 { try Sample.advance(mine) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Sample.generation(of: Database(opening: file, format: Sample.format)) == 200)
    }

    @Test(.holds("A61")) func `what was deleted is in no file once the log is truncated`() throws {
        let marker = Data((0..<64).map { UInt8($0) ^ 0xa5 })
        func isSomewhere() throws -> Bool {
            try folder.contents().values.contains { $0.range(of: marker) != nil }
        }
        // Long enough for overflow pages, and short enough to share a page.
        for (name, copies) in [("long", 3_000), ("short", 1)] {
            try database.run(
                "INSERT INTO envelope VALUES (?, 1, ?)",
                .text(name),
                .blob(Array(repeatElement(marker, count: copies).joined()))
            )
        }
        #expect(try isSomewhere(), "else this test could not fail")
        try database.truncateLog()
        #expect(try isSomewhere())
        try database.run("DELETE FROM envelope WHERE generation = 1")
        #expect(database.changes == 2)
        try database.truncateLog()
        #expect(try !isSomewhere())
        #expect(try folder.contents()["vault.db-wal"]?.isEmpty == true)
    }

    /// A copy of the one file is whole, and the next process finds a log that it need not make.
    @Test func `the last close moves the log into the database and empties it`() throws {
        try Sample.advance(database)
        #expect(try folder.contents()["vault.db-wal"]?.isEmpty == false)
        database.close()
        let left = try folder.contents()
        #expect(left["vault.db-wal"]?.isEmpty == true)
        try folder.replaceContents(with: ["vault.db": #require(left["vault.db"])])
        #expect(try Sample.generation(of: Database(opening: folder.file, format: Sample.format)) == 1)
    }

    @Test func `the log is not truncated under a reader`() throws {
        let other = try Database(opening: folder.file, format: Sample.format)
        try other.beginRead()
        _ = try Sample.generation(of: other)
        database.waitForOthers(atMostMilliseconds: 0)
        #expect(throws: SQLiteError.busy) { try database.truncateLog() }
        other.rollback()
        try database.truncateLog()
    }

    @Test(arguments: [
        "CREATE TABLE foreign_table(a)", "CREATE TRIGGER t AFTER INSERT ON head BEGIN SELECT 1; END", "DROP TABLE head",
        "ALTER TABLE head ADD COLUMN x", "PRAGMA writable_schema = ON", "PRAGMA synchronous = OFF",
        "PRAGMA journal_mode = OFF", "ATTACH ':memory:' AS other", "VACUUM", "REINDEX", "SAVEPOINT s",
    ])
    func `an open database accepts nothing but reading and writing rows`(sql: String) throws {
        #expect(throws: SQLiteError.other(23)) { try database.execute(sql) }  // SQLITE_AUTH
        #expect(try Sample.generation(of: database) == 0)
    }
}
