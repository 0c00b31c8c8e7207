import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// How far the trail was delivered is part of the trail.
@Suite struct TrailDeliveryTests {
    @Test(.holds("F-107-10"))
    func `nothing is delivered before a login told of the log, and a wallet's vault has none`() async throws {
        let made = try await TestVault.make(of: TestAccount())
        #expect(try await made.halt() == .logUnknown)
        #expect(await made.vault.trailDelivery?.undelivered == 2)
        #expect(await made.vault.trailDelivery?.halt == .logUnknown)
        let wallet = try await TestVault.make()
        #expect(try await wallet.isDone())
        #expect(await wallet.vault.trailDelivery == nil)
        #expect(await wallet.vault.undeliveredEvents == 0)
    }

    @Test(.holds("F-107-10", "INV-107-10"))
    func `what the log acknowledged is delivered once, also by the next process, and erased nowhere`() async throws {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log, biometrics: true)
        let uploads = try await made.deliver(to: log)
        #expect(uploads.map(\.upload.lastSeq) == [2])
        let all = try await made.vault.records()
        #expect(log.kept.records == all && all.count == 3)
        #expect(try await made.isDone())
        let again = try await made.restarted()
        #expect(try await again.isDone())
        #expect(await again.vault.trailDelivery?.deliveredAt != nil)
        try await again.strong(account)
        #expect(try await again.deliver(to: log).map(\.upload.firstSeq) == [3])
        #expect(try await again.vault.records() == log.kept.records)
        let file = Collected()
        try await again.vault.exportTrail(again.strong(account)) { file.append($0) }
        #expect(try TestVault.verified(file.bytes).count == UInt64(log.kept.records.count) + 1)
    }

    @Test(.holds("F-107-10")) func `an upload has at most 256 records, in order`() async throws {
        let log = try TestLog()
        let (made, _) = try await TestVault.make(at: log)
        try await made.vault.insecurelyTell(.passwordFailure, times: 600, together: true)
        let uploads = try await made.deliver(to: log)
        #expect(uploads.map { [$0.upload.firstSeq, $0.upload.lastSeq] } == [[0, 255], [256, 511], [512, 601]])
        #expect(uploads.allSatisfy { $0.body.count <= AuditUpload.maximumByteCount })
        #expect(Set(uploads.map(\.upload.nonce)).count == 3)
        #expect(log.kept.records == (try await made.vault.records()))
    }

    @Test(.holds("F-107-10"))
    func `a renewed device's former chain goes first, under its own key, which stays until then and no longer`()
        async throws
    {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log)
        let former = try #require(await made.vault.account)
        let device = try await made.vault.renewDevice()
        _ = try await made.vault.unlock(with: account.opening(account.identity(device)))
        try await made.enrol(at: log)
        let again = try await made.restarted()
        try await again.strong(account)
        #expect(try await made.simulated.describe(former.deviceKey) != nil)
        let uploads = try await again.deliver(to: log)
        #expect(uploads.map(\.upload.deviceId) == [former.device, device.id])
        #expect(uploads.map(\.key) == [former.deviceKey, device.key])
        _ = try await again.look()
        #expect(try await made.simulated.describe(former.deviceKey) == nil)
        #expect(try await made.simulated.describe(device.key) != nil)
    }

    @Test(.holds("F-107-10")) func `an account's vault keeps each chain that the log has not whole, a wallet's one`()
        async throws
    {
        let log = try TestLog()
        var (made, account) = try await TestVault.make(at: log)
        var wallet = try await TestVault.make()
        var ids = [try made.trailRow().epoch.id]
        for _ in 0..<3 {
            try await made.strong(account)
            try await made.cutTrail()
            made = try await made.reopened()
            ids.append(try made.trailRow().epoch.id)
            try await wallet.strong()
            try await wallet.cutTrail()
            wallet = try await wallet.reopened()
        }
        #expect(try made.trailRow().chains.map(\.id) == ids)
        #expect(try wallet.trailRow().formers.count == 1)
        let records = try await made.vault.records()
        #expect(try await made.deliver(to: log).map(\.upload.epoch) == ids)
        #expect(log.kept.records == records)
        // What the log has may go with the next chain, and its records with what is written then.
        #expect(try made.trailRow().chains.map(\.id) == ids)
        try await made.strong(account)
        try await made.cutTrail()
        made = try await made.reopened()
        #expect(try made.trailRow().formers.map(\.id) == ids.suffix(1))
        let kept = try made.trailRow().chains.reduce(0) { $0 + Int64($1.next) }
        #expect(try made.tamper { try $0.events() } == kept)
    }

    @Test(.holds("F-107-10", "A42")) func `a fork ends its chain alone, and another begins`() async throws {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log)
        try await made.deliver(to: log)
        try await made.strong(account)
        let image = try FolderImage(of: made.path)
        let device = made.simulated.clone()
        try await made.strong(account)
        try await made.deliver(to: log)
        await made.vault.close()
        // The whole home: vault and device.
        try image.restore(to: made.path)
        let again = try await made.reopened(seenAs: device.device)
        let forked = try again.trailRow().epoch.id
        try await again.strong(account)
        let sent = try await again.waiting()
        #expect(try await again.send(sent, to: log).status == 409)
        try await again.vault.forked(sent)
        let row = try again.trailRow()
        #expect(row.formers.map(\.id) == [forked] && row.formers[0].ending == .forked)
        #expect(try await again.beginning() == "putBack")
        #expect(row.undelivered == row.epoch.next, "what can't be delivered counts no more")
        #expect(try await again.deliver(to: log).map(\.upload.epoch) == [row.epoch.id])
        // The device keeps it, also behind later chains.
        try await again.cutTrail()
        let third = try await again.reopened(seenAs: device.device)
        #expect(try third.trailRow().formers.first?.id == forked)
        #expect(try await third.vault.records().contains { $0.epoch == forked && $0.seq == sent.upload.lastSeq })
    }

    @Test(.holds("F-107-10")) func `a refused chain waits, the next ones go on, and the owner or a login tries again`()
        async throws
    {
        let log = try TestLog()
        var (made, account) = try await TestVault.make(at: log)
        try await made.strong(account)
        try await made.cutTrail()
        made = try await made.reopened()
        let first = try await made.waiting()
        try await made.vault.refused(first, "NOT_CANONICAL")
        let second = try await made.waiting()
        #expect(second.upload.epoch != first.upload.epoch)
        try await made.vault.delivered(second, made.receipt(of: second, from: log))
        #expect(try await made.halt() == .refused)
        let delivery = try #require(await made.vault.trailDelivery)
        #expect(delivery.halt == .refused && delivery.undelivered == first.upload.count)
        for isLogin in [false, true] {
            if isLogin { try await made.vault.learn(log.audit) } else { try await made.vault.pressDelivery() }
            let sent = try await made.waiting()
            #expect(sent.upload.epoch == first.upload.epoch)
            try await made.vault.refused(sent, "NOT_CANONICAL")
        }
        try await made.vault.pressDelivery()
        try await made.deliver(to: log)
        #expect(try await made.isDone())
    }

    @Test(.holds("F-107-10"))
    func `where the key that signed is gone its chain stands in no other's way`() async throws {
        let log = try TestLog()
        var (made, account) = try await TestVault.make(at: log)
        try await made.strong(account)
        try await made.cutTrail()
        made = try await made.reopened()
        try await made.vault.lostKey(of: made.waiting())
        let row = try made.trailRow()
        #expect(row.undelivered == row.epoch.next && row.formers[0].ending == .keyless)
        #expect(try await made.deliver(to: log).map(\.upload.epoch) == [row.epoch.id])
    }

    @Test(.holds("F-107-10"))
    func `a position belongs to one log: another one gets every chain from its first record`() async throws {
        let log = try TestLog()
        var (made, account) = try await TestVault.make(at: log)
        try await made.strong(account)
        try await made.cutTrail()
        made = try await made.reopened()
        try await made.deliver(to: log)
        let kept = try await made.vault.records()
        try log.restore(as: "https://accounts.example/r1")
        try await made.strong(account)
        let sent = try await made.waiting()
        #expect(try await made.send(sent, to: log).status == 409)
        try await made.vault.awaitsLogin(.otherLog, after: sent)
        #expect(try await made.halt() == .otherLog)
        try await made.vault.learn(log.audit)
        #expect(await made.vault.keptCheckpoint == nil)
        let uploads = try await made.deliver(to: log)
        #expect(uploads.map(\.upload.firstSeq) == [0, 0])
        #expect(uploads.allSatisfy { $0.origin == "https://accounts.example/r1" })
        #expect(log.kept.records.starts(with: kept))
        #expect(try await made.isDone())
    }

    @Test(.holds("F-107-10", "A45")) func `what a log was caught at ends its delivery until there is another log`()
        async throws
    {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log)
        try await made.deliver(to: log)
        let receipt = try made.trailLog().receipt
        try await made.strong(account)
        let sent = try await made.waiting()
        try await made.vault.caught(.forgetful, answer: [1, 2, 3], to: sent)
        #expect(try await made.halt() == .forgetful)
        try await made.vault.pressDelivery()
        try await made.vault.learn(log.audit)
        let again = try await made.restarted()
        #expect(try await again.halt() == .forgetful)
        let evidence = try #require(try again.trailLog().evidence.first)
        #expect(evidence.receipt == receipt && evidence.answer == [1, 2, 3] && evidence.failing == .forgetful)
        try log.restore(as: "https://accounts.example/r1")
        try await again.vault.learn(log.audit)
        try await again.deliver(to: log)
        #expect(try await again.isDone())
        #expect(try again.trailLog().evidence == [evidence], "the evidence stays")
        #expect(await again.vault.trailDelivery?.halt == nil)
    }

    @Test(.holds("F-107-10", "A45"))
    func `a later key counts once a former one named it, and no other does`() async throws {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log)
        try await made.deliver(to: log)
        let whole = log.kept
        try log.rotate(named: false)
        try await made.vault.learn(log.audit)
        try await made.strong(account)
        let sent = try await made.waiting()
        await #expect(throws: AuditReceiptError.unsigned) { _ = try await made.receipt(of: sent, from: log) }
        log.kept = whole
        try log.rotate()
        try await made.vault.learn(log.audit)
        try await made.deliver(to: log)
        #expect(try await made.isDone())
    }

    @Test(.holds("F-107-10")) func `10,000 events that wait ask for the password at each unlock, and those go on`()
        async throws
    {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log, biometrics: true)
        let count = await made.vault.undeliveredEvents
        let former = try await made.vault.owe(9_999 - count)
        await made.vault.lock()
        try await made.touch()
        #expect(await made.vault.undeliveredEvents == 10_000)
        for _ in 0..<2 {
            await made.vault.lock()
            #expect(await refusal { try await made.touch() } == .strongFactorRequired)
            #expect(await made.vault.snapshot.decision == .requireStrongFactor(.eventsUndelivered))
            try await made.strong(account)
        }
        #expect(await made.vault.undeliveredEvents == 10_002)
        #expect(await made.vault.snapshot.biometrics == .enabled)
        let again = try await made.restarted()
        #expect(await refusal { try await again.touch() } == .strongFactorRequired)
        try await again.strong(account)
        try await again.vault.pay(former)
        try await again.deliver(to: log)
        await again.vault.lock()
        try await again.touch()
    }

    @Test(.holds("F-107-10")) func `a chain with a hole is delivered up to it, and then the next`() async throws {
        let log = try TestLog()
        var (made, account) = try await TestVault.make(at: log)
        for _ in 0..<3 { try await made.strong(account) }
        let first = try made.trailRow().epoch
        try made.tamper { store in
            let box = try #require(try store.event(first.number(of: 2)))
            try store.addEvent(first.number(of: 2), box.dropLast() + [box[box.count - 1] ^ 1])
        }
        // The current chain ends before the hole, and the next begins.
        #expect(try await made.deliver(to: log).map(\.upload.lastSeq) == [1, 0])
        #expect(try await made.beginning() == "damaged")
        #expect(try await made.isDone())
        for _ in 0..<3 { try await made.strong(account) }
        let second = try made.trailRow().epoch
        try await made.cutTrail()
        made = try await made.reopened()
        try made.tamper { store in try store.addEvent(second.number(of: 2), [1]) }
        #expect(try await made.deliver(to: log).map(\.upload.lastSeq) == [1, 0])
        #expect(try await made.isDone())
    }

    @Test(.holds("F-107-10")) func `an answer that comes after the vault was put back moves nothing`() async throws {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log)
        let image = try FolderImage(of: made.path)
        try await made.strong(account)
        let sent = try await made.waiting()
        let proved = try await made.receipt(of: sent, from: log)
        await made.vault.close()
        try image.restore(to: made.path)
        let again = try await made.reopened()
        try await again.vault.delivered(sent, proved)
        #expect(try again.trailRow().chains.allSatisfy { $0.delivered == 0 })
        // Nor where another record stands in its place by then.
        try await again.strong(account)
        #expect(try again.trailRow().epoch.next == sent.upload.lastSeq + 1)
        try await again.vault.delivered(sent, proved)
        #expect(try again.trailRow().chains.allSatisfy { $0.delivered == 0 })
    }

    @Test(.holds("A43")) func `a changed byte of what is known of the log is nothing known`() async throws {
        let log = try TestLog()
        let (made, account) = try await TestVault.make(at: log)
        try await made.deliver(to: log)
        let row = try #require(try made.tamper { try $0.trailLog() })
        #expect(try TrailLog(parsing: row.body).bytes == row.body)
        for index in stride(from: 0, to: row.body.count, by: 7) {
            var body = row.body
            body[index] ^= 1
            try made.tamper { try $0.setTrailLog(VaultStore.TaggedRow(body: body, mac: row.mac)) }
            #expect(await made.vault.keptCheckpoint == nil)
        }
        try made.tamper { try $0.setTrailLog(row) }
        #expect(await made.vault.keptCheckpoint != nil)
        // A row of the trail is none of the log.
        let trail = try #require(made.contents().trail)
        try made.tamper { try $0.setTrailLog(trail) }
        try await made.strong(account)
        #expect(try await made.halt() == .logUnknown)
        // The next login mends it, and the positions stood.
        try await made.vault.learn(log.audit)
        #expect(try await made.deliver(to: log).map(\.upload.firstSeq) == [2])
    }
}
