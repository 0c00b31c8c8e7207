import Synchronization
import Testing
import Thumbturn
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnAccount

/// The trail reaches the account's log, whatever service and network do.
@Suite("Delivery of the trail", .serialized) struct DeliveryTests {
    private static let password = AccountClientTests.old
    private static let origin = "https://accounts.example.org"

    /// A room whose service keeps a log that has all that a device of the account did.
    private func make(
        behind: Bool = false
    ) async throws -> (room: AccountRoom, log: TestLog, device: TestDevice) {
        let (room, log) = (try AccountRoom(), try TestLog(Self.origin))
        room.keep(log)
        let device = try await TestDevice.make(in: room, Self.password, registering: true, deliversBehind: behind)
        if !behind { try await device.sends(to: log) }
        return (room, log, device)
    }

    @Test(.holds("F-107-10", "INV-107-10"))
    func `a login tells of the log, and what happened is in it, signed by the device and with no token`() async throws {
        let (room, log, device) = try await make()
        try await device.unlock(Self.password)
        try await device.sends(to: log)
        let records = log.kept.records
        #expect(records.map(\.kind) == [.trailBegun, .vaultCreated, .passwordFallback])
        #expect(records.map(\.seq) == [0, 1, 2])
        let uploads = room.wire.sent.filter { $0.auditedDevice != nil }
        #expect(uploads.allSatisfy { $0.token == nil && $0.contentType == "application/x-ndjson" })
        #expect(uploads.map { $0.path.split(separator: "?").dropFirst() } == [[], ["since=2"]])
    }

    @Test(.holds("F-107-10")) func `a login, a contact and the return to the foreground deliver behind themselves`()
        async throws
    {
        let (room, log, device) = try await make(behind: true)
        try await device.arrives(in: log)
        room.keep(log) { sent, forward throws(TransportFailure) in
            guard sent.auditedDevice == nil else { throw .unreachable }
            return forward(sent)
        }
        try await device.unlock(Self.password)
        room.keep(log)
        try await device.account.contact()
        try await device.arrives(in: log)
        room.keep(log) { sent, forward throws(TransportFailure) in
            guard sent.auditedDevice == nil else { throw .unreachable }
            return forward(sent)
        }
        try await device.unlock(Self.password)
        room.keep(log)
        await device.account.returnToForeground()
        try await device.arrives(in: log)
    }

    @Test(.holds("F-107-10")) func `after a failure it is tried again without being asked`() async throws {
        let (room, log, device) = try await make(behind: true)
        try await device.arrives(in: log)
        let first = Shared(true)
        room.keep(log) { sent, forward throws(TransportFailure) in
            guard sent.auditedDevice != nil, first.take() else { return forward(sent) }
            return .problem(503, "BUSY")
        }
        try await device.unlock(Self.password)
        try await device.arrives(in: log)
        #expect(!first.value)
    }

    @Test(.holds("F-107-10", "ERR-107-090"))
    func `a service that can't be reached is ERR-107-090, delays no unlock, and loses nothing`() async throws {
        let (room, log, device) = try await make()
        try await device.enableBiometrics(Self.password)
        try await device.sends(to: log)
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        try await device.touch()
        let delivery = await device.account.deliver()
        guard case .failed(let error, asked: nil) = delivery.end else { throw NotThat() }
        #expect(error.code.text == "ERR-107-090" && error.code.recovery == .retry && delivery.count == 0)
        #expect(await device.vault.undeliveredEvents == 1)
        #expect(try await device.vault.trail(limit: .max).last?.kind == .biometricSuccess)
        room.keep(log)
        #expect(await device.account.deliver().count == 1)
    }

    /// What a service may answer instead of a receipt, and what the device makes of it.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let answer: Answer
        let end: String
        var halt: TrailHalt?
        /// Whether a later try sends the records again.
        var goesOn = true

        var testDescription: String { "\(answer.status) \(answer.json["code"]?.text ?? "")" }
    }

    static let refusals: [Refusal] = [
        Refusal(answer: Answer(status: 202), end: "ERR-107-090"),
        Refusal(answer: .problem(429, "RATE", retryAfter: 30), end: "ERR-107-090 30"),
        Refusal(answer: .problem(503, "STORE", retryAfter: 7), end: "ERR-107-090 7"),
        Refusal(answer: .problem(500, ""), end: "ERR-107-090"),
        Refusal(answer: .problem(404, ""), end: "ERR-TT-502"),
        Refusal(answer: .problem(400, ""), end: "ERR-TT-502"),
        Refusal(answer: .problem(401, ""), end: "ERR-TT-502"),
        Refusal(answer: Answer(status: 200, body: Array("{}".utf8)), end: "ERR-TT-502"),
        Refusal(answer: .problem(409, "NONCE"), end: "ERR-TT-502"),
        Refusal(answer: .problem(409, "OTHER"), end: "ERR-TT-502"),
        Refusal(answer: .problem(400, "NOT_CANONICAL"), end: "refused", halt: .refused, goesOn: false),
        Refusal(answer: .problem(413, "TOO_LARGE"), end: "refused", halt: .refused, goesOn: false),
        Refusal(answer: .problem(422, "USER"), end: "refused", halt: .refused, goesOn: false),
        Refusal(answer: .problem(401, "DEVICE_UNKNOWN"), end: "unknownDevice", halt: .unknownDevice, goesOn: false),
        Refusal(answer: .problem(409, "ORIGIN"), end: "otherLog", halt: .otherLog, goesOn: false),
    ]

    @Test(.holds("F-107-10", "ERR-107-090"), arguments: refusals)
    func `each other answer keeps the records, and says when they are sent again`(refusal: Refusal) async throws {
        let (room, log, device) = try await make()
        room.keep(log) { sent, forward throws(TransportFailure) in
            sent.auditedDevice == nil ? forward(sent) : refusal.answer
        }
        try await device.unlock(Self.password)
        #expect(await device.account.deliver().words == refusal.end)
        #expect(await device.vault.trailDelivery?.halt == refusal.halt)
        #expect(await device.vault.undeliveredEvents == 1)
        let count = room.wire.sent.count
        #expect(await device.account.deliver().words == refusal.end)
        #expect((room.wire.sent.count > count) == refusal.goesOn)
        room.keep(log)
        // A login, or the owner's own try, ends every halt.
        if refusal.halt != nil { try await device.unlock(Self.password) }
        try await device.sends(to: log)
    }

    @Test(.holds("F-107-10")) func `a nonce that was seen is met with another one`() async throws {
        let (room, log, device) = try await make()
        let first = Shared(true)
        room.keep(log) { sent, forward throws(TransportFailure) in
            guard sent.auditedDevice != nil, first.take() else { return forward(sent) }
            return .problem(409, "NONCE")
        }
        try await device.unlock(Self.password)
        try await device.sends(to: log)
        let uploads = room.wire.sent.compactMap(\.upload)
        #expect(uploads.count == 3 && Set(uploads.map(\.nonce)).count == 3)
        #expect(uploads[1].headHash == uploads[2].headHash)
    }

    @Test(.holds("F-107-10", "A42"))
    func `an answer lost after the commit is asked for again, and nothing is there twice`() async throws {
        let (room, log, device) = try await make()
        room.keep(log) { sent, forward throws(TransportFailure) in
            let answer = forward(sent)
            guard sent.auditedDevice == nil else { throw .lost }
            return answer
        }
        try await device.unlock(Self.password)
        #expect(await device.account.deliver().words == "ERR-107-090")
        #expect(log.kept.records.count == 3)
        #expect(await device.vault.undeliveredEvents == 1)
        room.keep(log)
        #expect(await device.account.deliver().count == 1)
        #expect(log.kept.records.count == 3)
        try await device.sends(to: log)
    }

    @Test(.holds("F-107-10", "A42")) func `a home that was put back forks its chain, and goes on with another`()
        async throws
    {
        let (room, log, device) = try await make()
        let image = try FolderImage(of: device.folder.file("vault"))
        let state = device.simulated.clone()
        try await device.unlock(Self.password)
        try await device.sends(to: log)
        await device.vault.close()
        try image.restore(to: device.folder.file("vault"))
        let again = try await device.reopened(in: room, seenAs: state.device)
        try await again.unlock(Self.password)
        try await again.sends(to: log)
        let chains = Dictionary(grouping: log.kept.records, by: \.epoch)
        #expect(chains.count == 2)
        #expect(try await again.vault.trail(limit: 1).first?.reason == "putBack")
        #expect(await again.vault.undeliveredEvents == 0)
    }

    @Test(.holds("F-107-10", "A45"))
    func `a log that lost what it acknowledged gets nothing more, and another one all`() async throws {
        let (room, log, device) = try await make()
        let backup = log.kept
        try await device.unlock(Self.password)
        try await device.sends(to: log)
        let whole = log.kept
        log.kept = backup
        try await device.unlock(Self.password)
        #expect(await device.account.deliver().words == "forgetful")
        let asked = room.wire.sent.count
        #expect(await device.account.deliver().words == "forgetful")
        #expect(room.wire.sent.count == asked, "it is not asked again")
        // That the log has it all again changes nothing; that another log begins does.
        log.kept = whole
        try await device.unlock(Self.password)
        #expect(await device.account.deliver().words == "forgetful")
        try log.restore(as: Self.origin + "/r1")
        try await device.unlock(Self.password)
        try await device.sends(to: log)
        #expect(try await log.kept.records.count == device.vault.trail(limit: .max).count, "from seq 0")
    }

    /// What a service signs that has not one log.
    enum Face: CaseIterable { case other, smaller, strange }

    @Test(.holds("F-107-10", "A45"), arguments: Face.allCases)
    func `a smaller head, or one with another beginning, is evidence; what a strange key signed is none`(
        face: Face
    ) async throws {
        let (room, log, device) = try await make()
        log.grow(by: 3)
        try await device.unlock(Self.password)
        try await device.sends(to: log)
        switch face {
        case .other: log.rebuild(exchangingFirst: true)
        case .smaller: log.rebuild(dropping: 4)
        case .strange: try log.exchangeKeys()
        }
        room.keep(log) { sent, forward throws(TransportFailure) in
            // No login tells of the strange key.
            sent.method == .get ? room.answer(sent) : forward(sent)
        }
        try await device.unlock(Self.password)
        let (words, halt): (String, TrailHalt?) =
            switch face {
            case .other: ("inconsistent", .inconsistent)
            case .smaller: ("forgetful", .forgetful)
            case .strange: ("ERR-TT-502", nil)
            }
        #expect(await device.account.deliver().words == words)
        #expect(await device.vault.trailDelivery?.halt == halt)
        #expect(await device.vault.undeliveredEvents == 1)
    }

    @Test(.holds("F-107-10", "A45"), arguments: [false, true])
    func `the receipts of a later key count if a former one named it`(isNamed: Bool) async throws {
        let (_, log, device) = try await make()
        try log.rotate(named: isNamed)
        try await device.unlock(Self.password)
        #expect(await device.account.deliver().words == (isNamed ? "complete" : "ERR-TT-502"))
    }

    @Test(.holds("F-107-10")) func `a revoked device still delivers`() async throws {
        let (room, log, device) = try await make()
        let second = try await TestDevice.make(in: room, Self.password, registering: false, deliversBehind: true)
        try await second.enableBiometrics(Self.password)
        try await second.arrives(in: log)
        let id = try #require(await second.vault.account?.device)
        _ = try await device.account.revoke(id.text, SecretBytes(text: Self.password))
        #expect(await refusal { try await second.account.contact() } == .securityEventMissing)
        try await second.arrives(in: log)
        #expect(log.kept.records.contains { $0.deviceId == id && $0.kind == .biometricDisabled })
    }

    @Test(.holds("F-107-10")) func `closing the account delivers first`() async throws {
        let (room, log, device) = try await make()
        let key = try await device.vault.createRecoveryKey(device.proved(Self.password)) { $0.exposedText }
        try await device.vault.confirmRecoveryKey(SecretBytes(text: key), device.proved(Self.password))
        try await device.account.close(SecretBytes(text: Self.password))
        #expect(await device.vault.undeliveredEvents == 0)
        #expect(try await log.kept.records.count == device.vault.trail(limit: .max).count)
        let paths = room.wire.sent.map { $0.auditedDevice == nil ? $0.method.rawValue + " " + $0.path : "events" }
        #expect(paths.suffix(2) == ["events", "DELETE /v1/account"])
        // Later the device is unknown.
        try await device.vault.insecurelyTell(.passwordFailure, times: 1, together: true)
        #expect(await device.account.deliver().words == "unknownDevice")
    }

    @Test(.holds("F-107-10", "A61")) func `a reset delivers first, and says what goes unsent`() async throws {
        let (_, log, device) = try await make()
        try await device.unlock(Self.password)
        #expect(try await device.account.resetAfterDelivery(ResetConfirmation(typed: "RESET")) == 0)
        #expect(log.kept.records.count == 3)
        let (room, _, second) = try await make()
        try await second.unlock(Self.password)
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        #expect(try await second.account.resetAfterDelivery(ResetConfirmation(typed: "RESET")) == 1)
        #expect(await second.vault.snapshot.condition == .resetPending)
    }

    @Test(.holds("F-107-10")) func `a service that never answers is left behind in time`() async throws {
        let (room, _, device) = try await make()
        let transport = AccountTransport(origin: try room.client().transport.origin) {
            _ throws(TransportFailure) in
            try? await Task.sleep(nanoseconds: 60_000_000_000)
            throw .lost
        }
        try await device.vault.insecurelyTell(.passwordFailure, times: 1, together: true)
        let hung = AccountVault(device.vault, over: transport)
        #expect(await hung.deliver(within: Milliseconds(50)).words == "ERR-107-090")
    }

    @Test(.holds("F-107-10"))
    func `where the disk fails behind the answer the records are sent again, and are there once`() async throws {
        let (room, log, device) = try await make()
        await device.vault.close()
        for step in 1...200 {
            let disk = FaultyDisk()
            var configuration = TestVault.configuration()
            configuration.vfs = disk.vfsName
            configuration.deliversBehind = false
            let opened = try await AccountVault.open(
                in: device.folder.file("vault"),
                device: device.device,
                over: room.client().transport,
                patience: 0,
                configuration: configuration
            )
            try await opened.vault.insecurelyTell(.passwordFailure, times: 1, together: true)
            disk.arm(.fail(at: step))
            _ = await opened.deliver()
            let failed = disk.didStop
            disk.disarm()
            _ = await opened.deliver()
            #expect(await opened.vault.undeliveredEvents == 0)
            let records = log.kept.records
            #expect(Set(records.map(\.eventId)).count == records.count)
            await opened.vault.close()
            if !failed { return }
        }
        Issue.record("the disk fails at each step")
    }
}

private struct NotThat: Error {}

extension Shared where Value == Bool {
    /// The value, which is false from then on.
    fileprivate func take() -> Bool {
        let former = value
        value = false
        return former
    }
}

extension Delivery {
    /// How it ended, in a word.
    fileprivate var words: String {
        switch end {
        case .complete: "complete"
        case .halted(let halt): halt.rawValue
        case .unreadable(let error): "unreadable \(error.code.text)"
        case .failed(let error, let asked):
            error.code.text + (asked.map { " \($0.count / 1_000)" } ?? "")
        }
    }
}

extension Vault {
    /// Waits until nothing is undelivered.
    fileprivate func deliversAll() async throws {
        for _ in 0..<12_000 {
            if undeliveredEvents == 0 { return }
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        Issue.record("\(undeliveredEvents) events still wait")
    }
}

extension TestDevice {
    /// Delivers, and expects that the log has all that the device wrote in this chain.
    fileprivate func sends(to log: TestLog, at place: SourceLocation = #_sourceLocation) async throws {
        #expect(await account.deliver().words == "complete", sourceLocation: place)
        let all = try await vault.trail(limit: .max)
        let device = await vault.account?.device
        let there = log.kept.records.filter { $0.deviceId == device }.suffix(all.count)
        #expect(there.map(\.kind) == all.map(\.kind), sourceLocation: place)
    }

    /// Waits until a delivery behind a call has sent all.
    fileprivate func arrives(in log: TestLog) async throws {
        try await vault.deliversAll()
        try await sends(to: log)
    }

    fileprivate func proved(_ password: String) async throws -> StrongAuthorization {
        try await account.unlock(with: SecretBytes(text: password))
    }
}
