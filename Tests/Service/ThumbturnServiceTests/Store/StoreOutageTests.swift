import Foundation
import Synchronization
import Testing
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A database that goes and comes back", .timeLimit(.minutes(10))) struct StoreOutageTests {
    @Test(.holds("SVC-39")) func `a file that was moved away is not written to, and back it is used again`() throws {
        let room = try StoreRoom(.sqlite)
        let store = try room.open()
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
        let folder = (room.path as NSString).deletingLastPathComponent
        try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
        #expect(throws: StoreError.unavailable) {
            try store.transaction { transaction throws(StoreError) in try transaction.put([2], 2) }
        }
        #expect(throws: StoreError.unavailable) { try store.check() }
        // Nothing is made in its place.
        #expect(!FileManager.default.fileExists(atPath: room.path))
        try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
        try store.transaction { transaction throws(StoreError) in try transaction.put([3], 3) }
        #expect(try store.count() == 2)
    }

    @Test(.holds("SVC-39"), .needsPostgres)
    func `a server that was started again costs nobody an error, and one that is down is told`()
        throws
    {
        let server = try OwnServer()
        let room = try StoreRoom(.postgres, on: server)
        let stores = [try room.open(), try room.open()]
        for (round, stop) in [[], ["--kill"], []].enumerated() {
            for (index, store) in stores.enumerated() {
                let network = [UInt8(round), UInt8(index)]
                try store.transaction { transaction throws(StoreError) in try transaction.put(network, 1) }
            }
            if stop.isEmpty { try server.run("stop") } else { try server.run("stop", "--kill") }
            if round == 1 {
                for store in stores { #expect(throws: StoreError.unavailable) { try store.check() } }
                #expect(throws: StoreError.unavailable) {
                    try stores[0].transaction { transaction throws(StoreError) in try transaction.put([9], 9) }
                }
            }
            try server.run("start")
            for store in stores { #expect(try store.count() == Int64(2 * (round + 1))) }
        }
    }

    @Test(.needsPostgres) func `a server that goes in the midst of a transaction, and is back, runs it again`() throws {
        let server = try OwnServer()
        let room = try StoreRoom(.postgres, on: server)
        let store = try room.open()
        var runs = 0
        var fault: (any Error)?
        try store.transaction { transaction throws(StoreError) in
            runs += 1
            try transaction.put([1], 1)
            if runs == 1 {
                do {
                    try server.run("stop", "--kill")
                    try server.run("start")
                } catch {
                    fault = error
                }
            }
            try transaction.put([2], 2)
        }
        #expect(fault == nil)
        #expect(runs == 2)
        #expect(try store.count() == 2)
    }

    @Test(.holds("SVC-39"), .needsPostgres, .timeLimit(.minutes(10)))
    func `a server that does not answer is given up, and used again once it does`() throws {
        let server = try OwnServer()
        let room = try StoreRoom(.postgres, on: server)
        guard case .postgres(var location) = room.location else { return }
        location.answerMilliseconds = 500
        let store = try PostgresStore(location)
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
        try server.run("freeze")
        #expect(throws: StoreError.unavailable) { try store.check() }
        // Nor does it get a new connection.
        #expect(throws: StoreError.unavailable) { try store.check() }
        try server.run("thaw")
        try store.transaction { transaction throws(StoreError) in try transaction.put([2], 2) }
        #expect(try store.count() == 2)
    }

    @Test(.holds("SVC-39"), .needsPostgres)
    func `what a server answers after it was given up is nobody's answer`() throws {
        let server = try OwnServer()
        let room = try StoreRoom(.postgres, on: server)
        guard case .postgres(var location) = room.location else { return }
        location.answerMilliseconds = 500
        let store = try PostgresStore(location)
        var fault: (any Error)?
        try store.transaction { transaction throws(StoreError) in
            _ = try transaction.row("SELECT CAST($1 AS BIGINT)", .integer(0))
            do { try server.run("freeze") } catch { fault = error }
            transaction.undo()  // the server hangs where it is told to
        }
        try server.run("thaw")
        for number: Int64 in 1...4 {
            let answer = try store.transaction { transaction throws(StoreError) in
                let row = try transaction.row("SELECT CAST($1 AS BIGINT)", .integer(number))
                transaction.undo()
                return row
            }
            #expect(try answer?.integer(0) == number)
        }
        #expect(fault == nil)
    }

    @Test(.holds("SVC-39"), .needsPostgres)
    func `a connection that ends before the commit was come to costs nobody an error`() throws {
        let room = try StoreRoom(.postgres)
        let store = try room.open()
        try room.operatorsConnection().execute(
            """
            CREATE SEQUENCE times;
            CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN IF nextval(''times'') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(9); END IF;
                RETURN NULL; END';
            CREATE TRIGGER once AFTER INSERT ON proven FOR EACH ROW EXECUTE FUNCTION leave()
            """
        )
        var runs = 0
        try store.transaction { transaction throws(StoreError) in
            runs += 1
            try transaction.put(
                "INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3)",
                with: [.blob(StoreContractTests.account), .blob([1]), .integer(1)]
            )
        }
        #expect(runs == 2)
        #expect(try store.count() == 1)
    }

    @Test(.holds("SVC-39"), .needsPostgres)
    func `a commit whose answer never came is uncertain, and either stored or not`() throws {
        let room = try StoreRoom(.postgres)
        let store = try room.open()
        let hand = try room.operatorsConnection()
        // At the commit, the server waits for us.
        try hand.execute(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(77); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON proven DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait();
            SELECT pg_advisory_lock(77)
            """
        )
        let isEnded = Mutex(false)
        try onThreads(2) { index in
            if index == 0 {
                let store = try room.open()
                #expect(throws: StoreError.uncertain) {
                    try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
                }
                isEnded.withLock { $0 = true }
            } else {
                let hand = try room.operatorsConnection()
                let end = ContinuousClock.now + .seconds(20)
                while !isEnded.withLock({ $0 }), ContinuousClock.now < end {
                    try hand.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_locks
                            WHERE locktype = 'advisory' AND objid = 77 AND NOT granted
                        """
                    )
                }
            }
        }
        #expect(try store.count() == 0)
        try hand.execute("SELECT pg_advisory_unlock(77)")
        try store.transaction { transaction throws(StoreError) in try transaction.put([1], 1) }
        #expect(try store.count() == 1)
    }
}
