import Synchronization
import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A rotation of the service key", .timeLimit(.minutes(10))) struct RotationTests {
    @Test(.holds("SVC-34"), arguments: Backing.allCases)
    func `seals every value anew, and forgets the former key`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let (store, keys) = try room.open()
        try KeyRoom.fill(1...7, store, keys)
        let name = try NameKey.establish(in: store, keys).tag("account", [1])
        let former = try room.keyBytes()
        let report = try ServiceKeyRotation(of: room.file, in: store, batch: 3).run()
        #expect(report == .init(identifier: try #require(try room.file.identifiers().first), sealed: 29, refused: 0))
        #expect(try room.file.identifiers().count == 1)
        // An instance that was there all the time, and one that comes.
        try KeyRoom.check(7, store, keys)
        let newcomer = try ServiceKeys(room.file)
        try KeyRoom.check(7, store, newcomer)
        #expect(try NameKey.establish(in: store, newcomer).tag("account", [1]) == name)
        // Who stole the former key has nothing of it now.
        try room.setKeyBytes(former)
        let thief = try ServiceKeys(room.file)
        for (cell, box) in try store.reading({ transaction throws(StoreError) in try transaction.sealedValues() }) {
            #expect(throws: StoreError.keyMissing) { _ = try thief.open(box, cell) }
        }
    }

    @Test(arguments: Backing.allCases, [false, true])
    func `that was cut off is taken up, and no key is made in vain`(backing: Backing, isStored: Bool) throws {
        for stop in 1... {
            let room = try KeyRoom(backing)
            let (store, keys) = try room.open()
            try KeyRoom.fill(1...3, store, keys)
            let failing = FailingStore(store, at: stop, isStored: isStored)
            let isDone = (try? ServiceKeyRotation(of: room.file, in: failing, batch: 2).run()) != nil
            try KeyRoom.check(3, store, keys)
            try KeyRoom.fill(4...5, store, keys)
            if !isDone { #expect(try room.file.identifiers().count == 2) }
            let names = try room.file.identifiers()
            let report = try ServiceKeyRotation(of: room.file, in: store, batch: 2).run()
            if !isDone { #expect(report.identifier == names.last) }
            #expect(try room.file.identifiers() == [report.identifier])
            try KeyRoom.check(5, store, try ServiceKeys(room.file))
            if isDone { break }
        }
    }

    @Test(.holds("SVC-34"), arguments: Backing.allCases)
    func `may run while instances write`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        _ = try room.open()
        let isDone = Mutex(false)
        try onThreads(3) { index in
            let (store, keys) = try room.open()
            if index == 0 {
                for _ in 1...3 {
                    let report = try ServiceKeyRotation(of: room.file, in: store, batch: 4).run()
                    #expect(report.refused == 0)
                }
                isDone.withLock { $0 = true }
            } else {
                for number in UInt8(index - 1) * 100 + 1...UInt8(index - 1) * 100 + 99 {
                    try KeyRoom.fill(number...number, store, keys)
                    if isDone.withLock({ $0 }) { break }
                }
            }
        }
        let (store, keys) = try room.open()
        let values = try store.reading { transaction throws(StoreError) in try transaction.sealedValues() }
        for (cell, box) in values { _ = try keys.open(box, cell) }
        #expect(values.count > 3)
    }

    @Test(.holds("SVC-34"), arguments: Backing.allCases)
    func `that ends behind an instance's look at the database lets it start`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let (store, _) = try room.open()
        let keys = try ServiceKeys(room.file)
        // The instance has read a file that the next rotation replaces.
        _ = try ServiceKeyRotation(of: room.file, in: store).run()
        let follower = FollowedStore(store) { _ = try? ServiceKeyRotation(of: room.file, in: store).run() }
        let name = try NameKey.establish(in: follower, keys).tag("account", [1])
        #expect(try NameKey.establish(in: store, try ServiceKeys(room.file)).tag("account", [1]) == name)
    }

    @Test(.holds("SVC-34"), .needsPostgres)
    func `overtakes a transaction that took the former key, which then seals under the new one`() throws {
        let room = try KeyRoom(.postgres)
        let (store, keys) = try room.open()
        let other = try room.store.open()
        var runs = 0
        var fault: (any Error)?
        try store.transaction { transaction throws(StoreError) in
            runs += 1
            let sealer = try keys.sealer(in: transaction)
            if runs == 1 {
                do { _ = try ServiceKeyRotation(of: room.file, in: other).run() } catch { fault = error }
            }
            try transaction.addAccount(1, 3, sealer)
        }
        #expect(fault == nil)
        #expect(runs == 2)
        try KeyRoom.check(1, store, try ServiceKeys(room.file))
    }

    @Test(arguments: Backing.allCases)
    func `keeps the former key as long as a value does not open`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let (store, keys) = try room.open()
        try KeyRoom.fill(1...3, store, keys)
        let good = try store.transaction { transaction throws(StoreError) in
            let row = try transaction.row("SELECT verifier FROM accounts WHERE name_hash = $1", .blob([2]))
            let update: StaticString = "UPDATE accounts SET verifier = $1 WHERE name_hash = $2"
            try transaction.run(update, .blob([UInt8](repeating: 7, count: 90)), .blob([2]))
            return try row?.blob(0) ?? []
        }
        let report = try ServiceKeyRotation(of: room.file, in: store).run()
        #expect(report.sealed == 12 && report.refused == 1)
        #expect(try room.file.identifiers().count == 2)
        // The operator puts it back.
        try store.transaction { transaction throws(StoreError) in
            try transaction.run("UPDATE accounts SET verifier = $1 WHERE name_hash = $2", .blob(good), .blob([2]))
        }
        #expect(try ServiceKeyRotation(of: room.file, in: store).run().refused == 0)
        try KeyRoom.check(3, store, try ServiceKeys(room.file))
        #expect(try room.file.identifiers().count == 1)
    }

    @Test func `needs the file that belongs to the database`() throws {
        let (room, other) = (try KeyRoom(.sqlite), try KeyRoom(.sqlite))
        let (store, _) = try room.open()
        #expect(throws: ServiceKeyRotationError.file(.absent)) {
            try ServiceKeyRotation(of: other.file, in: store).run()
        }
        #expect(try other.file.identifiers().count == 1)
    }
}
