import Foundation
import Testing
import Thumbturn
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnAccount
@testable import ThumbturnService

/// An account's service with its own ledger, what befalls it, and what devices wrote meanwhile.
private final class Life {
    static let password = AccountClientTests.old

    let room: AccountRoom
    private let folder: TemporaryFolder
    private var ledger: AuditLedger?
    /// The ids of all events that any device wrote, as their own exports have them.
    private(set) var written: Set<String> = []

    init() throws {
        (room, folder) = (try AccountRoom(), try TemporaryFolder())
        _ = try ServiceName.establish(AccountRoom.origin, in: room.location.open())
    }

    deinit { ledger?.stop() }

    /// Makes a key of the log; returns its place and its public half.
    func key(_ name: String) throws -> (place: SignerLocation, publicKey: [UInt8]) {
        let path = folder.file("\(name).pem")
        return (.file(path), try SignerLocation.make(at: path))
    }

    func stop() throws {
        ledger?.stop()
        ledger = nil
        try room.serve(nil)
    }

    /// Starts the logs of the database, with keys that sign them.
    func start(_ keys: [SignerLocation]) throws {
        try stop()
        let plan = try AuditLedger.establish(1, in: room.location.open())
        let service = room.service
        let ledger = AuditLedger(
            plan,
            of: AccountRoom.origin,
            at: room.location,
            log: ServiceLog { _ in },
            clock: service.clock
        )
        try #require(ledger.start(keys.map(\.opening)))
        self.ledger = ledger
        try room.serve(ledger)
        for _ in 0..<500 {
            if plan.logs.allSatisfy({ ledger.face(of: $0) != nil }) { return }
            usleep(10_000)
        }
        throw StoreError.unavailable
    }

    /// Notes what a device has written, in both chains that it keeps.
    func note(_ device: TestDevice) async throws {
        for former in [false, true] {
            let lines = Lines()
            do {
                try await device.vault.exportTrail(device.proved(), former: former) { lines.add($0) }
            } catch let error as VaultError where former && error.code == .keyMissing { continue }
            let ids = try Self.events(in: lines.bytes)
            #expect(!ids.isEmpty)
            written.formUnion(ids)
        }
    }

    /// Delivers all that a device has.
    func deliver(_ device: TestDevice, at place: SourceLocation = #_sourceLocation) async throws {
        let delivery = await device.account.deliver()
        guard case .complete = delivery.end else {
            Issue.record("\(delivery)", sourceLocation: place)
            return
        }
        #expect(await device.vault.undeliveredEvents == 0, sourceLocation: place)
    }

    /// Writes a log's export.
    func export(_ log: Int64) throws -> (path: String, bytes: [UInt8]) {
        var export = try LogExport(of: log, in: room.location.open())
        var bytes: [UInt8] = []
        while let lines = try export.lines() { bytes += lines }
        let path = folder.file("log\(log).jsonl")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return (path, bytes)
    }

    /// Waits until a log has an entry that the service itself makes, a moment after its cause.
    func waitForEntry(_ type: String, in log: Int64) throws {
        for _ in 0..<500 {
            if try String(decoding: export(log).bytes, as: UTF8.self).contains(type) { return }
            usleep(10_000)
        }
        throw StoreError.unavailable
    }

    func pem(_ name: String, _ publicKey: [UInt8]) throws -> String {
        let path = folder.file("\(name).pub")
        try Data(PEM.text(publicKey, labelled: "PUBLIC KEY")).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The events of the uploads that forked a chain, which the service keeps.
    func forked() throws -> [String] {
        let bodies = try room.location.open().reading { transaction throws(StoreError) in
            try transaction.rows("SELECT body FROM forks").map { row throws(StoreError) in try row.blob(0) }
        }
        return try bodies.flatMap { try Self.events(in: $0) }
    }

    /// The ids of the events in lines of an upload or of an export.
    static func events(in bytes: [UInt8]) throws -> [String] {
        try bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let json = try JSON(reading: Array(line), byteLimit: 1 << 16)
            return (json["record"] ?? json)["eventId"]?.text
        }
    }
}

private final class Lines: @unchecked Sendable {
    // Safe to share: one export at a time writes.
    private(set) var bytes: [UInt8] = []

    func add(_ line: [UInt8]) { bytes += line }
}

extension TestDevice {
    @discardableResult
    fileprivate func proved() async throws -> StrongAuthorization {
        await vault.lock()
        return try await account.unlock(with: SecretBytes(text: Life.password))
    }
}

@Suite("A whole life of two devices", .serialized, .timeLimit(.minutes(5))) struct WholeLifeTests {
    @Test(.holds("F-107-10", "INV-107-10", "P-107-05", "P-107-09", "A42", "A45", "SVC-23"))
    func `what two devices wrote is in a log or kept with its fork, whatever befell them and their service`()
        async throws
    {
        let life = try Life()
        let room = life.room
        let (old, new) = (try life.key("old"), try life.key("new"))
        try life.start([old.place])
        let first = try await TestDevice.make(in: room, Life.password, registering: true)
        var second = try await TestDevice.make(in: room, Life.password, registering: false)
        for device in [first, second] {
            try await device.enableBiometrics(Life.password)
            try await life.deliver(device)
        }

        // Offline.
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        for device in [first, second] {
            try await device.touch()
            #expect(await device.account.deliver().count == 0)
            #expect(await device.vault.undeliveredEvents == 1)
        }
        room.wire.through(nil)
        for device in [first, second] { try await life.deliver(device) }

        // An answer that is lost after the commit.
        try await life.note(first)
        room.wire.through { sent, forward throws(TransportFailure) in
            let answer = forward(sent)
            guard sent.auditedDevice == nil else { throw .lost }
            return answer
        }
        #expect(await first.account.deliver().count == 0)
        room.wire.through(nil)
        try await life.deliver(first)

        // Another key signs, first beside the former one.
        for keys in [[new.place, old.place], [new.place]] {
            try life.start(keys)
            try await life.note(first)
            try await life.deliver(first)
        }

        // The whole home of a device is put back.
        try await life.note(second)
        try await life.deliver(second)
        let (home, state) = (try FolderImage(of: second.folder.file("vault")), second.simulated.clone())
        try await life.note(second)
        try await life.deliver(second)
        await second.vault.close()
        try home.restore(to: second.folder.file("vault"))
        second = try await second.reopened(in: room, seenAs: state.device)
        try await life.note(second)
        try await life.deliver(second)
        #expect(try await second.vault.trail(limit: 1).first?.reason == "putBack")
        try await life.note(second)
        let forked = try life.forked()
        #expect(!forked.isEmpty && life.written.isSuperset(of: forked))

        // The service's database is put back, and lacks what was acknowledged since.
        try life.stop()
        let backup = try FolderImage(of: room.data)
        try life.start([new.place])
        for device in [first, second] {
            try await life.note(device)
            try await life.deliver(device)
        }
        let former = try life.export(0)
        try life.stop()
        try backup.restore(to: room.data)
        _ = try Restoration.run(in: room.location.open(), room.keys)
        try life.start([new.place])
        for device in [first, second] {
            try await device.proved()
            try await life.deliver(device)
        }

        // Revoked: it still delivers.
        try await second.enableBiometrics(Life.password)
        try await life.note(second)
        let id = try #require(await second.vault.account?.device)
        _ = try await first.account.revoke(id.text, SecretBytes(text: Life.password))
        #expect(await refusal { try await second.account.contact() } == .securityEventMissing)
        try life.waitForEntry("DEVICE_REVOKED", in: 1)
        try await life.deliver(second)

        // Closed, which delivers first.
        let key = try await first.vault.createRecoveryKey(first.proved()) { $0.exposedText }
        try await first.vault.confirmRecoveryKey(SecretBytes(text: key), first.proved())
        try await life.note(first)
        try await first.account.close(SecretBytes(text: Life.password))
        #expect(await first.vault.undeliveredEvents == 0)

        let next = try life.export(1)
        var found = Set(forked)
        for (path, bytes) in [former, next] {
            let ids = try Life.events(in: bytes)
            #expect(Set(ids).count == ids.count, "each is there once")
            found.formUnion(ids)
            try verify(path, bytes, [old.publicKey, new.publicKey], in: life)
        }
        #expect(life.written.count > 30 && life.written.isSubset(of: found), "\(life.written.subtracting(found))")
        // What was acknowledged behind the backup is in the next log too, since the devices kept it.
        #expect(try LedgerCheck.run(in: room.location.open())?.isRight == true)
    }

    /// Verifies an export with both readers.
    private func verify(_ path: String, _ bytes: [UInt8], _ keys: [[UInt8]], in life: Life) throws {
        var rest: [UInt8]? = bytes
        let verdict = ExportVerifier.verify(pinned: keys) { () throws(Never) in rest.take() }
        guard case .success(.ledger(let summary)) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        let remarks = Set(summary.remarks.map(\.word))
        let isFirst = summary.origin == AccountRoom.origin
        let expected: Set = isFirst ? ["forked"] : ["restored", "revoked"]
        #expect(summary.isPinned && remarks.isSuperset(of: expected), "\(remarks)")
        #expect(summary.keys.count == (isFirst ? 2 : 1))
        let python = "/usr/bin/python3"
        guard try Command(python, "-c", "import cryptography").status == 0 else { return }
        var words = [python, "-B", VectorFolder.own + "/../../Examples/verify_audit.py", path]
        for (place, key) in keys.enumerated() { words += ["--key", try life.pem("key\(place)", key)] }
        let told = try Command(words)
        #expect(told.status == 0, "\(told.text)")
    }
}

extension LedgerRemark {
    fileprivate var word: String {
        switch self {
        case .revoked: "revoked"
        case .forked: "forked"
        case .cut: "cut"
        case .diverged: "diverged"
        case .restored: "restored"
        case .older: "older"
        }
    }
}
