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

/// A signer whose token a test can take away.
final class TestSigner: Sendable {
    // Safe to share: a signature changes nothing of the key.
    nonisolated(unsafe) private let key: TestDevice
    /// While it is gone, a signature fails.
    let isGone = Mutex(false)
    /// How long a signature takes.
    let milliseconds = Mutex<UInt32>(0)
    let count = Mutex(0)

    init() { unsafe key = TestDevice() }

    var publicKey: [UInt8] { unsafe key.publicKey }

    /// The key as a client trusts it.
    var auditKey: AuditKey {
        get throws { try AuditKey(publicKey: publicKey, from: 0) }
    }

    /// Finds the key, as a program does.
    var opened: OpensSigner {
        { () throws(SignerError) in Opened(signer: self) }
    }

    private final class Opened: LedgerSigner {
        let signer: TestSigner

        init(signer: TestSigner) { self.signer = signer }

        var publicKey: [UInt8] { signer.publicKey }

        func sign(_ message: [UInt8]) throws(SignerError) -> [UInt8] {
            guard !signer.isGone.withLock({ $0 }) else { throw .gone }
            let pause = signer.milliseconds.withLock { $0 }
            if pause > 0 { usleep(pause * 1_000) }
            signer.count.withLock { $0 += 1 }
            return unsafe signer.key.sign(message)
        }
    }
}

/// A running ledger over a database of its own.
final class LedgerRoom: Sendable {
    static let origin = ServiceRoom.origin

    let room: StoreRoom
    let plan: LedgerPlan
    let signer: TestSigner
    let ledger: AuditLedger
    let clock: TestClock
    let lines = Lines()

    convenience init(_ backing: Backing = .sqlite, logs count: Int = 1) throws {
        let room = try StoreRoom(backing)
        try self.init(room, AuditLedger.establish(count, in: room.open()), TestSigner(), TestClock())
    }

    init(
        _ room: StoreRoom,
        _ plan: LedgerPlan,
        _ signer: TestSigner,
        _ clock: TestClock,
        former: TestSigner? = nil,
        keeping heads: HeadFile? = nil
    ) {
        (self.room, self.plan, self.signer, self.clock) = (room, plan, signer, clock)
        let lines = lines
        ledger = AuditLedger(
            plan,
            of: Self.origin,
            at: room.location,
            keeping: heads,
            log: ServiceLog { line in lines.add(line) },
            clock: { clock.now }
        )
        #expect(ledger.start([signer.opened] + (former.map { [$0.opened] } ?? [])))
    }

    deinit { ledger.stop() }

    /// Another instance over the same database.
    func instance(_ signer: TestSigner? = nil, former: TestSigner? = nil) -> LedgerRoom {
        LedgerRoom(room, plan, signer ?? self.signer, clock, former: former)
    }

    /// Sends an upload, and waits for the answer.
    func send(_ incoming: IncomingUpload) -> HTTPResponse {
        HTTPAnswer.later { [ledger] reply in ledger.take(incoming, reply: reply) }.wait()
    }

    /// Sends an upload, and verifies its receipt.
    @discardableResult
    func receipt(_ incoming: IncomingUpload, since former: AuditCheckpoint? = nil) throws -> AuditReceipt {
        let response = send(incoming)
        try #require(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        let receipt = try AuditReceipt(reading: response.body)
        _ = try receipt.verify(
            incoming.upload,
            last: try #require(incoming.records.last),
            under: [signer.auditKey],
            origin: plan.origin(of: plan.log(of: incoming.user), of: Self.origin),
            since: former
        )
        return receipt
    }

    /// Waits until a log's head of at least this size is signed.
    @discardableResult
    func waitForSigned(_ size: UInt64, log: Int64 = 0) throws -> LogFace {
        for _ in 0..<500 {
            if let face = ledger.face(of: log), face.size >= size { return face }
            usleep(10_000)
        }
        throw StoreError.unavailable
    }

    /// The leaves of a log in order.
    func leaves(log: Int64 = 0) throws -> [[UInt8]] {
        try room.open().reading { transaction throws(StoreError) in
            try transaction.rows("SELECT leaf FROM leaves WHERE log = $1 ORDER BY idx", .integer(log)).map {
                row throws(StoreError) in
                try row.blob(0)
            }
        }
    }
}

/// A device with a chain that grows.
final class TestTrail {
    let user: Identifier
    let device: TestDevice
    let epoch = Identifier.make()
    private(set) var records: [AuditRecord] = []
    private var chain: AuditChain

    init(of user: Identifier = .make(), device: TestDevice = TestDevice()) throws {
        (self.user, self.device) = (user, device)
        chain = AuditChain(
            deviceId: try #require(Identifier(text: device.id)),
            epoch: epoch,
            publicKey: device.publicKey
        )
    }

    /// The same chain up to a record, to go on in another way.
    init(_ trail: TestTrail, upTo count: Int) throws {
        (user, device) = (trail.user, trail.device)
        chain = AuditChain(deviceId: trail.chain.deviceId, epoch: trail.epoch, publicKey: device.publicKey)
        fork = trail.epoch
        for record in trail.records.prefix(count) {
            try chain.take(record)
            records.append(record)
        }
    }

    private var fork: Identifier?

    var chainName: Chain.Name { Chain.Name(device: chain.deviceId, epoch: chain.epoch) }

    /// Adds records.
    @discardableResult
    func grow(_ count: Int, reason: String? = nil) throws -> TestTrail {
        for _ in 0..<count {
            let record = try AuditRecord(
                eventId: Identifier(uuid7At: Milliseconds(1_700_000_000_000), random: .make()),
                kind: .passwordFallback,
                userId: user.text,
                deviceId: chain.deviceId,
                at: Milliseconds(1_700_000_000_000 + Int64(chain.next)),
                epoch: chain.epoch,
                seq: chain.next,
                payload: AuditPayload(reason: reason),
                previous: chain.head
            )
            try chain.take(record)
            records.append(record)
        }
        return self
    }

    /// An upload of a range of records, signed.
    func upload(
        _ range: Range<Int>,
        origin: String = LedgerRoom.origin,
        since: UInt64? = nil
    ) throws -> IncomingUpload {
        let part = Array(records[range])
        let upload = try AuditUpload(
            deviceId: chain.deviceId,
            epoch: chain.epoch,
            firstSeq: part[0].seq,
            lastSeq: part[part.count - 1].seq,
            headHash: part[part.count - 1].hash,
            sentAt: Milliseconds(1_700_000_000_000),
            nonce: RandomBytes.make(16)
        )
        return IncomingUpload(
            upload: upload,
            signature: device.sign(upload.message(origin: origin)),
            records: part,
            user: user,
            publicKey: device.publicKey,
            since: since
        )
    }
}

extension HTTPResponse {
    var json: JSON? { try? JSON(reading: body, byteLimit: body.count) }

    /// The code of a problem.
    var code: String? { json?["code"]?.text }
}
