import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A disk that is full", .timeLimit(.minutes(10))) struct StoreFullTests {
    @Test(.holds("SVC-39")) func `of SQLite's, wherever it fills up: the old state or the new, and reading goes on`()
        throws
    {
        var isFull = 0
        for step in 1...200 {
            let room = try StoreRoom(.sqlite)
            let disk = FaultyDisk()
            let store = try SQLiteStore(SQLiteFile(room.path, vfs: disk.vfsName))
            try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
            disk.arm(.full(from: step))
            var isDone = false
            do throws(StoreError) {
                for number in 2...20 as ClosedRange<Int64> {
                    try store.transaction { transaction throws(StoreError) in
                        try transaction.put([UInt8(number), 1], number)
                        try transaction.put([UInt8(number), 2], number)
                    }
                }
                isDone = true
            } catch {
                isFull += 1
                #expect(error == .full, "step \(step)")
                #expect(try store.count() % 2 == 1)
            }
            disk.disarm()
            // With room again, it goes on without being opened anew.
            try store.transaction { transaction throws(StoreError) in try transaction.put([99], 99) }
            #expect(try store.count() % 2 == 0)
            if isDone { break }
        }
        #expect(isFull > 40)
    }

    @Test(.holds("SVC-39"), .needsPostgres) func `of PostgreSQL's is told, and with room again it goes on`() throws {
        let server = try OwnServer()
        if !server.hasSmallDisk { try Test.cancel("only root can make a disk") }
        let room = try StoreRoom(.postgres, on: server, tablespace: "small")
        let store = try room.open()
        let hand = try room.operatorsConnection()
        try hand.execute("CREATE TABLE ballast AS SELECT md5(x::text) FROM generate_series(1, 20000) AS x")
        #expect(throws: StoreError.full) {
            for round in 1...100_000 as ClosedRange<Int64> {
                try store.transaction { transaction throws(StoreError) in
                    for number in 1...100 as ClosedRange<Int64> {
                        try transaction.run(
                            "INSERT INTO keys (purpose, value) VALUES ($1, $2)",
                            .text("\(round * 1_000 + number)"),
                            .blob(RandomBytes.make(2_000))
                        )
                    }
                }
            }
        }
        let rows = try store.reading { transaction throws(StoreError) in
            try transaction.row("SELECT COUNT(*) FROM keys")?.integer(0) ?? 0
        }
        #expect(rows > 100 && rows % 100 == 0)
        #expect(throws: StoreError.full) {
            try store.transaction { transaction throws(StoreError) in
                for number in 1...1_000 { try transaction.put(Array("\(number)".utf8) + RandomBytes.make(1_000), 1) }
            }
        }
        try hand.execute("DROP TABLE ballast")
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
        #expect(try store.count() == 1)
    }

    @Test(.needsPostgres) func `what a statement may use of the disk is told in the same way`() throws {
        let room = try StoreRoom(.postgres)
        guard case .postgres(let server) = room.location else { return }
        let store = try PostgresStore(PostgresServer(server.uri + "%20-ctemp_file_limit%3D64kB%20-cwork_mem%3D64kB"))
        #expect(throws: StoreError.full) {
            try store.reading { transaction throws(StoreError) in
                try transaction.rows(
                    "SELECT CAST(x AS BIGINT) FROM generate_series(1, 100000) AS x ORDER BY md5(x::text)"
                )
            }
        }
        try store.check()
    }
}
