import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

@Suite struct LedgerExportTests {
    @Test(.holds("F-107-10")) func `an export tells what is in the log, in pieces of any size`() throws {
        let ledger = try TestLedger.everything()
        let (file, pinned) = (try Array(ledger.export().joined()), try [TestLedger.publicKey(of: TestLedger.key)])
        let summary = try ledgerSummary(of: ledger, pinned: pinned)
        #expect(summary.origin == TestLedger.origin && summary.size == 15 && summary.records == 9)
        #expect(summary.root == ledger.tree.root && summary.chains == 2 && summary.uploads == 6)
        #expect(summary.checkpoints == 6)
        #expect(summary.tally[.trailBegun] == 2 && summary.tally[.systemFailure] == 12)
        #expect(
            summary.entries == [
                "DEVICE_ENROLLED": 1, "DEVICE_REVOKED": 1, "PASSWORD_CHANGED": 1, "CHAIN_FORK": 1, "REJECTED": 1,
                "KEY_ROTATED": 1,
            ]
        )
        #expect(summary.keys.map(\.from) == [1, 10] && summary.keys.map(\.isPinned) == [true, false])
        #expect(summary.times?.lowerBound == TestTrail.start + .hours(1))
        #expect(summary.isPinned && !summary.isCompared)
        for size in [1, 7, 64, file.count] {
            #expect(try exportVerdict(on: file, pinned: pinned, inPiecesOf: size).get() == .ledger(summary))
        }
    }

    // Writing.

    /// The calls that make an export's lines again, in their order.
    private func rewrite(
        _ ledger: TestLedger,
        to count: UInt64? = nil,
        keys: [AuditKey]? = nil,
        leaving left: Int? = nil
    ) throws -> (file: [UInt8], summary: LedgerSummary) {
        let lines = try ledger.export()
        let known = try ledger.signers.map { try TestLedger.auditKey($0.scalar, from: $0.from) }
        var export = try LedgerExport(origin: ledger.origin, count: count ?? ledger.size, keys: keys ?? known)
        var (file, isBegun) = (export.beginning, false)
        for (index, line) in ledger.lines.enumerated() where index != left {
            if !isBegun {
                try export.begin(try #require(ledger.lines[index...].first(where: { $0.isCheckpoint })).note)
                isBegun = true
            }
            file += try write(line, to: &export)
            if line.isCheckpoint { isBegun = false }
        }
        #expect(lines.count > ledger.lines.count)
        return (file, try export.finish())
    }

    private func write(_ line: [UInt8], to export: inout LedgerExport) throws -> [UInt8] {
        let json = try JSON(reading: line, byteLimit: line.count)
        if let record = json["record"] {
            let (leaf, _, _) = try AuditLeaf.read(view: record.canonical())
            return try export.leaf(leaf)
        }
        if let entry = json["entry"] { return try export.leaf(entry.canonical()) }
        if let upload = json["upload"], case .object(let members) = upload, let signature = upload["signature"]?.base64
        {
            let header = JSON.object(members.filter { $0.0 != "signature" })
            return try export.upload(AuditUpload(reading: header.canonical()), signature: signature)
        }
        if let device = json["device"], let id = device["deviceId"]?.identifier, let epoch = device["epoch"]?.identifier
        {
            return try export.device(id, epoch: epoch, publicKey: device["publicKey"]?.base64 ?? [])
        }
        return try export.checkpoint()
    }

    @Test(.holds("F-107-10")) func `what a store gives is written as the page says`() throws {
        let ledger = try TestLedger.everything()
        let (file, summary) = try rewrite(ledger)
        #expect(try file == Array(ledger.export().joined()))
        #expect(try summary == ledgerSummary(of: ledger))
        var empty = TestLedger()
        try empty.sign()
        #expect(try rewrite(empty).file == Array(empty.export().joined()))
        var odd = TestLedger(origin: "https://[::1]:8107/\"\\")
        try odd.sign()
        let origin = try rewrite(odd, keys: [TestLedger.auditKey(TestLedger.key)]).summary.origin
        #expect(origin == odd.origin)
    }

    @Test(.holds("A42")) func `keys that sign nothing in it are left out, in whatever order they come`() throws {
        let ledger = try TestLedger.everything()
        let keys = [
            try TestLedger.auditKey(TestTrail.scalar(13)), try TestLedger.auditKey(TestLedger.nextKey, from: 10),
            try TestLedger.auditKey(TestTrail.scalar(14), from: 16), try TestLedger.auditKey(TestLedger.key, from: 1),
        ]
        #expect(try rewrite(ledger, keys: keys).file == Array(ledger.export().joined()))
        // A later key's first note with a former one is for those who ask for keys.
        let note = try #require(ledger.note)
        let noted = try AuditKey(publicKey: keys[1].publicKey, from: 10, checkpoint: note.text)
        #expect(try rewrite(ledger, keys: [noted, keys[3]]).file == Array(ledger.export().joined()))
        #expect(throws: LedgerFinding.keyMalformed) { try rewrite(ledger, keys: [keys[3], keys[3]]) }
        #expect(throws: LedgerFinding.self) { try rewrite(ledger, keys: [keys[3]]) }
        #expect(throws: LedgerFinding.noExport) { try LedgerExport(origin: "device", count: 1, keys: keys) }
        #expect(throws: LedgerFinding.noExport) { try LedgerExport(origin: "a b", count: 1, keys: keys) }
        #expect(throws: LedgerFinding.noExport) { try LedgerExport(origin: "a", count: 1 << 53, keys: keys) }
    }

    @Test(.holds("A42", "A43")) func `nothing is written that its reader would refuse`() throws {
        let ledger = try TestLedger.everything()
        for left in ledger.lines.indices {
            #expect(throws: LedgerFinding.self, "line \(left)") { try rewrite(ledger, leaving: left) }
        }
        #expect(throws: LedgerFinding.leafUncounted(9)) { try rewrite(ledger, to: 9) }
        #expect(throws: LedgerFinding.trailing) { try rewrite(ledger, to: 8) }
        #expect(throws: LedgerFinding.cutOff(at: 15)) { try rewrite(ledger, to: 16) }
        // A leaf before the checkpoint is named that covers it, and a checkpoint that was not named.
        let key = try TestLedger.auditKey(TestLedger.key, from: 1)
        var export = try LedgerExport(origin: TestLedger.origin, count: 15, keys: [key])
        let entry = LedgerEntry.passwordChanged(user: TestLedger.user, policyEpoch: 1)
        #expect(throws: LedgerFinding.checkpointUnsigned(from: 0)) { try export.leaf(entry.leaf(at: .zero)) }
        #expect(throws: LedgerFinding.checkpointUnsigned(from: 0)) { try export.checkpoint() }
        let foreign = try AuditNote(
            AuditCheckpoint(origin: TestLedger.origin, size: 1, root: SHA256.digest([])),
            signatures: [AuditNote.Signature(name: TestLedger.origin, keyId: [1, 2, 3, 4], bytes: [1])]
        )
        #expect(throws: LedgerFinding.checkpointUnsigned(from: 0)) { try export.begin(foreign) }
        #expect(throws: LedgerFinding.cutOff(at: 0)) { try export.finish() }
    }
}

extension JSON {
    fileprivate var base64: [UInt8]? { text.flatMap { TextCode.base64.decode(Array($0.utf8)) } }
    fileprivate var identifier: Identifier? { text.flatMap { Identifier(text: $0) } }
    private var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension [UInt8] {
    /// The note in the line of a checkpoint.
    var note: AuditNote {
        get throws {
            guard case .string(let text) = try JSON(reading: self, byteLimit: count)["checkpoint"] else {
                throw AbsentText(text: "a checkpoint")
            }
            return try AuditNote(reading: Array(text.utf8))
        }
    }
}
