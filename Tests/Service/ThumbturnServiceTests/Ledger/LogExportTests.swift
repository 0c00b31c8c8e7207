import Testing
import ThumbturnAudit
import ThumbturnRules

@testable import ThumbturnService

@Suite("An export of the ledger", .timeLimit(.minutes(10))) struct LogExportTests {
    private static func export(_ log: TestLog, in room: StoreRoom) throws -> [UInt8] {
        var (bytes, most) = ([UInt8](), 0)
        var export = try LogExport(of: log.number, in: room.open())
        while let lines = try export.lines() {
            most = max(most, lines.count)
            bytes += lines
        }
        #expect(most < 512 * 1_024)
        return bytes
    }

    private static func verify(_ bytes: [UInt8], _ log: TestLog) throws -> LedgerSummary {
        var verifier = LedgerVerifier(pinned: [try log.key.publicKey], known: log.notes.last?.checkpoint)
        try verifier.take(bytes)
        return try verifier.finish()
    }

    @Test(.holds("F-107-10", "INV-107-10"), arguments: Backing.allCases)
    func `verifies at every size, and ends at the last signed head`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let log = try TestLog.all(1, in: room.open())[0]
        #expect(try Self.verify(Self.export(log, in: room), log).size == 0)
        let chains = try (0..<3).map { _ in TestChain(try TestChain.Device()) }
        for (count, isEntry) in [
            (1, true), (1, false), (253, false), (1, true), (1, false), (255, false), (1, true), (256, false),
            (7, true),
        ] {
            if isEntry { try log.add(count: count) } else { try chains[count % 3].deliver(count, to: log) }
            try log.sign()
            let summary = try Self.verify(Self.export(log, in: room), log)
            #expect(summary.size == log.size && summary.isCompared)
        }
        // Several uploads under one head, and one behind it.
        for chain in chains { try chain.deliver(5, to: log) }
        try log.sign()
        try chains[0].deliver(1, to: log)
        let bytes = try Self.export(log, in: room)
        let summary = try Self.verify(bytes, log)
        #expect((summary.size, summary.uploads, summary.chains) == (log.size - 1, 8, 3))
        // Records are as an auditor reads them who polls.
        let text = String(decoding: bytes, as: UTF8.self)
        for index in [1, 2, 300, log.size - 2] { #expect(try text.contains(#","record":\#(log.view(index))}"#)) }
    }

    @Test(arguments: Backing.allCases)
    func `of a log that was tampered with is refused`(backing: Backing) throws {
        for change in [
            "UPDATE leaves SET leaf = (SELECT leaf FROM leaves AS other WHERE other.idx = 3) WHERE idx = 2",
            "UPDATE notes SET note = (SELECT note FROM notes AS other WHERE other.size = 300) WHERE size = 330",
            "UPDATE uploads SET signature = header", "DELETE FROM uploads", "UPDATE chains SET public_key = head",
            "DELETE FROM chains", "DELETE FROM leaves WHERE idx = 270", "DELETE FROM notes WHERE size = 330",
        ] as [StaticString] {
            let room = try StoreRoom(backing)
            let log = try TestLog.all(1, in: room.open())[0]
            try log.add(count: 300)
            try log.sign()
            try TestChain(try TestChain.Device()).deliver(30, to: log)
            try log.sign()
            _ = try Self.export(log, in: room)
            try room.open().transaction { transaction throws(StoreError) in try transaction.run(change) }
            let error = #expect(throws: LogExportError.self, "\(change)") { try Self.export(log, in: room) }
            #expect(error != .absent)
        }
    }

    @Test func `of a log that there is not, or is not signed, is refused`() throws {
        let room = try StoreRoom(.sqlite)
        let log = try TestLog.all(1, in: room.open())[0]
        #expect(throws: LogExportError.absent) { try LogExport(of: 1, in: room.open()) }
        try room.open().transaction { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET signed = -1 WHERE log = $1", .integer(log.number))
        }
        #expect(throws: LogExportError.absent) { try LogExport(of: 0, in: room.open()) }
    }
}
