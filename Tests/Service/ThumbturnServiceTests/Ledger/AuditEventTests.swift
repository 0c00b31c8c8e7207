import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnRules

@testable import ThumbturnService

@Suite("Events that an auditor polls", .timeLimit(.minutes(10))) struct AuditEventTests {
    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `are records as readers see them, and entries, in the order of the log`(backing: Backing) throws {
        let room = try AuditRoom(backing)
        let chain = TestChain(try TestChain.Device())
        try room.log.add(count: 2)
        try room.log.sign()
        try chain.deliver(3, to: room.log)
        try room.log.sign()
        try chain.deliver(1, to: room.log)
        try room.log.add(count: 1)
        try room.log.sign()
        try chain.deliver(2, to: room.log)
        var poller = try Poller(room)
        try poller.pollAll()
        #expect(try poller.lines == (0..<7).map { try room.log.view($0) })
        #expect(poller.lines[2].contains(#""signatureKeyId":""#) && !poller.lines[0].contains("signature"))
        // The last two come when their head is signed.
        #expect(try poller.poll() == 0)
        try room.log.sign()
        #expect(try poller.poll() == 2)
        #expect(try poller.lines == (0..<9).map { try room.log.view($0) })
    }

    @Test(arguments: Backing.allCases)
    func `come once each, while three logs grow`(backing: Backing) throws {
        let room = try AuditRoom(backing, logs: 3)
        var poller = try Poller(room)
        #expect(try poller.poll() == 0)
        var sizes: [Int] = []
        for round in 0..<12 {
            for (place, log) in room.logs.enumerated() {
                try log.add(count: [700, 3, 90][place] * (round % 4))
                if (round + place) % 3 > 0 { try log.sign() }
            }
            sizes.append(try poller.poll())
        }
        for log in room.logs { try log.sign() }
        try poller.pollAll()
        #expect(sizes.contains(1_000) && sizes.allSatisfy { $0 <= 1_000 })
        let expected = try room.logs.map { log in try (0..<log.size).map { try log.view($0) } }
        #expect(poller.lines.count == expected.map(\.count).reduce(0, +))
        // Each log's in its order.
        let (lines, places) = (
            poller.lines,
            Dictionary(expected.enumerated().flatMap { place, lines in lines.map { ($0, place) } }) { first, _ in first
            }
        )
        for (place, all) in expected.enumerated() {
            #expect(lines.filter { places[$0] == place }.count == all.count)
        }
    }

    @Test func `of a busy log don't keep those of another waiting`() throws {
        let room = try AuditRoom(.sqlite, logs: 2)
        try room.logs[0].add(count: 5_000)
        try room.logs[1].add(count: 1)
        for log in room.logs { try log.sign() }
        var poller = try Poller(room)
        for _ in 1...2 { try poller.poll() }
        #expect(try poller.lines.contains(room.logs[1].view(0)))
    }

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `of one device are its records alone, over all its chains`(backing: Backing) throws {
        let room = try AuditRoom(backing, logs: 2)
        let (mine, other) = (try TestChain.Device(), try TestChain.Device())
        let (first, foreign) = (TestChain(mine), TestChain(other))
        try first.deliver(256, to: room.logs[1])
        try foreign.deliver(5, to: room.logs[1])
        try room.logs[1].add(count: 1)
        try first.deliver(2, to: room.logs[1])
        let second = TestChain(mine, after: first.end)
        for _ in 1...20 {
            try second.deliver(40, to: room.logs[1])
            try foreign.deliver(1, to: room.logs[1])
        }
        for log in room.logs { try log.sign() }
        var poller = try Poller(room, device: mine.id.text)
        try poller.pollAll()
        let records = first.records + second.records
        #expect(poller.lines.count == records.count)
        for (line, record) in zip(poller.lines, records) { #expect(line.contains(record.eventId.uuidText)) }
        // What comes of others moves nothing.
        let cursor = poller.cursor
        try foreign.deliver(3, to: room.logs[1])
        try room.logs[1].sign()
        #expect(try poller.poll() == 0 && poller.cursor == cursor)
        try second.deliver(1, to: room.logs[1])
        try room.logs[1].sign()
        #expect(try poller.poll() == 1)
        var stranger = try Poller(room, device: Identifier.make().text)
        #expect(try stranger.poll() == 0)
    }

    @Test(arguments: Backing.allCases)
    func `of former logs come too, and once they are read they cost the cursor nothing`(backing: Backing) throws {
        let room = try AuditRoom(backing, logs: 2)
        for log in room.logs {
            try log.add(count: 3)
            try log.sign()
            try log.add(count: 1)
        }
        var poller = try Poller(room)
        #expect(try poller.poll() == 6)
        let store = try room.service.room.open()
        let next = LedgerPlan(count: 2).next
        try store.transaction { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET ended = 1")
            try next.write(transaction)
        }
        let logs = try next.logs.map { try TestLog($0, origin: next.origin(of: $0, of: ServiceRoom.origin), in: store) }
        for log in logs {
            try log.add(count: 2)
            try log.sign()
        }
        var fresh = try Poller(room)
        #expect(try fresh.poll() == 10)
        #expect(try poller.poll() == 4)
        #expect(Set(poller.lines) == Set(fresh.lines) && Set(fresh.lines).count == 10)
        #expect(try #require(FeedCursor(fresh.cursor)).first == 2)
        #expect(fresh.cursor == poller.cursor)
        let client = try room.client()
        #expect(try client.send(.get, "/v1/audit/checkpoint").body == logs[0].notes[1].text)
        #expect(try client.send(.get, "/v1/audit/logs/1/checkpoint").body == room.logs[1].notes[1].text)
        #expect(try client.send(.get, "/v1/audit/logs/3/checkpoint").body == logs[1].notes[1].text)
    }

    @Test func `are asked for in one form`() throws {
        let room = try AuditRoom(.sqlite, logs: 2)
        try room.logs[0].add(count: 2)
        try room.logs[0].sign()
        let client = try room.client()
        var ahead = FeedCursor()
        ahead.advance(0, to: 3)
        var beyond = FeedCursor()
        beyond.advance(2, to: 1)
        var turned = FeedCursor()
        turned.turn = 2
        let wrong = [
            "after=x", "after=AQ", "after=AQAA==", "after=AQAA%0A", "after=AgAA", "after=AQAAAA", "after=AQCA",
            "after=AQ-_",
            "after=" + ahead.text, "after=" + beyond.text, "after=" + turned.text,
            "after=" + String(repeating: "_", count: 4_000),
            "device=0", "device=" + String(repeating: "A", count: 32), "device=%00", "after=&after=", "devices=",
        ]
        for query in wrong {
            let reply = try client.send(.get, "/v1/audit/events?" + query, token: room.token)
            #expect((reply.status, reply.code) == (422, "FORM"), "\(query)")
        }
        for query in ["", "?", "?device=&after=", "?after=", "?device="] {
            let reply = try client.send(.get, "/v1/audit/events" + query, token: room.token)
            #expect(reply.status == 200 && reply.body.filter { $0 == 0x0A }.count == 2, "\(query)")
            #expect(reply.header("Content-Type") == "application/x-ndjson")
        }
    }
}

@Suite struct FeedCursorTests {
    @Test func `a cursor's text is read as it was written, and in one form`() throws {
        var cursor = FeedCursor()
        #expect(FeedCursor(cursor.text) == cursor)
        for (log, position) in [(0, 5), (3, 127), (4, 128), (7, UInt64(Int64.max))] as [(Int64, UInt64)] {
            cursor.advance(log, to: position)
            cursor.turn = log
            #expect(FeedCursor(cursor.text) == cursor)
        }
        #expect((cursor[0], cursor[1], cursor[7], cursor[8], cursor.end) == (5, 0, UInt64(Int64.max), 0, 8))
        cursor.leaveFirst()
        #expect(cursor[0] == nil && cursor[3] == 127 && FeedCursor(cursor.text) == cursor)
        // 1,024 logs of 2^34 leaves fit into a request line.
        var large = FeedCursor()
        for log in 0..<Int64(LedgerPlan.mostLogs) { large.advance(log, to: 1 << 34) }
        #expect(large.text.utf8.count < 7_168)
    }

    @Test func `any text is a cursor or none`() {
        var generator = SystemRandomNumberGenerator()
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...24, using: &generator)).map { _ in characters.randomElement() ?? "A" }
            )
            guard let cursor = FeedCursor("AQ" + text) else { continue }
            #expect(cursor.text == "AQ" + text)
        }
    }
}
