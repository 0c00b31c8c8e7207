import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// What signs a service's export, devices and the log: uploads and checkpoints; and what is told of one that holds.
@Suite struct LedgerSealTests {
    private let phone: TestTrail
    private let tablet: TestTrail

    init() throws {
        phone = try TestTrail(count: 6, former: nil)
        tablet = try TestLedger.tabletTrail()
    }

    private func found(
        known: AuditCheckpoint? = nil,
        _ build: (inout TestLedger) throws -> Void
    ) throws -> LedgerFinding? {
        var ledger = TestLedger()
        try build(&ledger)
        return try ledgerFinding(in: ledger.export(), known: known)
    }

    // Uploads.

    private func records(_ trail: TestTrail, _ seqs: ClosedRange<Int>, in ledger: inout TestLedger) throws {
        if seqs.lowerBound == 0 { try ledger.device(trail) }
        for seq in seqs { ledger.record(trail.records[seq]) }
    }

    @Test(.holds("A42")) func `records without their upload are named, whatever follows them`() throws {
        let followers: [(inout TestLedger) throws -> Void] = [
            { try $0.sign() }, { $0.enter(.passwordChanged(user: TestLedger.user, policyEpoch: 1)) },
            { try $0.device(tablet) },
            { ledger in
                try ledger.deliver(tablet, 0...0)
            },
        ]
        for follow in followers {
            let finding = try found { ledger in
                ledger.enter(.passwordChanged(user: TestLedger.user, policyEpoch: 0))
                try records(phone, 0...1, in: &ledger)
                try follow(&ledger)
                if ledger.size > 3 || ledger.note == nil { try ledger.sign() }
            }
            #expect(finding == .uploadMissing(1))
        }
        let other = try found { ledger in
            try ledger.deliver(tablet, 0...0)
            try records(phone, 0...1, in: &ledger)
            ledger.record(tablet.records[1])
            try ledger.upload(phone, 0...1)
            try ledger.sign()
        }
        #expect(other == .uploadMissing(1))
    }

    @Test(.holds("A42", "A44")) func `an upload is that of the records before it, by their device, for this log`()
        throws
    {
        func finding(_ end: (inout TestLedger) throws -> Void) throws -> LedgerFinding? {
            try found { ledger in
                try ledger.deliver(phone, 0...1)
                try records(phone, 2...3, in: &ledger)
                try end(&ledger)
                try ledger.sign()
            }
        }
        #expect(try finding { try $0.upload(phone, 2...3) } == nil)
        #expect(try finding { try $0.upload(phone, 0...3) } == nil, "known records come again")
        #expect(try finding { try $0.upload(phone, 3...3) } == .uploadElsewhere(2))
        #expect(try finding { try $0.upload(phone, 2...2) } == .uploadElsewhere(2))
        #expect(try finding { try $0.upload(phone, 2...4) } == .uploadElsewhere(2))
        #expect(try finding { try $0.upload(phone, 2...3, head: SHA256.digest([])) } == .uploadElsewhere(2))
        #expect(try finding { try $0.upload(tablet, 0...1) } == .uploadElsewhere(2))
        let epoch = try TestTrail(count: 4, epoch: 8, former: nil)
        #expect(try finding { try $0.upload(epoch, 2...3, head: phone.records[3].hash) } == .uploadElsewhere(2))
        #expect(try finding { try $0.upload(phone, 2...3, by: TestTrail.scalar(2)) } == .uploadUnsigned(2))
        #expect(try finding { try $0.upload(phone, 2...3, origin: "ledger.example/r1") } == .uploadUnsigned(2))
        #expect(try finding { $0.put("{\"upload\":{}}") } == .uploadMalformed(2))
        #expect(
            try finding { ledger in
                try ledger.upload(phone, 2...3)
                try ledger.upload(phone, 2...3)
            } == .uploadIdle(4)
        )
        #expect(
            try found {
                try $0.upload(phone, 0...0); try $0.sign()
            } == .uploadIdle(0)
        )
    }

    @Test(.holds("P-107-05")) func `an upload has 256 records at most`() throws {
        let long = try TestTrail(count: 258, former: nil)
        #expect(
            try found { ledger in
                try ledger.deliver(long, 0...0)
                try ledger.deliver(long, 1...256)
                try ledger.deliver(long, 257...257, knowing: 2)
                try ledger.sign()
            } == nil
        )
        #expect(
            try found { ledger in
                try ledger.deliver(long, 0...256)
                try ledger.sign()
            } == .uploadElsewhere(0)
        )
        #expect(
            try found { ledger in
                try ledger.deliver(long, 0...255)
                try ledger.deliver(long, 256...256, knowing: 0)
                try ledger.sign()
            } == .uploadElsewhere(256)
        )
    }

    // Checkpoints.

    @Test(.holds("A42", "A43")) func `a checkpoint is that of the leaves before it`() throws {
        func finding(_ sign: (inout TestLedger) throws -> Void) throws -> LedgerFinding? {
            try found { ledger in
                try ledger.deliver(phone, 0...1)
                try ledger.sign()
                try ledger.deliver(phone, 2...4)
                try sign(&ledger)
            }
        }
        #expect(try finding { try $0.sign() } == nil)
        #expect(try finding { try $0.sign(root: SHA256.digest([])) } == .leavesChanged(from: 2, through: 4))
        #expect(try finding { try $0.sign(size: 6) } == .leavesMissing(from: 5, through: 5))
        #expect(try finding { try $0.sign(size: 4) } == .checkpointElsewhere(from: 2, size: 4))
        #expect(try finding { try $0.sign(size: 2) } == .checkpointElsewhere(from: 2, size: 2))
        #expect(try finding { try $0.sign(origin: "other.example") } == .checkpointMalformed(from: 2))
        #expect(
            try finding { ledger in
                try ledger.sign()
                try ledger.sign()
            } == .trailing
        )
        // Signed by a key of nobody, and by one under the log's key's id.
        var ledger = TestLedger()
        try ledger.deliver(phone, 0...1)
        try ledger.sign()
        let note = try #require(ledger.note)
        var other = TestLedger()
        try other.deliver(phone, 0...1)
        try other.sign([TestTrail.scalar(13)])
        let signature = try #require(other.note?.signatures.first)
        var lines = try ledger.export()
        lines[lines.count - 1] = TestLedger.line(of: try AuditNote(note.checkpoint, signatures: [signature]))
        #expect(ledgerFinding(in: lines) == .checkpointUnsigned(from: 0))
        let renamed = try AuditNote.Signature(
            name: signature.name,
            keyId: note.signatures[0].keyId,
            bytes: signature.bytes
        )
        lines[lines.count - 1] = TestLedger.line(of: try AuditNote(note.checkpoint, signatures: [renamed]))
        #expect(ledgerFinding(in: lines) == .checkpointUnsigned(from: 0))
    }

    @Test(.holds("A42")) func `each key of the log that has a line in a checkpoint signed it`() throws {
        var ledger = TestLedger()
        try ledger.rotate(to: TestLedger.nextKey)
        try ledger.sign([TestLedger.nextKey, TestLedger.key])
        let note = try #require(ledger.note)
        var lines = try ledger.export()
        for place in 0...1 {
            var signatures = note.signatures
            signatures[place] = try AuditNote.Signature(
                name: signatures[place].name,
                keyId: signatures[place].keyId,
                bytes: signatures[1 - place].bytes
            )
            lines[lines.count - 1] = TestLedger.line(of: try AuditNote(note.checkpoint, signatures: signatures))
            #expect(ledgerFinding(in: lines) == .checkpointUnsigned(from: 0))
        }
    }

    @Test(.holds("A43")) func `an end that was cut off is named, wherever it was cut`() throws {
        let lines = try TestLedger.everything().export()
        var leaves: UInt64 = 0
        for count in 1..<lines.count {
            #expect(ledgerFinding(in: lines[..<count]) == .cutOff(at: leaves), "\(count)")
            #expect(ledgerFinding(in: lines[..<count] + [lines[count].dropLast()]) == .cutOff(at: leaves), "\(count)")
            if lines[count].isLeaf { leaves += 1 }
        }
        for more in ["\n", " ", "x", "{}\n"] { #expect(ledgerFinding(in: lines + [Array(more.utf8)]) == .trailing) }
        #expect(ledgerFinding(in: lines + lines) == .trailing)
        // An earlier checkpoint, with a header that counts to it, is an earlier export.
        let end = lines.indices.filter { lines[$0].isCheckpoint }[2]
        let earlier = [try lines[0].replacing("\"to\":15", with: "\"to\":8"), lines[1]] + lines[3...end]
        #expect(ledgerFinding(in: earlier) == nil)
        #expect(ledgerFinding(in: earlier + lines[(end + 1)...]) == .trailing)
        // A header that counts otherwise.
        #expect(
            ledgerFinding(in: [try lines[0].replacing("\"to\":15", with: "\"to\":9")] + lines[1...])
                == .leafUncounted(9)
        )
        #expect(
            ledgerFinding(in: [try lines[0].replacing("\"to\":15", with: "\"to\":16")] + lines[1...]) == .cutOff(at: 15)
        )
    }

    // A head that is known.

    @Test(.holds("A45")) func `a log that showed another face is found out`() throws {
        var ledger = TestLedger()
        try ledger.deliver(phone, 0...1)
        try ledger.sign()
        let shown = try #require(ledger.note?.checkpoint)
        try ledger.deliver(phone, 2...3)
        try ledger.sign()
        #expect(try ledgerSummary(of: ledger, known: shown).isCompared)
        // The same up to there but for an entry in the place of a record; all of it is signed.
        var other = TestLedger()
        try other.deliver(phone, 0...0)
        other.enter(.passwordChanged(user: TestLedger.user, policyEpoch: 1))
        try other.sign()
        try other.deliver(phone, 1...1)
        try other.sign()
        #expect(try ledgerFinding(in: other.export(), known: shown) == .otherFace(size: 2))
        // Also where no checkpoint of the export has that size, and where both end there.
        var coalesced = TestLedger()
        try coalesced.deliver(tablet, 0...2)
        try coalesced.sign()
        #expect(try ledgerFinding(in: coalesced.export(), known: shown) == .otherFace(size: 2))
        let end = try AuditCheckpoint(origin: TestLedger.origin, size: 3, root: SHA256.digest([]))
        #expect(try ledgerFinding(in: coalesced.export(), known: end) == .otherFace(size: 3))
        let empty = try AuditCheckpoint(origin: TestLedger.origin, size: 0, root: SHA256.digest([1]))
        #expect(try ledgerFinding(in: coalesced.export(), known: empty) == .otherFace(size: 0))
        // A leaf that was changed in the file is that, and no other face.
        var lines = try ledger.export()
        let place = try #require(lines.firstIndex { $0.isLeaf })
        lines[place] = try lines[place].replacing("tsServer\":\"2026-02-14T13:", with: "tsServer\":\"2026-02-14T12:")
        #expect(ledgerFinding(in: lines, known: shown) == .leavesChanged(from: 0, through: 1))
    }

    @Test(.holds("A45")) func `a head of another log, or a later one, is no reproach`() throws {
        var ledger = TestLedger()
        try ledger.deliver(phone, 0...1)
        try ledger.sign()
        let foreign = try AuditCheckpoint(origin: "other.example", size: 1, root: SHA256.digest([]))
        let summary = try ledgerSummary(of: ledger, known: foreign)
        #expect(!summary.isCompared && summary.remarks.isEmpty)
        let later = try AuditCheckpoint(origin: TestLedger.origin, size: 3, root: SHA256.digest([]))
        let older = try ledgerSummary(of: ledger, known: later)
        #expect(!older.isCompared && older.remarks == [.older(size: 3)])
    }

    // Remarks.

    @Test(.holds("A43")) func `a chain that ends before the next one says is a remark`() throws {
        func remarks(_ delivered: ClosedRange<Int>, seq: Int, hash: [UInt8]? = nil) throws -> [LedgerRemark] {
            let last = AuditPayload.Former.Last(seq: UInt64(seq), hash: hash ?? phone.records[seq].hash)
            let former = AuditPayload.Former(epoch: phone.epoch, last: last)
            let next = try TestTrail(count: 2, epoch: 8, former: former)
            var ledger = TestLedger()
            try ledger.deliver(phone, delivered)
            try ledger.deliver(next, 0...1)
            try ledger.sign()
            return try ledgerSummary(of: ledger).remarks
        }
        let (device, epoch) = (phone.device, phone.epoch)
        #expect(try remarks(0...3, seq: 3).isEmpty)
        #expect(try remarks(0...2, seq: 3) == [.cut(device: device, epoch: epoch, count: 3, told: 4)])
        #expect(
            try remarks(0...3, seq: 3, hash: SHA256.digest([])) == [.diverged(device: device, epoch: epoch, seq: 3)]
        )
        #expect(try remarks(0...4, seq: 3).isEmpty, "what the device lost, the log has")
        // The chain before is another device's, or isn't there.
        var ledger = TestLedger()
        let alone = try TestTrail(count: 1)
        try ledger.deliver(alone, 0...0)
        try ledger.sign()
        #expect(
            try ledgerSummary(of: ledger).remarks
                == [.cut(device: device, epoch: TestTrail.former.epoch, count: 0, told: 10_000)]
        )
    }

    @Test(.holds("F-107-10")) func `records of a revoked device are told, and not refused`() throws {
        var ledger = TestLedger()
        try ledger.deliver(tablet, 0...0)
        ledger.enter(.deviceRevoked(device: tablet.device, user: TestLedger.user))
        try ledger.deliver(phone, 0...0)
        try ledger.deliver(tablet, 1...2)
        try ledger.sign()
        let summary = try ledgerSummary(of: ledger)
        #expect(summary.remarks == [.revoked(device: tablet.device, index: 3, count: 2)])
        // One that sent nothing since is not told of.
        var quiet = TestLedger()
        try quiet.deliver(tablet, 0...0)
        quiet.enter(.deviceRevoked(device: tablet.device, user: TestLedger.user))
        try quiet.sign()
        #expect(try ledgerSummary(of: quiet).remarks.isEmpty)
    }

    @Test(.holds("F-107-10")) func `a log that began in place of another says so`() throws {
        var ledger = TestLedger(origin: "ledger.example/r1")
        ledger.enter(.restored(formerOrigin: TestLedger.origin, size: 9, root: SHA256.digest([])))
        try ledger.sign()
        #expect(try ledgerSummary(of: ledger).remarks == [.restored(formerOrigin: TestLedger.origin, size: 9)])
    }
}

extension [UInt8] {
    var isLeaf: Bool { starts(with: "{\"index\":".utf8) || starts(with: "{\"entry\":".utf8) }
    var isCheckpoint: Bool { starts(with: "{\"checkpoint\":".utf8) }
}
