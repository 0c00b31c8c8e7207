import Testing
import ThumbturnAudit
import ThumbturnRules

@testable import ThumbturnService

/// What the sequencer writes, as those see it who read, export and check it.
@Suite("A ledger that was written", .timeLimit(.minutes(10))) struct WrittenLedgerTests {
    private static func check(_ room: LedgerRoom) throws -> [LedgerReport.Log] {
        let store = try room.room.open()
        _ = try ServiceName.establish(LedgerRoom.origin, in: store)
        let report = try #require(try LedgerCheck.run(in: store))
        #expect(report.isRight, "\(report.logs.map(\.faults))")
        return report.logs
    }

    /// Exports a log, and verifies it under a key.
    static func export(_ log: Int64, _ room: LedgerRoom, pinned key: [UInt8]) throws -> LedgerSummary {
        var verifier = LedgerVerifier(pinned: [key])
        var export = try LogExport(of: log, in: room.room.open())
        while let lines = try export.lines() { try verifier.take(lines) }
        return try verifier.finish()
    }

    /// Everything that an auditor polls.
    private static func lines(_ room: LedgerRoom, _ plan: LedgerPlan) throws -> [String] {
        let feed = LedgerFeed(store: try room.room.open(), plan: plan, device: nil)
        var (lines, cursor) = ([UInt8](), FeedCursor())
        while let page = feed.page(after: cursor, most: 7), page.count > 0 {
            lines += page.lines
            cursor = page.cursor
        }
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Brings a trail's records, and waits until they are signed.
    private static func deliver(_ trail: TestTrail, _ range: Range<Int>, to room: LedgerRoom) throws -> UInt64 {
        let origin = room.plan.origin(of: room.plan.log(of: trail.user), of: LedgerRoom.origin)
        return try room.receipt(try trail.upload(range, origin: origin)).lastIndex + 1
    }

    @Test(.holds("F-107-10", "INV-107-10"), arguments: Backing.allCases)
    func `checks, exports and reads alike`(backing: Backing) throws {
        let room = try LedgerRoom(backing, logs: 2)
        let trails = try (0..<4).map { _ in try TestTrail().grow(300) }
        for range in [0..<1, 1..<200, 200..<300] {
            for trail in trails { _ = try Self.deliver(trail, range, to: room) }
        }
        let fork = try TestTrail(trails[0], upTo: 100).grow(5, reason: "other")
        let log = room.plan.log(of: fork.user)
        let origin = room.plan.origin(of: log, of: LedgerRoom.origin)
        #expect(room.send(try fork.upload(100..<105, origin: origin)).code == "FORK")
        let sizes = try room.plan.logs.map { try UInt64(room.leaves(log: $0).count) }
        for (log, size) in zip(room.plan.logs, sizes) { try room.waitForSigned(size, log: log) }
        let logs = try Self.check(room)
        #expect(logs.map(\.size) == sizes && logs.map(\.signed) == sizes && sizes.reduce(0, +) == 1_201)
        for (log, size) in zip(room.plan.logs, sizes) {
            #expect(try Self.export(log, room, pinned: room.signer.publicKey).size == size)
        }
        #expect(try Self.lines(room, room.plan).count == 1_201)
    }

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `with a rotated key checks and exports under the former one alone`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(30)
        _ = try Self.deliver(trail, 0..<10, to: room)
        let newer = TestSigner()
        room.ledger.stop()
        let both = room.instance(newer, former: room.signer)
        let size = try Self.deliver(trail, 10..<20, to: both)
        try both.waitForSigned(size)
        both.ledger.stop()
        let alone = room.instance(newer)
        let last = try Self.deliver(trail, 20..<30, to: alone)
        try alone.waitForSigned(last)
        let log = try Self.check(room)[0]
        #expect(try log.keys == [room.signer.auditKey.id, newer.auditKey.id])
        #expect(try Self.export(0, room, pinned: room.signer.publicKey).keys.count == 2)
    }

    @Test(.holds("SVC-23", "F-107-10"), arguments: Backing.allCases)
    func `goes on behind a restored one, whose head it names`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        try room.waitForSigned(0)
        let trail = try TestTrail().grow(40)
        let size = try Self.deliver(trail, 0..<40, to: room)
        room.ledger.stop()
        let store = try room.room.open()
        _ = try ServiceName.establish(LedgerRoom.origin, in: store)
        let succession = try LogSuccession(room.plan, of: LedgerRoom.origin, in: store)
        try store.transaction { transaction throws(StoreError) in try succession.begin(in: transaction) }
        let next = LedgerRoom(room.room, room.plan.next, room.signer, room.clock)
        try next.waitForSigned(1, log: 1)
        let last = try Self.deliver(trail, 0..<40, to: next)
        try next.waitForSigned(last, log: 1)
        let logs = try Self.check(next)
        #expect(logs.map(\.size) == [size, 41] && logs.map(\.isEnded) == [true, false])
        let summary = try Self.export(1, next, pinned: room.signer.publicKey)
        #expect(summary.remarks == [.restored(formerOrigin: LedgerRoom.origin, size: size)])
        #expect(try Self.export(0, next, pinned: room.signer.publicKey).size == size)
        #expect(try Self.lines(next, next.plan).count == 81)
        // The former log's tail is bound by the one behind it.
        try store.transaction { transaction throws(StoreError) in
            try transaction.run("DELETE FROM leaves WHERE log = 0")
            try transaction.run("DELETE FROM tiles WHERE log = 0")
            try transaction.run("DELETE FROM uploads WHERE log = 0")
            try transaction.run("DELETE FROM chains WHERE log = 0")
            try transaction.run("DELETE FROM notes WHERE log = 0 AND size > 0")
            try transaction.run("UPDATE log_keys SET from_size = 0 WHERE log = 0")
            try transaction.run(
                "UPDATE logs SET size = 0, signed = 0, ts = 0, outbox = 0, root = $1 WHERE log = 0",
                .blob(MerkleTree.emptyRoot)
            )
        }
        let cut = try #require(try LedgerCheck.run(in: store))
        #expect(cut.logs[0].faults == [] && cut.logs[1].faults == [.formerWrong])
    }
}
