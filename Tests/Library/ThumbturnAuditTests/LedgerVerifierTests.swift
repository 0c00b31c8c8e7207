import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// What a service's export may not be; each is signed as it stands.
@Suite struct LedgerVerifierTests {
    private let phone: TestTrail
    private let tablet: TestTrail

    init() throws {
        phone = try TestTrail(count: 6, former: nil)
        tablet = try TestLedger.tabletTrail()
    }

    private func found(
        pinned: [[UInt8]]? = nil,
        known: AuditCheckpoint? = nil,
        _ build: (inout TestLedger) throws -> Void
    ) throws -> LedgerFinding? {
        var ledger = TestLedger()
        try build(&ledger)
        return try ledgerFinding(in: ledger.export(), pinned: pinned, known: known)
    }

    // What is no export of a service.

    @Test func `a file whose first line is no header of a service is none`() throws {
        let lines = try TestLedger.everything().export()
        let others = [
            "", "\n", "{}\n", "{\"key\":{}}\n", "\u{FEFF}" + String(decoding: lines[0], as: UTF8.self),
            "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"a b\",\"to\":15,\"version\":1}}\n",
            "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"\",\"to\":15,\"version\":1}}\n",
            "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"a+b\",\"to\":15,\"version\":1}}\n",
            "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":1,\"origin\":\"a\",\"to\":15,\"version\":1}}\n",
            "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"a\",\"to\":-1,\"version\":1}}\n",
            "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"a\",\"to\":15,\"version\":1}}\r\n",
        ]
        for other in others {
            #expect(exportVerdict(on: Array(other.utf8) + lines[1...].joined()) == .failure(.device(.noExport)))
            var verifier = LedgerVerifier()
            #expect(throws: LedgerFinding.noExport) {
                try verifier.take(Array(other.utf8) + lines[1...].joined())
                _ = try verifier.finish()
            }
        }
        let newer = try lines[0].replacing("\"version\":1", with: "\"version\":2")
        #expect(exportVerdict(on: newer + lines[1...].joined()) == .failure(.device(.otherVersion(2))))
    }

    @Test func `the front tells a device's export from a service's`() throws {
        let device = try Array(phone.lines().joined())
        #expect(exportVerdict(on: device) == .success(.device(try verdict(on: device).get())))
        let broken = try device.replacing("AUTH_FAILURE", with: "AUTH_FALLBACK")
        #expect(exportVerdict(on: broken) == .failure(.device(.recordChanged(1))))
        // A device's under the name of a log is one of a log that has no keys.
        let renamed = try device.replacing("\"device\"", with: "\"ledger.example\"")
        #expect(exportVerdict(on: renamed) == .failure(.ledger(.keyMalformed)))
    }

    // Keys.

    @Test(.holds("A42")) func `a log without leaves has a head too`() throws {
        var ledger = TestLedger()
        try ledger.sign()
        let summary = try ledgerSummary(of: ledger)
        #expect(summary.size == 0 && summary.records == 0 && summary.times == nil && summary.checkpoints == 1)
        #expect(summary.keys.map(\.from) == [0])
        var lines = try ledger.export()
        lines.removeLast()
        #expect(ledgerFinding(in: lines) == .cutOff(at: 0))
        // A log with leaves has none of size 0 in its export.
        #expect(
            try found { ledger in
                try ledger.sign()
                ledger.enter(.passwordChanged(user: TestLedger.user, policyEpoch: 1))
                try ledger.sign()
            } == .checkpointElsewhere(from: 0, size: 0)
        )
    }

    @Test(.holds("A42")) func `keys stand behind the header, once, in order and whole`() throws {
        var lines = try TestLedger.everything().export()
        let (first, second) = (lines[1], lines[2])
        lines.removeSubrange(1...2)
        func found(_ keys: [[UInt8]]) -> LedgerFinding? { ledgerFinding(in: [lines[0]] + keys + lines[1...]) }
        #expect(found([first, second]) == nil)
        #expect(found([]) == .keyMalformed)
        #expect(found([second, first]) == .keysUnordered)
        #expect(found([first, first, second]) == .keyMalformed)
        for (text, other) in [
            ("\"from\":1,", "\"from\":01,"), ("sha256", "sha384"), ("\"id\":\"", "\"id\":\"0"), ("Zg", "ZG"),
            ("\"key\":{", "\"key\":{\"checkpoint\":\"x\","), ("{\"key\"", "{ \"key\""),
        ] {
            guard let changed = try? first.replacing(text, with: other) else { continue }
            #expect(found([changed, second]) == .keyMalformed, "\(other)")
        }
        let otherPoint = try TestLedger.line(ofKey: TestTrail.scalar(13), from: 1)
        let ids = String(decoding: otherPoint, as: UTF8.self)
        #expect(ids.contains("\"from\":1,"))
        let moved = try first.replacing("\"from\":1,", with: "\"from\":2,")
        #expect(found([moved, second]).isKeyElsewhere)
        // A key that signs nothing.
        let idle = try TestLedger.line(ofKey: TestTrail.scalar(13), from: 15)
        #expect(found([first, second, idle]).isKeyElsewhere)
        let late = lines.firstIndex { $0.starts(with: Array("{\"index\"".utf8)) } ?? 0
        var moveds = [lines[0], first, second] + lines[1...]
        moveds.insert(second, at: late + 2)
        #expect(ledgerFinding(in: moveds) == .leafMalformed(1))
    }

    @Test(.holds("A42")) func `one of the keys that sign first is among those that are given`() throws {
        let ledger = try TestLedger.everything()
        let (first, next) = (
            try TestLedger.publicKey(of: TestLedger.key), try TestLedger.publicKey(of: TestLedger.nextKey)
        )
        let other = try TestLedger.publicKey(of: TestTrail.scalar(13))
        let lines = try ledger.export()
        for pinned in [[first], [first, next], [other, first]] {
            #expect(ledgerFinding(in: lines, pinned: pinned) == nil)
        }
        let unknown = LedgerFinding.keyUnknown(fingerprint: SHA256.digest(first).hexadecimal)
        for pinned in [[], [other], [next]] {
            #expect(ledgerFinding(in: lines, pinned: pinned) == unknown)
        }
        #expect(try !ledgerSummary(of: ledger).isPinned)
    }

    @Test(.holds("A42", "A45")) func `a key that only adds its line to a head is not trusted`() throws {
        // Whoever has the service, and not the log's key, can take a head and sign the same text with a key of his own.
        let stranger = SHA256.digest(try TestLedger.publicKey(of: TestLedger.nextKey)).hexadecimal
        for pinned in [nil, [try TestLedger.publicKey(of: TestLedger.key)]] {
            let forged = try found(pinned: pinned) { ledger in
                try ledger.deliver(phone, 0...1)
                try ledger.sign()
                try ledger.deliver(phone, 2...2)
                try ledger.sign([TestLedger.nextKey, TestLedger.key])
                try ledger.deliver(phone, 3...3)
                try ledger.sign([TestLedger.nextKey])
            }
            #expect(forged == .keyUnnamed(fingerprint: stranger))
            // Nor if nothing hangs on it.
            let idle = try found(pinned: pinned) { ledger in
                try ledger.deliver(phone, 0...1)
                try ledger.sign()
                try ledger.deliver(phone, 2...2)
                try ledger.sign([TestLedger.nextKey, TestLedger.key])
            }
            #expect(idle == .keyUnnamed(fingerprint: stranger))
            // An entry that he adds, and alone signs, names nobody.
            let named = try found(pinned: pinned) { ledger in
                try ledger.deliver(phone, 0...1)
                try ledger.sign()
                try ledger.rotate(to: TestLedger.nextKey)
                try ledger.sign([TestLedger.nextKey])
            }
            #expect(named == .keyUnnamed(fingerprint: stranger))
        }
    }

    @Test(.holds("A42")) func `a key is trusted that an entry names under a trusted head, before or after it signs`()
        throws
    {
        let pinned = [try TestLedger.publicKey(of: TestLedger.key)]
        for isEarly in [true, false] {
            let finding = try found(pinned: pinned) { ledger in
                if isEarly { try ledger.rotate(to: TestLedger.nextKey) }
                try ledger.deliver(phone, 0...0)
                try ledger.sign(isEarly ? [TestLedger.key] : [TestLedger.nextKey, TestLedger.key])
                if !isEarly { try ledger.rotate(to: TestLedger.nextKey) }
                try ledger.deliver(phone, 1...1)
                try ledger.sign([TestLedger.key, TestLedger.nextKey])
                try ledger.deliver(phone, 2...2)
                try ledger.sign([TestLedger.nextKey])
            }
            #expect(finding == nil)
        }
        // A third, by the second.
        let finding = try found(pinned: pinned) { ledger in
            try ledger.rotate(to: TestLedger.nextKey)
            try ledger.sign([TestLedger.nextKey, TestLedger.key])
            try ledger.rotate(to: TestTrail.scalar(13))
            try ledger.sign([TestTrail.scalar(13), TestLedger.nextKey])
            try ledger.deliver(phone, 0...0)
            try ledger.sign([TestTrail.scalar(13)])
        }
        #expect(finding == nil)
    }

    @Test(.holds("A42")) func `a key of the log that signs has a line`() throws {
        var ledger = TestLedger()
        try ledger.deliver(phone, 0...0)
        try ledger.sign()
        try ledger.rotate(to: TestLedger.nextKey)
        try ledger.sign([TestLedger.nextKey, TestLedger.key])
        var lines = try ledger.export()
        #expect(ledgerFinding(in: lines) == nil)
        lines.remove(at: 2)
        #expect(ledgerFinding(in: lines) == .keyUnlisted(id: try TestLedger.auditKey(TestLedger.nextKey).id))
    }

    @Test(.holds("A42")) func `lines of others in a head mean nothing`() throws {
        let witness = try AuditNote.Signature(
            name: TestLedger.origin,
            keyId: [1, 2, 3, 4],
            bytes: [UInt8](repeating: 7, count: 64)
        )
        let other = try AuditNote.Signature(name: "witness.example/w1", keyId: [5, 6, 7, 8], bytes: [1])
        var ledger = TestLedger()
        try ledger.deliver(phone, 0...1)
        try ledger.sign(before: [other, witness])
        #expect(try ledgerFinding(in: ledger.export()) == nil)
        // The log's own id under another name is another's.
        let namesake = try AuditNote.Signature(
            name: "witness.example",
            keyId: TestLedger.auditKey(TestLedger.key).keyId,
            bytes: [1]
        )
        try ledger.deliver(phone, 2...2)
        try ledger.sign(before: [namesake])
        #expect(try ledgerFinding(in: ledger.export()) == nil)
    }

    // Records.

    @Test(.holds("A42")) func `a record that its device did not write so is named`() throws {
        var chained = phone.records
        chained[2] = try phone.remade(from: 2, attempts: 77, relinking: false)[2]
        let finding = try found { ledger in
            try ledger.device(phone)
            for record in chained[...3] { ledger.record(record) }
            try ledger.upload(phone, 0...3)
            try ledger.sign()
        }
        #expect(finding == .recordUnchained(3, device: phone.device, .recordUnchained(3)))
        // The whole chain made anew, so that the links are right: the device's signature is not.
        let remade = try phone.remade(from: 1, attempts: 77, relinking: true)
        let forged = try found { ledger in
            try ledger.device(phone)
            for record in remade[...3] { ledger.record(record) }
            try ledger.upload(phone, 0...3)
            try ledger.sign()
        }
        #expect(forged == .uploadElsewhere(0))
        let signed = try found { ledger in
            try ledger.device(phone)
            for record in remade[...3] { ledger.record(record) }
            try ledger.upload(phone, 0...3, by: TestTrail.scalar(2), head: remade[3].hash)
            try ledger.sign()
        }
        #expect(signed == .uploadUnsigned(0))
    }

    @Test(.holds("A42", "A43")) func `records that are left out of a chain are named with their device`() throws {
        let gap = try found { ledger in
            try ledger.deliver(phone, 0...1)
            try ledger.deliver(phone, 3...4)
            try ledger.sign()
        }
        #expect(gap == .recordUnchained(2, device: phone.device, .recordsMissing(from: 2, through: 2)))
        let again = try found { ledger in
            try ledger.deliver(phone, 0...1)
            try ledger.deliver(phone, 1...2)
            try ledger.sign()
        }
        #expect(again == .recordUnchained(2, device: phone.device, .recordRepeated(1, before: 2)))
        let late = try found { ledger in
            try ledger.device(phone)
            for record in phone.records[1...2] { ledger.record(record) }
            try ledger.upload(phone, 1...2)
            try ledger.sign()
        }
        #expect(late == .recordUnchained(0, device: phone.device, .recordsMissing(from: 0, through: 0)))
    }

    @Test(.holds("A42")) func `a chain begins behind the line of its device, once`() throws {
        let none = try found { ledger in
            ledger.record(phone.records[0])
            try ledger.upload(phone, 0...0)
            try ledger.sign()
        }
        #expect(none == .deviceMissing(0))
        let idle = try found { ledger in
            try ledger.device(phone)
            ledger.enter(.passwordChanged(user: TestLedger.user, policyEpoch: 1))
            try ledger.sign()
        }
        #expect(idle == .deviceIdle(0))
        let other = try found { ledger in
            try ledger.deliver(phone, 0...0)
            try ledger.device(tablet)
            try ledger.deliver(phone, 1...1)
            try ledger.sign()
        }
        #expect(other == .deviceIdle(1))
        let twice = try found { ledger in
            try ledger.deliver(phone, 0...0)
            try ledger.device(phone)
            try ledger.deliver(phone, 1...1)
            try ledger.sign()
        }
        #expect(twice == .deviceMalformed(1))
        let twoInARow = try found { ledger in
            try ledger.device(tablet)
            try ledger.deliver(phone, 0...0)
            try ledger.sign()
        }
        #expect(twoInARow == .deviceIdle(0))
        let key = try found { ledger in
            try ledger.device(TestTrail(count: 0, scalar: TestTrail.scalar(3), former: nil))
            ledger.record(phone.records[0])
            try ledger.upload(phone, 0...0)
            try ledger.sign()
        }
        #expect(key == .recordUnchained(0, device: phone.device, .recordUnchained(0)))
    }

    @Test(.holds("A42")) func `no record of a chain follows its fork`() throws {
        func fork(_ trail: TestTrail) -> LedgerEntry {
            .fork(
                device: trail.device,
                epoch: trail.epoch,
                seq: 1,
                user: TestLedger.user,
                bodySha256: SHA256.digest([])
            )
        }
        let behind = try found { ledger in
            try ledger.deliver(phone, 0...0)
            ledger.enter(fork(phone))
            try ledger.deliver(phone, 1...1)
            try ledger.sign()
        }
        #expect(behind == .recordForked(2))
        var ledger = TestLedger()
        try ledger.deliver(phone, 0...0)
        ledger.enter(fork(phone))
        try ledger.deliver(tablet, 0...1)
        try ledger.sign()
        let summary = try ledgerSummary(of: ledger)
        #expect(summary.remarks == [.forked(device: phone.device, epoch: phone.epoch, index: 1)])
    }

    @Test(.holds("A42")) func `a record carries the signature of the first checkpoint that covers it`() throws {
        // Those of the second section carry what those of the first do.
        var ledger = TestLedger()
        try ledger.deliver(phone, 0...1)
        try ledger.sign()
        let first = try #require(ledger.note)
        try ledger.deliver(phone, 2...3)
        var other = ledger
        try ledger.sign()
        #expect(try ledgerFinding(in: ledger.export()) == nil)
        let second = try #require(ledger.note)
        other.end(with: second, signedBy: first.signatures[0])
        #expect(try ledgerFinding(in: other.export()) == .signatureElsewhere(2))
        // One of the two alone.
        var lines = try ledger.export()
        let code = String(decoding: TextCode.base64.encode(second.signatures[0].bytes), as: UTF8.self)
        let wrong = String(decoding: TextCode.base64.encode(first.signatures[0].bytes), as: UTF8.self)
        for (index, place) in [(2, 7), (3, 8)] {
            #expect(String(decoding: lines[place], as: UTF8.self).contains("\"index\":\(index),"))
            let line = lines[place]
            lines[place] = try line.replacing(code, with: wrong)
            #expect(ledgerFinding(in: lines) == .signatureElsewhere(UInt64(index)))
            lines[place] = try line.replacing("\"signatureKeyId\":\"", with: "\"signatureKeyId\":\"0")
            #expect(ledgerFinding(in: lines) == .leafMalformed(UInt64(index)))
            lines[place] = line
        }
    }

    @Test(.holds("A42")) func `where two keys sign, records carry the line that comes first`() throws {
        func finding(_ first: Int) throws -> LedgerFinding? {
            var ledger = TestLedger()
            try ledger.deliver(phone, 0...0)
            var copy = ledger
            try copy.sign([TestLedger.nextKey, TestLedger.key])
            let note = try #require(copy.note)
            ledger.end(with: note, signedBy: note.signatures[first])
            let keys = try [TestLedger.key, TestLedger.nextKey].sorted {
                try TestLedger.auditKey($0).id < TestLedger.auditKey($1).id
            }
            let lines = try [ledger.header()] + keys.map { try TestLedger.line(ofKey: $0, from: 1) } + ledger.lines
            return ledgerFinding(in: lines)
        }
        #expect(try finding(0) == nil)
        #expect(try finding(1) == .signatureElsewhere(0))
    }

    @Test(.holds("A47")) func `the service's time never falls`() throws {
        let fallen = try found { ledger in
            try ledger.deliver(phone, 0...0)
            ledger.time = ledger.time + Milliseconds(-1_001)
            try ledger.deliver(phone, 1...2)
            try ledger.sign()
        }
        #expect(fallen == .timeFell(1))
        let between = try found { ledger in
            try ledger.deliver(phone, 0...0)
            try ledger.sign()
            ledger.time = ledger.time + Milliseconds(-1_001)
            ledger.enter(.passwordChanged(user: TestLedger.user, policyEpoch: 1))
            try ledger.sign()
        }
        #expect(between == .timeFell(1))
        let still = try found { ledger in
            try ledger.deliver(phone, 0...0)
            ledger.time = ledger.time + Milliseconds(-1_000)
            try ledger.deliver(phone, 1...2)
            try ledger.sign()
        }
        #expect(still == nil)
    }
}

extension LedgerFinding? {
    fileprivate var isKeyElsewhere: Bool { if case .keyElsewhere = self { true } else { false } }
}
