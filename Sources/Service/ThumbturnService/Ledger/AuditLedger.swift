import ThumbturnAudit
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

/// The service's audit logs: one, or several that share the accounts (F-107-10).
package final class AuditLedger: Sendable {
    /// How many logs there are.
    package let plan: LedgerPlan
    /// The service's name.
    let service: String
    private let heads: HeadFile?
    private let records: ServiceLog
    private let clock: @Sendable () -> ServiceTime
    private let sequencers: [Int64: Sequencer]
    private let nonces = NonceMemory()
    private let threads = Monitor<[SystemThread]>([])
    private let isStopping = Monitor(false)

    /// Creates the logs of a service; nothing runs before `start`.
    ///
    /// - Parameters:
    ///   - plan: as `establish` found it.
    ///   - service: the service's name.
    ///   - heads: where the newest signed heads are kept beside the database.
    package init(
        _ plan: LedgerPlan,
        of service: String,
        at location: StoreLocation,
        keeping heads: HeadFile? = nil,
        log records: ServiceLog,
        clock: @escaping @Sendable () -> ServiceTime = ServiceTime.now
    ) {
        (self.plan, self.service, self.heads) = (plan, service, heads)
        (self.records, self.clock) = (records, clock)
        let logs = plan.logs.map { log in
            Sequencer(log, origin: plan.origin(of: log, of: service), at: location, records: records, clock: clock)
        }
        sequencers = Dictionary(uniqueKeysWithValues: logs.map { ($0.log, $0) })
    }

    /// Starts the threads of each log, one that answers what waits too long, and one that keeps heads.
    ///
    /// - Parameter signers: where the keys are, the newest first.
    /// - Returns: whether the system granted them all.
    package func start(_ signers: [OpensSigner], witness: WitnessLocation? = nil) -> Bool {
        for sequencer in sequencers.values {
            guard let thread = sequencer.start(signers, witness: witness) else { return false }
            threads.change { $0.append(thread) }
        }
        guard let overdue = SystemThread({ self.answerOverdue() }), let keeper = SystemThread({ self.keepHeads() })
        else { return false }
        threads.change { $0 += [overdue, keeper] }
        return true
    }

    /// Ends the threads; what is not answered by then never will be.
    package func stop() {
        isStopping.change(wakingAll: true) { $0 = true }
        for sequencer in sequencers.values { sequencer.stop() }
        let running = threads.change { threads in
            defer { threads = [] }
            return threads
        }
        for thread in running { thread.join() }
        // What was signed since the last look.
        if !running.isEmpty { _ = keep(signedHeads) }
    }

    private var signedHeads: [AuditCheckpoint] { plan.logs.compactMap { face(of: $0)?.note.checkpoint } }

    /// Keeps the newest signed heads, at most once a second and on a thread of its own: no batch waits for that.
    private func keepHeads() {
        var kept: [AuditCheckpoint] = []
        var failure: FileError?
        while isStopping.wait(until: MonotonicClock.milliseconds + 1_000, { $0 ? true : nil }) == nil {
            let signed = signedHeads
            guard signed != kept else { continue }
            let former = failure
            failure = keep(signed)
            if failure == nil { kept = signed }
            guard let failure, failure != former else { continue }
            records.record(.warning, "heads not kept", at: clock(), [("error", .string("\(failure)"))])
        }
    }

    /// - Returns: why they are not in the file.
    private func keep(_ signed: [AuditCheckpoint]) -> FileError? {
        do throws(FileError) { try heads?.keep(signed) } catch { return error }
        return nil
    }

    private func answerOverdue() {
        while isStopping.wait(until: MonotonicClock.milliseconds + 100, { $0 ? true : nil }) == nil {
            for sequencer in sequencers.values { sequencer.answerOverdue(at: MonotonicClock.milliseconds) }
        }
    }

    /// What this instance shows of a log; nil while it could not read it.
    func face(of log: Int64) -> LogFace? { sequencers[log]?.face.change { $0 } ?? nil }

    /// The name of an account's log, which its devices sign.
    func origin(of user: Identifier) -> String { plan.origin(of: plan.log(of: user), of: service) }

    /// The former names of an account's log, from before a `restored`.
    func formerOrigins(of user: Identifier) -> [String] {
        (0..<plan.generation).map { generation in
            let former = LedgerPlan(count: plan.count, generation: generation)
            return former.origin(of: former.log(of: user), of: service)
        }
    }

    /// The log of an account as its clients get it: name and keys; nil while this instance could not read it.
    func keys(of user: Identifier) -> AuditKeys? { face(of: plan.log(of: user))?.keys }
}

// What devices send.
extension AuditLedger {
    /// Takes an upload to its log; it is answered within five seconds.
    func take(_ incoming: IncomingUpload, reply: HTTPReply) {
        let upload = PendingUpload(
            incoming,
            deadline: MonotonicClock.milliseconds + Sequencer.patience,
            reply: reply
        )
        guard let sequencer = sequencers[plan.log(of: incoming.user)], sequencer.add(.upload(upload)) else {
            return upload.refuse(.wait(.seconds(2), .busy))
        }
    }

    /// Remembers that an upload of a device was refused.
    func take(_ rejection: LedgerWork.Rejection, of user: Identifier) {
        _ = sequencers[plan.log(of: user)]?.add(.rejected(rejection))
    }

    /// - Returns: whether this instance has not seen the nonce of late.
    func isNew(_ nonce: [UInt8], of device: Identifier) -> Bool { nonces.add(nonce, of: device) }
}

// The database's part.
extension AuditLedger {
    /// Returns the plan of a database; one without a ledger gets one, whose logs begin with an entry for each listed
    /// device.
    ///
    /// - Parameter count: the number of logs of a new ledger.
    package static func establish(_ count: Int, in store: any Store) throws(StoreError) -> LedgerPlan {
        try store.transaction { transaction throws(StoreError) in
            if let plan = try LedgerPlan.read(transaction) { return plan }
            let plan = LedgerPlan(count: count)
            try plan.write(transaction)
            for log in plan.logs { try Outbox.begin(log, transaction) }
            try putListedDevices(plan, transaction)
            return plan
        }
    }

    /// Whether each log may be signed by these keys: it has none yet, or knows one of them.
    package static func knows(_ keys: [[UInt8]], _ plan: LedgerPlan, in store: any Store) throws(StoreError) -> Bool {
        try store.reading { transaction throws(StoreError) in
            for log in plan.logs {
                let signing = try LogKey.all(of: log, transaction).filter { $0.from != nil }
                guard signing.isEmpty || signing.contains(where: { keys.contains($0.publicKey) }) else { return false }
            }
            return true
        }
    }

    /// Puts an entry for each device that is listed into the outbox of its log.
    static func putListedDevices(_ plan: LedgerPlan, _ transaction: any StoreTransaction) throws(StoreError) {
        var last: [UInt8] = []
        while true {
            let rows = try transaction.rows(
                """
                SELECT device_id, user_id, public_key FROM devices
                WHERE device_id > $1 AND revoked_at IS NULL ORDER BY device_id LIMIT 1000
                """,
                .blob(last)
            )
            for row in rows {
                last = try row.blob(0)
                guard let device = Identifier(bytes: last), let user = Identifier(bytes: try row.blob(1)) else {
                    throw .damaged
                }
                try Outbox.put(
                    .enrolled(device, of: user, publicKey: try row.blob(2)),
                    for: plan.log(of: user),
                    transaction
                )
            }
            guard rows.count == 1_000 else { return }
        }
    }
}
