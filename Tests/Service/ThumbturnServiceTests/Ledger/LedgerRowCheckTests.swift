import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnService

@Suite("The check of what stands beside a ledger's leaves", .timeLimit(.minutes(10))) struct LedgerRowCheckTests {
    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `finds chains and uploads that were changed`(backing: Backing) throws {
        let room = try CheckedLog(backing)
        let name = room.first.epoch.bytes
        func chain(_ room: CheckedLog, _ index: UInt64?) -> LedgerFault {
            .chainWrong(device: room.first.device.id, epoch: room.first.epoch, index)
        }
        #expect(
            try room.faults { transaction throws(StoreError) in
                try transaction.run(
                    "UPDATE chains SET head = $1 WHERE epoch = $2",
                    .blob(MerkleTree.emptyRoot),
                    .blob(name)
                )
            } == [chain(room, 582)]
        )
        let count = try CheckedLog(backing)
        let epoch = count.first.epoch.bytes
        #expect(
            try count.faults { transaction throws(StoreError) in
                try transaction.run("UPDATE chains SET next_seq = next_seq + 1 WHERE epoch = $1", .blob(epoch))
            } == [chain(count, 582)]
        )
        let gone = try CheckedLog(backing)
        let other = gone.other.epoch.bytes
        let faults = try gone.faults { transaction throws(StoreError) in
            try transaction.run("DELETE FROM chains WHERE epoch = $1", .blob(other))
        }
        #expect(faults.first == .chainUnknown(300) && faults.allSatisfy { $0.code == "chainUnknown" })
        let surplus = try CheckedLog(backing)
        let (device, user) = (Identifier.make().bytes, Identifier.make().bytes)
        let more = try surplus.faults { transaction throws(StoreError) in
            try transaction.run(
                """
                INSERT INTO chains (log, device_id, epoch, user_id, public_key, next_seq, head, ended)
                VALUES (0, $1, $1, $2, $3, 1, $3, 0)
                """,
                .blob(device),
                .blob(user),
                .blob(MerkleTree.emptyRoot)
            )
        }
        #expect(more.map(\.code) == ["chainWrong"] && more[0].index == nil)
        for statement in [
            "UPDATE uploads SET signature = header WHERE first_idx = 200",
            "UPDATE uploads SET first_seq = 1 WHERE first_idx = 200",
            "UPDATE uploads SET record_count = 99 WHERE first_idx = 200",
        ] as [StaticString] {
            let faults = try CheckedLog(backing).faults { transaction throws(StoreError) in
                try transaction.run(statement)
            }
            #expect(faults.first == .uploadWrong(200), "\(statement)")
        }
        let unbrought = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("DELETE FROM uploads WHERE first_idx = 580")
        }
        #expect(unbrought == [.uploadMissing(580), .uploadMissing(581), .uploadMissing(582)])
    }

    @Test(arguments: Backing.allCases)
    func `finds entries that were taken from the outbox`(backing: Backing) throws {
        let entry = LedgerEntry.passwordChanged(user: .make(), policyEpoch: 3).content
        func waiting(_ numbers: [Int64], last: Int64) throws -> [LedgerFault] {
            try CheckedLog(backing).faults { transaction throws(StoreError) in
                for number in numbers {
                    try transaction.run(
                        "INSERT INTO outbox (log, number, content) VALUES (0, $1, $2)",
                        .integer(number),
                        .blob(entry)
                    )
                }
                try transaction.run("UPDATE outbox_ends SET last = $1", .integer(last))
            }
        }
        #expect(try waiting([453, 454], last: 454) == [])
        #expect(try waiting([452, 453, 454], last: 454) == [])
        #expect(try waiting([453, 455], last: 455) == [.outboxWrong(number: 454)])
        #expect(try waiting([453], last: 455) == [.outboxWrong(number: 454), .outboxWrong(number: 455)])
        #expect(try waiting([], last: 451) == [.outboxWrong(number: 452)])
        let count = try CheckedLog(backing).faults { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET outbox = outbox - 1")
        }
        #expect(count.contains(.outboxCount(entries: 452, counted: 451)))
    }

    @Test func `finds evidence of a fork that was changed`() throws {
        let room = try CheckedLog(.sqlite)
        let chain = room.first
        let body = Array("x\n".utf8)
        let entry = LedgerEntry.fork(
            device: chain.device.id,
            epoch: chain.epoch,
            seq: 5,
            user: chain.device.user,
            bodySha256: SHA256.digest(body)
        )
        let place = room.log.size
        try room.log.add([entry.leaf(at: room.log.time)]) { transaction throws(StoreError) in
            try transaction.run(
                "INSERT INTO forks (log, device_id, epoch, idx, header, signature, body) VALUES (0, $1, $2, $3, $4, $4, $4)",
                .blob(chain.device.id.bytes),
                .blob(chain.epoch.bytes),
                .count(place),
                .blob(body)
            )
            try transaction.run("UPDATE chains SET ended = 1 WHERE epoch = $1", .blob(chain.epoch.bytes))
        }
        #expect(try room.report().faults == [])
        let faults = try room.faults { transaction throws(StoreError) in
            try transaction.run("UPDATE forks SET body = $1", .blob([1]))
        }
        #expect(faults == [.forkWrong(place)])
        let chainFault = LedgerFault.chainWrong(device: chain.device.id, epoch: chain.epoch, 582)
        #expect(
            try room.faults { transaction throws(StoreError) in try transaction.run("UPDATE chains SET ended = 0") }
                .contains(chainFault)
        )
    }

    @Test(.holds("F-107-10")) func `remarks on a chain that ends before the next one says`() throws {
        let room = try CheckedLog(.sqlite)
        var end = room.second.end
        end.last?.seq = 24
        let next = TestChain(room.second.device, after: end)
        try next.deliver(1, to: room.log)
        let elsewhere = TestChain(
            room.other.device,
            after: .init(epoch: room.other.epoch, last: .init(seq: 29, hash: MerkleTree.emptyRoot))
        )
        try elsewhere.deliver(1, to: room.log)
        let report = try room.report()
        #expect(report.faults == [])
        #expect(
            Set(report.remarks) == [
                .cut(device: room.second.device.id, epoch: room.second.epoch, count: 20, told: 25),
                .diverged(device: room.other.device.id, epoch: room.other.epoch, seq: 29),
            ]
        )
    }

    @Test(arguments: Backing.allCases)
    func `takes nothing for wrong that is written while it reads`(backing: Backing) throws {
        let room = try CheckedLog(backing)
        let store = GrowingStore(try room.room.open()) {
            try room.log.add(count: 20)
            try room.first.deliver(2, to: room.log)
            try TestChain(room.other.device).deliver(1, to: room.log)
            if room.log.size % 3 == 0 { try room.log.sign() }
        }
        let report = try #require(try LedgerCheck.run(in: store)).logs[0]
        #expect(report.faults == [] && report.size > 605)
        #expect(store.count > 5)
    }
}

/// A store of which something else writes before each reading.
private final class GrowingStore: Store {
    private let store: any Store
    private let write: () throws -> Void
    private(set) var count = 0

    init(_ store: any Store, _ write: @escaping () throws -> Void) { (self.store, self.write) = (store, write) }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.transaction(body)
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        count += 1
        do { try write() } catch { throw .unavailable }
        return try store.reading(body)
    }

    func close() { store.close() }
}
