import Synchronization
import Testing
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("Connections that meet in a store", .timeLimit(.minutes(10))) struct StoreRaceTests {
    @Test(.holds("SVC-38"), arguments: Backing.allCases)
    func `no update is lost`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let store = try room.open()
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 0) }
        try onThreads(8) { index in
            let store = try index % 2 == 0 ? room.open() : room.openElsewhere()
            for _ in 1...25 {
                try store.transaction { transaction throws(StoreError) in
                    // What is read here is what is written upon, though nothing locks the row.
                    let number = try transaction.row("SELECT expires_at FROM proven")?.integer(0) ?? 0
                    try transaction.run("UPDATE proven SET expires_at = $1", .integer(number + 1))
                }
            }
        }
        let number = try store.reading { transaction throws(StoreError) in
            try transaction.row("SELECT expires_at FROM proven")?.integer(0)
        }
        #expect(number == 200)
    }

    @Test(.holds("SRP-11"), arguments: Backing.allCases)
    func `of all that take one row out, one has it`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let store = try room.open()
        for round in 1...20 as ClosedRange<Int64> {
            try store.transaction { transaction throws(StoreError) in try transaction.put([1], round) }
            let taken = Mutex<[Int64]>([])
            try onThreads(6) { index in
                let store = try index % 2 == 0 ? room.open() : room.openElsewhere()
                let rows = try store.transaction { transaction throws(StoreError) in
                    try transaction.rows("DELETE FROM proven WHERE network = $1 RETURNING expires_at", .blob([1]))
                }
                let numbers = try rows.map { try $0.integer(0) }
                taken.withLock { $0 += numbers }
            }
            #expect(taken.withLock { $0 } == [round])
        }
    }

    @Test(.holds("SVC-38"), arguments: Backing.allCases)
    func `two that each look before they write what the other looked at are one after the other`(
        backing: Backing
    ) throws {
        let room = try StoreRoom(backing)
        let store = try room.open()
        // At most one row may be there, which both look after: no row is written by both.
        for _ in 1...20 {
            try store.transaction { transaction throws(StoreError) in try transaction.run("DELETE FROM proven") }
            try onThreads(4) { index in
                let store = try index % 2 == 0 ? room.open() : room.openElsewhere()
                try store.transaction { transaction throws(StoreError) in
                    if try transaction.count() == 0 { try transaction.put([UInt8(index)], 1) }
                }
            }
            #expect(try store.count() == 1)
        }
    }

    @Test(arguments: Backing.allCases)
    func `who reads sees one moment, and holds up nobody`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let (reader, writer) = (try room.open(), try room.open())
        let counts = try reader.reading { transaction throws(StoreError) in
            let first = try transaction.count()
            try writer.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
            return [first, try transaction.count()]
        }
        #expect(counts == [0, 0])
        #expect(try reader.count() == 1)
    }

    @Test(.needsPostgres) func `a transaction that was in another's way is run again`() throws {
        let room = try StoreRoom(.postgres)
        let (first, second) = (try room.open(), try room.open())
        var runs = 0
        try first.transaction { transaction throws(StoreError) in
            runs += 1
            let count = try transaction.count()
            if runs == 1 {
                try second.transaction { transaction throws(StoreError) in
                    try transaction.put([2], try transaction.count())
                }
            }
            try transaction.put([1], count)
        }
        #expect(runs == 2)
        let numbers = try first.reading { transaction throws(StoreError) in
            try transaction.rows("SELECT expires_at FROM proven ORDER BY network").map { row throws(StoreError) in
                try row.integer(0)
            }
        }
        #expect(numbers == [1, 0])
    }

    @Test(.needsPostgres) func `a transaction that is always in another's way is told so in the end`() throws {
        let room = try StoreRoom(.postgres)
        guard case .postgres(var server) = room.location else { return }
        server.retryMilliseconds = 100
        let (first, second) = (try PostgresStore(server), try room.open())
        var runs: UInt8 = 0
        #expect(throws: StoreError.busy) {
            try first.transaction { transaction throws(StoreError) in
                runs += 1
                _ = try transaction.count()
                try second.transaction { transaction throws(StoreError) in
                    try transaction.put([2, runs], try transaction.count())
                }
                try transaction.put([1], 1)
            }
        }
        #expect(runs > 1)
        #expect(try second.count() == Int64(runs))
    }

    @Test(.needsPostgres) func `a lock that somebody keeps is waited for, and then told`() throws {
        let room = try StoreRoom(.postgres)
        guard case .postgres(var server) = room.location else { return }
        server.statementMilliseconds = 200
        let store = try PostgresStore(server)
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
        let other = try room.operatorsConnection()
        try other.execute("BEGIN")
        try other.execute("SELECT 1 FROM proven FOR UPDATE")
        #expect(throws: StoreError.busy) {
            try store.transaction { transaction throws(StoreError) in try transaction.run("DELETE FROM proven") }
        }
        try other.execute("COMMIT")
        try store.transaction { transaction throws(StoreError) in try transaction.run("DELETE FROM proven") }
        #expect(try store.count() == 0)
    }

    @Test func `a process that keeps the file is waited for, and then told`() throws {
        let room = try StoreRoom(.sqlite)
        let store = try room.open()
        let child = try TestChild(["steps", room.text, "1"], of: "StoreChild")
        #expect(child.readLine() == "open")
        child.send([0])
        #expect(child.readLine() == "1")
        #expect(throws: StoreError.busy) {
            try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
        }
        // Who only reads waits for nobody.
        #expect(try store.count() == 0)
        child.kill()
        _ = child.finish()
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
    }
}
