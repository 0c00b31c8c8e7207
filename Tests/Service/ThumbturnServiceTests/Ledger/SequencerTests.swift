import Glibc
import Synchronization
import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

/// What a device sends, and what the log answers (`server.md` §2.4).
@Suite("The sequencer", .timeLimit(.minutes(10))) struct SequencerTests {
    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `records are stored, signed and proved, and the next head is consistent`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(5)
        let first = try room.receipt(trail.upload(0..<2))
        #expect((first.firstIndex, first.lastIndex) == (0, 1))
        let second = try room.receipt(
            trail.upload(2..<5, since: first.note.checkpoint.size),
            since: first.note.checkpoint
        )
        #expect((second.firstIndex, second.lastIndex) == (2, 4))
        #expect(second.consistency != nil)
        #expect(second.tsServer >= first.tsServer)
        let leaves = try room.leaves()
        #expect(leaves == trail.records.map { AuditLeaf.record($0, at: Milliseconds(room.clock.now.count)) })
    }

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `a duplicate is answered with the indexes and the time of the first answer`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(6)
        let first = try room.receipt(trail.upload(0..<3))
        room.clock.advance(.minutes(1))
        let second = try room.receipt(trail.upload(3..<6))
        let again = try room.receipt(trail.upload(0..<3))
        #expect(
            (again.firstIndex, again.lastIndex, again.tsServer) == (first.firstIndex, first.lastIndex, first.tsServer)
        )
        // Over two uploads: those of its first and of its last record.
        let both = try room.receipt(trail.upload(1..<5))
        #expect((both.firstIndex, both.lastIndex, both.tsServer) == (1, 4, second.tsServer))
        // On an instance that has seen none of it.
        let other = room.instance()
        let there = try other.receipt(trail.upload(0..<3))
        #expect(
            (there.firstIndex, there.lastIndex, there.tsServer) == (first.firstIndex, first.lastIndex, first.tsServer)
        )
        #expect(try room.leaves().count == 6)
    }

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `what is known in front of what is new is stored once`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(5)
        try room.receipt(trail.upload(0..<3))
        let more = try room.receipt(trail.upload(1..<5))
        #expect((more.firstIndex, more.lastIndex) == (1, 4))
        #expect(try room.leaves().count == 5)
    }

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `a gap is refused with the record that is expected`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(5)
        let beginning = room.send(try trail.upload(2..<3))
        #expect(beginning.status == 409 && beginning.code == "GAP")
        #expect(beginning.json?["expectedSeq"]?.integer == 0)
        try room.receipt(trail.upload(0..<2))
        let gap = room.send(try trail.upload(3..<5))
        #expect(gap.code == "GAP" && gap.json?["expectedSeq"]?.integer == 2)
        #expect(gap.json?["headHash"]?.text == trail.records[1].hash.hexadecimal)
    }

    @Test(.holds("A42"), arguments: Backing.allCases)
    func `a fork ends the chain, and what came is kept beside an entry`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(4)
        try room.receipt(trail.upload(0..<4))
        let other = try TestTrail(trail, upTo: 2).grow(3, reason: "other")
        let fork = room.send(try other.upload(2..<4))
        #expect(fork.status == 409 && fork.code == "FORK")
        // Another one is no second entry, and the chain is at its end for both.
        #expect(room.send(try other.upload(2..<5)).code == "FORK")
        try trail.grow(1)
        #expect(room.send(try trail.upload(4..<5)).code == "FORK")
        try room.receipt(trail.upload(0..<4))
        let leaves = try room.leaves()
        #expect(leaves.count == 5)
        guard case .entry(.fork(let device, let epoch, _, let user, _)) = try AuditLeaf.read(leaves[4]).content else {
            Issue.record("no entry")
            return
        }
        #expect(Chain.Name(device: device, epoch: epoch) == trail.chainName && user == trail.user)
        let kept = try room.room.open().reading { transaction throws(StoreError) in
            try transaction.row("SELECT body FROM forks")?.blob(0)
        }
        #expect(kept == other.records[2..<4].flatMap { $0.line + [0x0A] })
        #expect(room.lines.all.contains { $0.contains("forked") })
        // Another chain of the device goes on.
        let next = try TestTrail(of: trail.user, device: trail.device).grow(1)
        try room.receipt(next.upload(0..<1))
    }

    @Test(.holds("P-107-05"), arguments: Backing.allCases)
    func `the same request once more is refused, on another instance too`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let upload = try TestTrail().grow(1).upload(0..<1)
        try room.receipt(upload)
        #expect(room.instance().send(upload).code == "NONCE")
    }

    /// Whichever commit that is: of the keys, of the first head's signature, of the entry, of the upload, or of a signature.
    @Test(.holds("INV-107-10"), arguments: 1...6)
    func `an upload and an entry whose commit had no answer are stored once`(commit: Int) throws {
        let (room, signer) = (try StoreRoom(.sqlite), TestSigner())
        let sequencer = try makeSequencer(over: room)
        sequencer.store = FailingStore(try room.open(), at: commit, isStored: true)
        let thread = try #require(sequencer.start([signer.opened], witness: nil))
        let upload = try TestTrail().grow(1).upload(0..<1)
        let entry = try refuse(upload, by: sequencer)
        let answer = HTTPAnswer.later { reply in
            let deadline = MonotonicClock.milliseconds + Sequencer.patience
            _ = sequencer.add(.upload(PendingUpload(upload, deadline: deadline, reply: reply)))
        }
        let response = answer.wait()
        sequencer.stop()
        thread.join()
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        let leaves = try room.open().reading { transaction throws(StoreError) in
            try transaction.leaves(of: 0, from: 0, to: 2)
        }
        let contents = try leaves.map { try AuditLeaf.read($0).content }
        #expect(contents == [.entry(entry), .record(upload.records[0])])
        let count = try room.open().reading { transaction throws(StoreError) in
            try transaction.rows("SELECT idx FROM leaves").count
        }
        #expect(count == 2)
    }

    @Test(.holds("P-107-05")) func `an upload behind an entry is answered in time, though no thread writes`() throws {
        let sequencer = try makeSequencer(over: StoreRoom(.sqlite))
        let upload = try TestTrail().grow(1).upload(0..<1)
        _ = try refuse(upload, by: sequencer)
        let counts = Mutex<[Int]>([])
        let later = HTTPAnswer.later { reply in
            #expect(sequencer.add(.upload(PendingUpload(upload, deadline: 5_000, reply: reply))))
            sequencer.answerOverdue(at: 4_999)
            counts.withLock { $0.append(sequencer.desk.change { $0.queue.count }) }
            sequencer.answerOverdue(at: 5_000)
            counts.withLock { $0.append(sequencer.desk.change { $0.queue.count }) }
        }
        #expect(later.wait().status == 503)
        #expect(counts.withLock { $0 } == [2, 1])
        #expect(sequencer.desk.change { $0.byteCount } == 256)
    }

    /// A sequencer that has not started, over a log that is empty.
    private func makeSequencer(over room: StoreRoom) throws -> Sequencer {
        let clock = TestClock()
        return Sequencer(
            0,
            origin: try AuditLedger.establish(1, in: room.open()).origin(of: 0, of: LedgerRoom.origin),
            at: room.location,
            records: ServiceLog { _ in },
            clock: { clock.now }
        )
    }

    /// Puts the entry that an upload was refused before what waits.
    private func refuse(_ upload: IncomingUpload, by sequencer: Sequencer) throws -> LedgerEntry {
        let entry = LedgerEntry.rejected(
            device: upload.chain.device,
            user: upload.user,
            bodySha256: SHA256.digest([1]),
            code: "RECORD"
        )
        try #require(sequencer.add(.rejected(LedgerWork.Rejection(chain: upload.chain, entry: entry))))
        return entry
    }

    @Test(.holds("INV-107-10"), arguments: Backing.allCases)
    func `without its signer the log stores, and gives the receipt when it has one`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(2)
        try room.receipt(trail.upload(0..<1))
        room.signer.isGone.withLock { $0 = true }
        let answer = room.send(try trail.upload(1..<2))
        #expect(answer.status == 202 && answer.code == "UNSIGNED")
        #expect(try room.leaves().count == 2)
        #expect(room.send(try trail.upload(0..<1)).status == 200)
        room.signer.isGone.withLock { $0 = false }
        let receipt = try room.receipt(trail.upload(1..<2))
        #expect((receipt.firstIndex, receipt.lastIndex) == (1, 1))
    }

    @Test(.holds("INV-107-10"), arguments: Backing.allCases)
    func `a restart signs what was stored and not signed`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(3)
        try room.waitForSigned(0)
        room.signer.isGone.withLock { $0 = true }
        #expect(room.send(try trail.upload(0..<3)).status == 202)
        room.ledger.stop()
        room.signer.isGone.withLock { $0 = false }
        let next = room.instance()
        #expect(try next.waitForSigned(3).size == 3)
    }

    @Test(.holds("INV-107-10"), arguments: Backing.allCases)
    func `several instances write one log: no record is lost, and none is there twice`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let instances = [room, room.instance(), room.instance()]
        let trails = try (0..<6).map { _ in try TestTrail().grow(12) }
        nonisolated(unsafe) let shared = trails
        try onThreads(6) { index in
            let trail = unsafe shared[index]
            var sent = 0
            while sent < 12 {
                let end = min(12, sent + 1 + index % 3)
                // Sent to two at once, as by a client whose first answer was lost.
                let answer = instances[(index + sent) % 3].send(try trail.upload(sent..<end))
                if answer.status == 200 {
                    let again = try instances[(index + sent + 1) % 3].receipt(trail.upload(sent..<end))
                    #expect(try AuditReceipt(reading: answer.body).lastIndex == again.lastIndex)
                    sent = end
                } else {
                    #expect([202, 503].contains(answer.status), "\(answer.status) \(answer.code ?? "")")
                }
            }
        }
        let leaves = try room.leaves()
        #expect(leaves.count == 72)
        for trail in trails {
            let mine = try leaves.compactMap { leaf -> AuditRecord? in
                guard case .record(let record) = try AuditLeaf.read(leaf).content, record.epoch == trail.epoch else {
                    return nil
                }
                return record
            }
            #expect(mine == trail.records)
        }
    }

    @Test func `a row that another instance wrote first is a wait, and the record is taken later`() throws {
        let room = try LedgerRoom()
        let trail = try TestTrail().grow(1)
        try room.waitForSigned(0)
        // As a foreign table tells it: by the key alone, not as a transaction to be repeated.
        let other = try room.room.openElsewhere()
        try other.transaction { transaction throws(StoreError) in
            try transaction.run("INSERT INTO leaves (log, idx, leaf) VALUES (0, 0, $1)", .blob([1]))
        }
        let answer = room.send(try trail.upload(0..<1))
        #expect(answer.status == 503 && answer.code == "BUSY")
        try other.transaction { transaction throws(StoreError) in try transaction.run("DELETE FROM leaves") }
        try room.receipt(trail.upload(0..<1))
        #expect(try room.leaves().count == 1)
    }

    @Test func `while the store is away every upload is answered in time, and it goes on when it is back`() throws {
        let room = try LedgerRoom()
        try room.waitForSigned(0)
        let (path, uploads) = (room.room.path, try (0..<4).map { _ in try TestTrail().grow(1).upload(0..<1) })
        let elsewhere = try room.room.openElsewhere()
        nonisolated(unsafe) let shared = elsewhere
        let start = MonotonicClock.milliseconds
        try onThreads(5) { index in
            guard index < 4 else {
                // Behind a writer the others gather in one batch, whose file is gone then.
                _ = try? unsafe shared.transaction { transaction throws(StoreError) in
                    try transaction.run("DELETE FROM proven")
                    usleep(600_000)
                    unsafe rename(path, path + ".away")
                }
                return
            }
            usleep(index == 0 ? 100_000 : 300_000)
            #expect([200, 202, 503].contains(room.send(uploads[index]).status))
        }
        #expect(MonotonicClock.milliseconds - start < 3 * Sequencer.patience)
        unsafe rename(path + ".away", path)
        try room.receipt(TestTrail().grow(1).upload(0..<1))
    }

    @Test(.holds("INV-107-10"), arguments: Backing.allCases)
    func `a signature that comes while the outbox can't be read is stored when it can`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        try room.waitForSigned(0)
        room.signer.milliseconds.withLock { $0 = 1_500 }
        let upload = try TestTrail().grow(1).upload(0..<1)
        try onThreads(2) { index in
            guard index == 1 else {
                #expect([200, 202].contains(room.send(upload).status))
                return
            }
            let store = try room.room.open()
            while try room.leaves().isEmpty { usleep(10_000) }
            try store.transaction { transaction throws(StoreError) in
                try transaction.run("INSERT INTO outbox (log, number, content) VALUES (0, 9, $1)", .blob([0]))
            }
            while room.signer.count.withLock({ $0 }) < 2 { usleep(10_000) }
            // Longer than it rests after a failure.
            usleep(1_200_000)
            #expect(room.lines.all.contains { $0.contains("log not written") })
            try store.transaction { transaction throws(StoreError) in try transaction.run("DELETE FROM outbox") }
        }
        try room.waitForSigned(1)
    }

    @Test(.holds("F-107-10", "A47"), arguments: Backing.allCases)
    func `the time never falls, though the clock is set back an hour`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(2)
        let first = try room.receipt(trail.upload(0..<1))
        room.clock.advance(.minutes(-60))
        let second = try room.receipt(trail.upload(1..<2))
        #expect(second.tsServer == first.tsServer)
    }

    @Test(arguments: Backing.allCases)
    func `a device can't write more than a day's records`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        try room.waitForSigned(0)
        let trail = try TestTrail().grow(2)
        try room.room.open().transaction { transaction throws(StoreError) in
            try transaction.run(
                """
                INSERT INTO uploads (log, first_idx, device_id, epoch, first_seq, record_count, header, signature, ts)
                VALUES (0, 1000000, $1, $2, 0, $3, $2, $2, $4)
                """,
                .blob(trail.chainName.device.bytes),
                .blob(Identifier.make().bytes),
                .integer(Int64(DeviceQuota.mostRecords) - 1),
                .integer(room.clock.now.count)
            )
        }
        try room.receipt(trail.upload(0..<1))
        let refused = room.send(try trail.upload(1..<2))
        #expect(refused.status == 429 && refused.code == "QUOTA")
        room.clock.advance(.minutes(24 * 60))
        try room.receipt(trail.upload(1..<2))
    }

    @Test(arguments: Backing.allCases)
    func `a later key signs beside the former, is announced, and counts from then on`(backing: Backing) throws {
        let room = try LedgerRoom(backing)
        let trail = try TestTrail().grow(2)
        try room.receipt(trail.upload(0..<1))
        room.ledger.stop()
        let later = TestSigner()
        let rotated = room.instance(later, former: room.signer)
        let face = try rotated.waitForSigned(2)
        try face.note.verify(by: later.auditKey)
        try face.note.verify(by: room.signer.auditKey)
        let accepted = face.keys.accepted(knowing: [try room.signer.auditKey])
        #expect(accepted.map(\.publicKey) == [room.signer.publicKey, later.publicKey])
        #expect(accepted.last?.from == 2)
        rotated.ledger.stop()
        // The later one alone goes on; a stranger's signs nothing.
        let alone = room.instance(later)
        try alone.receipt(trail.upload(1..<2))
        alone.ledger.stop()
        let stranger = room.instance(TestSigner())
        try trail.grow(1)
        #expect(stranger.send(try trail.upload(2..<3)).status == 202)
    }

    @Test func `several logs share an account's events by its user, and each has a head of its own`() throws {
        let room = try LedgerRoom(logs: 3)
        var used: Set<Int64> = []
        for _ in 0..<12 {
            let trail = try TestTrail().grow(1)
            let log = room.plan.log(of: trail.user)
            used.insert(log)
            let receipt = try room.receipt(
                trail.upload(0..<1, origin: room.plan.origin(of: log, of: LedgerRoom.origin))
            )
            #expect(receipt.origin == "\(LedgerRoom.origin)/\(log)")
        }
        #expect(used.count > 1)
    }
}

extension JSON {
    fileprivate var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}
