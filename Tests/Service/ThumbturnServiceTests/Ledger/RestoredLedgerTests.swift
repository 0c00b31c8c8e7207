import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnService

@Suite("The ledger of a restored database", .timeLimit(.minutes(10))) struct RestoredLedgerTests {
    private static let early = ServiceTime(7)

    /// A service with two logs and five accounts, each with a device.
    private final class Room {
        let keyRoom: KeyRoom
        let store: any Store
        let keys: ServiceKeys
        let logs: [TestLog]
        let plan = LedgerPlan(count: 2)

        init(_ backing: Backing) throws {
            keyRoom = try KeyRoom(backing)
            (store, keys) = try keyRoom.open()
            try KeyRoom.fill(1...5, store, keys)
            logs = try TestLog.all(2, in: keyRoom.store.open())
            for log in logs {
                try log.add(count: 3)
                try log.sign()
            }
        }

        func run(_ store: (any Store)? = nil) throws -> Restoration.Report {
            try Restoration.run(in: store ?? self.store, keys, at: early, batch: 2)
        }

        /// The entries that wait for a log.
        func waiting(_ log: Int64) throws -> [LedgerEntry] {
            try store.reading { transaction throws(StoreError) in
                let waiting = try Outbox.entries(of: log, behind: 0, transaction)
                #expect(waiting.map(\.number) == waiting.indices.map { Int64($0) + 1 })
                let row = try transaction.row("SELECT last FROM outbox_ends WHERE log = $1", .integer(log))
                let end = try row?.integer(0)
                // What moved to the next log leaves its numbers behind.
                #expect(waiting.isEmpty || end == Int64(waiting.count))
                return waiting.map(\.entry)
            }
        }

        func number(_ sql: StaticString) throws -> Int64 {
            try store.reading { transaction throws(StoreError) in try transaction.row(sql)?.integer(0) ?? -1 }
        }

        /// The devices that are enrolled in a log, as their rows say.
        func enrolled(_ plan: LedgerPlan, _ log: Int64) throws -> Set<Identifier> {
            let users = try (1...5).map { try #require(Identifier(bytes: [UInt8](repeating: $0, count: 16))) }
            return Set(
                try users.filter { plan.log(of: $0) == log }.map { user in
                    try #require(Identifier(bytes: user.bytes.map { $0 ^ 0xF0 }))
                }
            )
        }
    }

    private static func devices(_ entries: [LedgerEntry]) -> [Identifier] {
        entries.compactMap { entry in
            guard case .deviceEnrolled(let device, _, _) = entry else { return nil }
            return device
        }
    }

    @Test(.holds("SVC-23", "F-107-10"), arguments: Backing.allCases)
    func `begins each log anew, with the head of the former and the devices that are listed`(backing: Backing) throws {
        let room = try Room(backing)
        let report = try room.run()
        #expect(report.raised == 5)
        let origin = ServiceRoom.origin
        #expect(report.origins == ["\(origin)/r1/0", "\(origin)/r1/1"])
        for (place, log) in room.logs.enumerated() {
            let entries = try room.waiting(Int64(2 + place))
            let head = log.notes[1].checkpoint
            #expect(entries.first == .restored(formerOrigin: log.origin, size: 3, root: head.root))
            let devices = Self.devices(entries)
            #expect(Set(devices) == (try room.enrolled(room.plan.next, Int64(2 + place))))
            #expect(entries.count == devices.count + 1 && Set(devices).count == devices.count)
        }
        let (plan, ended) = try room.store.reading { transaction throws(StoreError) in
            let row = try transaction.row("SELECT COUNT(*) FROM logs WHERE ended = 1")
            return (try LedgerPlan.read(transaction), try row?.integer(0))
        }
        #expect(plan == room.plan.next && ended == 2)
        // The former ones stay as they were, to read and to verify.
        let found = try #require(try LedgerCheck.run(in: room.store))
        #expect(found.isRight && found.logs.count == 4 && found.logs.prefix(2).allSatisfy(\.isEnded))
    }

    @Test(.holds("SVC-23", "F-107-10"), arguments: Backing.allCases)
    func `keeps what the former log did not get before its readers`(backing: Backing) throws {
        let room = try Room(backing)
        let log = room.logs[1]
        let user = try #require(Identifier(bytes: [UInt8](repeating: 9, count: 16)))
        let gone = LedgerEntry.deviceRevoked(device: .make(), user: user)
        let changed = LedgerEntry.passwordChanged(user: user, policyEpoch: 4)
        let all = try room.enrolled(room.plan, 1).union(room.enrolled(room.plan, 0))
        let listed = try #require(all.first)
        let twice = LedgerEntry.deviceEnrolled(device: listed, user: user, publicKeySha256: MerkleTree.emptyRoot)
        // In the log, and not signed; and not yet in the log.
        try log.add(entries: [gone, twice])
        let fork = LedgerEntry.fork(
            device: .make(),
            epoch: .make(),
            seq: 1,
            user: user,
            bodySha256: MerkleTree.emptyRoot
        )
        try log.add([fork.leaf(at: log.time)])
        try room.store.transaction { transaction throws(StoreError) in
            for entry in [changed, twice] { try Outbox.put(entry, for: 1, transaction) }
        }
        _ = try room.run()
        let entries = try room.waiting(3)
        #expect(
            entries.prefix(3) == [
                .restored(formerOrigin: log.origin, size: 3, root: log.notes[1].checkpoint.root), gone, changed,
            ]
        )
        #expect(entries.dropFirst(3).allSatisfy { Self.devices([$0]).count == 1 })
        #expect(Self.devices(entries).filter { $0 == listed }.count <= 1)
        #expect(try room.number("SELECT COUNT(*) FROM outbox WHERE log < 2") == 0)
    }

    @Test(.holds("SVC-23"), arguments: Backing.allCases, [false, true])
    func `is begun once, wherever that was cut off`(backing: Backing, isStored: Bool) throws {
        var stops = 0
        var isDone = false
        while !isDone {
            let room = try Room(backing)
            do throws(StoreError) {
                _ = try Restoration.run(
                    in: FailingStore(room.store, at: stops + 1, isStored: isStored),
                    room.keys,
                    at: Self.early,
                    batch: 2
                )
                isDone = true
            } catch {
                stops += 1
                let isOver = try room.number("SELECT COUNT(*) FROM keys WHERE purpose = 'raised'") == 0
                if !isOver || stops == 1 { _ = try room.run() }
            }
            let plan = try room.store.reading { transaction throws(StoreError) in try LedgerPlan.read(transaction) }
            #expect(plan == room.plan.next)
            for log in [2, 3] as [Int64] {
                let entries = try room.waiting(log)
                guard case .restored = entries.first else {
                    Issue.record("no former head")
                    continue
                }
                #expect(Set(Self.devices(entries)) == (try room.enrolled(room.plan.next, log)))
                #expect(entries.count == Self.devices(entries).count + 1)
            }
        }
        #expect(stops > 5)
    }

    @Test(arguments: Backing.allCases)
    func `may be restored once more, before the service started and behind it`(backing: Backing) throws {
        let room = try Room(backing)
        _ = try room.run()
        _ = try room.run()
        let third = try room.waiting(4)
        let origin = ServiceRoom.origin
        #expect(third.first == .restored(formerOrigin: "\(origin)/r1/0", size: 0, root: MerkleTree.emptyRoot))
        #expect(
            third.dropFirst().first
                == .restored(formerOrigin: "\(origin)/0", size: 3, root: room.logs[0].notes[1].checkpoint.root)
        )
        #expect(try room.waiting(2).isEmpty)
        let log = try TestLog(4, origin: "\(origin)/r2/0", in: room.keyRoom.store.open(), isBegun: true)
        try log.add(entries: third)
        try log.sign()
        _ = try room.run()
        let head = log.notes[1].checkpoint
        #expect(
            try room.waiting(6).first == .restored(formerOrigin: "\(origin)/r2/0", size: head.size, root: head.root)
        )
    }

    @Test(arguments: Backing.allCases)
    func `is nothing where there was none`(backing: Backing) throws {
        let room = try KeyRoom(backing)
        let (store, keys) = try room.open()
        try KeyRoom.fill(1...2, store, keys)
        #expect(try Restoration.run(in: store, keys, at: Self.early).origins == [])
        let rows = try store.reading { transaction throws(StoreError) in try transaction.rows("SELECT log FROM outbox")
        }
        #expect(rows.isEmpty)
    }
}
