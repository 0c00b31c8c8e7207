import Testing
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A database that came back from a backup", .timeLimit(.minutes(10))) struct RestorationTests {
    /// Long ago, so that the step is what counts.
    private static let early = ServiceTime(7)
    private static let raised: Int64 = 3 + 1 << 20

    @Test(.holds("SVC-23", "SVC-36"), arguments: Backing.allCases)
    func `has every account in an epoch that nobody saw, and no login`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let (store, keys) = try room.open()
        try KeyRoom.fill(1...5, store, keys)
        let report = try Restoration.run(in: store, keys, at: Self.early, batch: 2)
        #expect(report.raised == 5 && report.refused == 0)
        try KeyRoom.check(5, store, keys, epoch: Self.raised)
        for count in ["SELECT COUNT(*) FROM tokens", "SELECT COUNT(*) FROM handshakes"] as [StaticString] {
            let row = try store.reading { transaction throws(StoreError) in try transaction.row(count) }
            #expect(try row?.integer(0) == 0)
        }
    }

    @Test(.holds("SVC-36"), arguments: Backing.allCases)
    func `that is put back a second time has epochs that nobody saw after the first`(backing: Backing) throws {
        for time in [ServiceTime(1_700_000_000_000), ServiceTime(1_700_000_060_000)] {
            let room = try KeyRoom(backing)
            let (store, keys) = try room.open()
            try KeyRoom.fill(1...2, store, keys)
            _ = try Restoration.run(in: store, keys, at: time)
            try KeyRoom.check(2, store, keys, epoch: time.count)
        }
    }

    @Test(arguments: Backing.allCases, [false, true])
    func `is raised once, wherever the raising was cut off`(backing: Backing, isStored: Bool) throws {
        var stops = 0
        var isDone = false
        while !isDone {
            let room = try KeyRoom(backing)
            let (store, keys) = try room.open()
            try KeyRoom.fill(1...5, store, keys)
            let failing = FailingStore(store, at: stops + 1, isStored: isStored)
            do throws(StoreError) {
                _ = try Restoration.run(in: failing, keys, at: Self.early, batch: 2)
                isDone = true
            } catch {
                #expect(error == .uncertain)
                stops += 1
                // Where the last transaction was stored, all was done, and a second call raises a second time.
                let isOver = try store.reading { transaction throws(StoreError) in
                    try transaction.row("SELECT value FROM keys WHERE purpose = 'raised'") == nil
                }
                if !isOver || stops == 1 { _ = try Restoration.run(in: store, keys, at: Self.early, batch: 2) }
            }
            try KeyRoom.check(5, store, keys, epoch: Self.raised)
        }
        #expect(stops > 3)
    }

    @Test(arguments: Backing.allCases)
    func `with a value that does not open is raised too, and the rest of the account opens`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let (store, keys) = try room.open()
        try KeyRoom.fill(2...2, store, keys)
        try store.transaction { transaction throws(StoreError) in
            // What names a key that is known, and was never sealed under it.
            let name = try transaction.row("SELECT value FROM keys WHERE purpose = 'sealing'")?.blob(0) ?? []
            try transaction.run("UPDATE accounts SET envelope = $1", .blob(name + [UInt8](repeating: 0, count: 60)))
        }
        let report = try Restoration.run(in: store, keys, at: Self.early)
        #expect(report.raised == 1 && report.refused == 1)
        let values = try store.reading { transaction throws(StoreError) in try transaction.sealedValues() }
        for (cell, box) in values {
            switch cell {
            case .envelope: #expect(throws: StoreError.tampered) { _ = try keys.open(box, cell) }
            case .verifier(_, let epoch):
                #expect(epoch == Self.raised)
                _ = try keys.open(box, cell)
            case .name, .nameKey, .sessionKey, .handshakeSecret, .contactKey: _ = try keys.open(box, cell)
            }
        }
    }

    @Test func `stays as it is without the key of its time`() throws {
        let (room, other) = (try KeyRoom(.sqlite), try KeyRoom(.sqlite))
        let (store, keys) = try room.open()
        try KeyRoom.fill(1...2, store, keys)
        #expect(throws: StoreError.keyMissing) { try Restoration.run(in: store, try ServiceKeys(other.file)) }
        try KeyRoom.check(2, store, keys)
    }
}
