import Foundation
import Testing
import ThumbturnSQLite
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("The tables of a store", .timeLimit(.minutes(10))) struct StoreFormatTests {
    @Test(arguments: Backing.allCases)
    func `all who open a new database at once find one`(backing: Backing) throws {
        for _ in 1...5 {
            let room = try StoreRoom(backing)
            try onThreads(8) { index in
                try room.open().transaction { transaction throws(StoreError) in try transaction.put([UInt8(index)], 1) }
            }
            #expect(try room.open().count() == 8)
        }
    }

    @Test(.needsPostgres) func `a database of a newer version is left alone`() throws {
        let room = try StoreRoom(.postgres)
        _ = try room.open()
        try room.operatorsConnection().execute("UPDATE thumbturn_format SET version = 7")
        #expect(throws: StoreError.newerFormat(7)) { try room.open() }
    }

    @Test func `a file of a newer version is left alone`() throws {
        let room = try StoreRoom(.sqlite)
        let newer = ServiceSchema.current.format.next()
        _ = try Database(creating: room.path, format: newer)
        #expect(throws: StoreError.newerFormat(ServiceSchema.current.newest.number + 1)) { try room.open() }
    }

    @Test(.needsPostgres) func `tables that are missing, or somebody else's, are damage`() throws {
        let room = try StoreRoom(.postgres)
        let store = try room.open()
        try room.operatorsConnection().execute("DROP TABLE proven")
        #expect(throws: StoreError.damaged) { try store.count() }
        let foreign = try StoreRoom(.postgres)
        try foreign.operatorsConnection().execute("CREATE TABLE accounts (name TEXT)")
        #expect(throws: StoreError.damaged) { try foreign.open() }
        // What was begun of ours there is undone.
        #expect(throws: PostgresFailure.state("42P01")) {
            try foreign.operatorsConnection().execute("SELECT 1 FROM thumbturn_format")
        }
    }

    enum Harm: CaseIterable {
        case foreign, otherTables, schemaPage
    }

    @Test(.holds("SVC-39"), arguments: Harm.allCases)
    func `a file that is somebody else's, or damaged, is told, and left as it is`(harm: Harm) throws {
        let room = try StoreRoom(.sqlite)
        let number = harm == .foreign ? 7 : ServiceSchema.current.format.applicationID
        let other = Database.Format(applicationID: number, schema: ["CREATE TABLE a (b)"])
        _ = try Database(creating: room.path, format: harm == .schemaPage ? ServiceSchema.current.format : other)
        if harm == .schemaPage {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: room.path))
            try file.seek(toOffset: 100)  // The head of the page that lists the tables.
            try file.write(contentsOf: [0xFF])
            try file.close()
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: room.path))
        #expect(throws: StoreError.damaged) { try room.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: room.path)) == before)
    }

    @Test(.holds("A39")) func `a journal beside the file costs no file that it names`() throws {
        let room = try StoreRoom(.sqlite)
        _ = try room.open()
        let (victim, journal) = (room.path + ".victim", room.path + "-journal")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
        try Data(PlantedJournal.bytes(naming: victim)).write(to: URL(fileURLWithPath: journal))
        #expect(try room.open().count() == 0)
        #expect(FileManager.default.fileExists(atPath: victim))
        #expect(!FileManager.default.fileExists(atPath: journal))
    }

    @Test(.needsPostgres) func `a commit is on disk before it is told, whatever the server is set to`() throws {
        let room = try StoreRoom(.postgres)
        guard case .postgres(let server) = room.location else { return }
        for (setting, expected) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")] {
            let uri = server.uri + "%20-csynchronous_commit%3D\(setting)"
            let answer = try PostgresConnection(PostgresServer(uri)).query("SHOW synchronous_commit", [])
            // What has no type of ours is text all the same.
            #expect(try answer.rows.first??.text(0) == expected)
        }
    }

    @Test(.needsPostgres) func `a server that can't be reached, or lets nobody in, is not available`() throws {
        for uri in ["postgres://nobody:x@127.0.0.1:1/x", TestServer.uri.replacing("thumbturn:", with: "thumbturn:x")] {
            #expect(throws: StoreError.unavailable) { try PostgresStore(PostgresServer(uri)) }
        }
    }

    @Test(arguments: Backing.allCases) func `who asks for a store that is there makes none`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        #expect(throws: StoreError.self) { try room.location.open(making: false) }
        if backing == .postgres {
            let there = try room.operatorsConnection().query("SELECT to_regclass('thumbturn_format') IS NULL", [])
            #expect(try there.rows.first??.integer(0) == 1)
        } else {
            #expect(!FileManager.default.fileExists(atPath: room.path))
        }
        _ = try room.location.open()
        _ = try room.location.open(making: false)
    }
}
