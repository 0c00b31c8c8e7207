import ThumbturnAudit
import ThumbturnFiles
import ThumbturnJSON
import ThumbturnRules

/// Writes one log, on a thread with a connection to the store of its own (`server.md` §2.5 is its model: a batch is what
/// waits, and the next one gathers while one commits).
///
/// Of an upload: it waits in `queue`, is in `writing` during the transaction, and in `stored` until a head that covers it
/// is signed and the signature stored. Then it is answered.
final class Sequencer: @unchecked Sendable {
    // Safe to share: other threads use `desk`, `face` and `signing`; everything else belongs to the sequencer's thread.

    /// How long an upload waits at most.
    static let patience: Int64 = 5_000
    /// The most uploads and entries of a transaction.
    private static let batch = 1_024
    /// What may wait: beyond it uploads are refused.
    private static let mostWaiting = 8_192
    private static let mostBytes = 256 << 20
    /// How often the outbox is looked at.
    private static let outboxPause: Int64 = 1_000

    struct Stored: Sendable {
        let upload: PendingUpload
        let place: PendingUpload.Place
        /// The size of the first head that covers it.
        let size: UInt64
    }

    struct Desk {
        var queue: [LedgerWork] = []
        var byteCount = 0
        var writing: [PendingUpload] = []
        var stored: [Stored] = []
        var signed: SignedHead?
        /// The keys that sign; nil until the signers were found.
        var keys: [[UInt8]]?
        var isStopping = false
    }

    let log: Int64
    let origin: String
    let location: StoreLocation
    let records: ServiceLog
    let clock: @Sendable () -> ServiceTime
    let desk = Monitor(Desk())
    /// What readers get without asking the store; nil until the log was read.
    let face = Monitor<LogFace?>(nil)
    private(set) var signing: LedgerSigning?

    var machine = SequencerMachine()
    var state: LogState?
    var memory = LogMemory()
    /// The keys that sign; empty until the signers were found.
    var keys: [[UInt8]] = []
    var store: (any Store)?
    /// The signed head that came last.
    private var signature: SignedHead?
    /// What could not be written, to be tried again first.
    var retried: [LedgerWork] = []
    /// How many transactions in a row failed.
    var failures = 0
    private var nextOutbox: Int64 = 0

    init(
        _ log: Int64,
        origin: String,
        at location: StoreLocation,
        records: ServiceLog,
        clock: @escaping @Sendable () -> ServiceTime
    ) {
        (self.log, self.origin, self.location) = (log, origin, location)
        (self.records, self.clock) = (records, clock)
    }

    /// Starts both threads.
    ///
    /// - Returns: the sequencer's, to be joined once it was told to stop; nil if the system grants none.
    func start(_ signers: [OpensSigner], witness: WitnessLocation?) -> SystemThread? {
        let signing = LedgerSigning(signers, witness: witness, log: records) { [weak self] word in
            self?.desk.change { desk in
                switch word {
                case .keys(let keys): desk.keys = keys
                case .signed(let signed): desk.signed = signed
                }
            }
        }
        self.signing = signing
        guard signing.start() else { return nil }
        return SystemThread { self.run() }
    }

    func stop() {
        desk.change(wakingAll: true) { $0.isStopping = true }
        signing?.stop()
    }

    /// Adds an upload or a rejection, from any thread.
    ///
    /// - Returns: whether there is room for it.
    func add(_ work: LedgerWork) -> Bool {
        desk.change { desk in
            guard !desk.isStopping, desk.queue.count < Self.mostWaiting, desk.byteCount < Self.mostBytes else {
                return false
            }
            desk.queue.append(work)
            desk.byteCount += work.byteCount
            return true
        }
    }

    /// Answers what has waited too long, from any thread: neither the store nor the signer may hold a client up.
    func answerOverdue(at now: Int64) {
        func isOverdue(_ upload: PendingUpload) -> Bool { upload.deadline <= now }
        let (refused, postponed) = desk.change { desk -> ([PendingUpload], [PendingUpload]) in
            let waiting = desk.queue.filter { $0.upload.map(isOverdue) ?? false }
            if !waiting.isEmpty {
                desk.queue.removeAll { $0.upload.map(isOverdue) ?? false }
                desk.byteCount -= waiting.reduce(0) { $0 + $1.byteCount }
            }
            let postponed = desk.stored.map(\.upload).filter(isOverdue)
            if !postponed.isEmpty { desk.stored.removeAll { isOverdue($0.upload) } }
            return (desk.writing.filter(isOverdue) + waiting.compactMap(\.upload), postponed)
        }
        for upload in refused { upload.refuse(.wait(.seconds(1), .storeUnavailable)) }
        for upload in postponed { upload.postpone() }
    }
}

// The loop.
extension Sequencer {
    private func run() {
        while !desk.change({ $0.isStopping }) {
            do throws(StoreError) { try advance() } catch { rest(after: error) }
        }
        store?.close()
    }

    private func advance() throws(StoreError) {
        if machine.head == nil { try load() }
        try handToSigner()
        // Nothing that may fail comes between what is taken from the desk and its writing.
        let entries = try outbox()
        let input = take(waiting: entries.isEmpty)
        if let keys = input.keys { self.keys = keys }
        if let signed = input.signed {
            machine.signed()
            signature = signed
        }
        let hasWork = !input.work.isEmpty || !entries.isEmpty || announces
        guard case .write(let size) = machine.next(hasWork: hasWork) else { return }
        try write(input.work, entries, size == nil ? nil : signature)
    }

    private struct Input {
        var work: [LedgerWork] = []
        var signed: SignedHead?
        var keys: [[UInt8]]?
    }

    /// Takes what there is to do.
    ///
    /// - Parameter waits: whether to wait for something, at most until the outbox is looked at again.
    private func take(waiting waits: Bool) -> Input {
        let most = failures > 1 ? 1 : Self.batch
        var input = Input()
        if !retried.isEmpty {
            input.work = Array(retried.prefix(most))
            retried.removeFirst(input.work.count)
        }
        let isReady = !waits || !input.work.isEmpty || announces
        let others = retried.compactMap(\.upload)
        let taken = desk.wait(until: nextOutbox) { desk -> Input? in
            guard isReady || desk.isStopping || !desk.queue.isEmpty || desk.signed != nil || desk.keys != nil
            else { return nil }
            var input = input
            if input.work.isEmpty {
                input.work = Array(desk.queue.prefix(most))
                desk.queue.removeFirst(input.work.count)
                desk.byteCount -= input.work.reduce(0) { $0 + $1.byteCount }
            }
            (input.signed, desk.signed) = (desk.signed, nil)
            (input.keys, desk.keys) = (desk.keys, nil)
            // Those that are tried again later have to be answered in time too.
            desk.writing = input.work.compactMap(\.upload) + others
            return input
        }
        return taken ?? input
    }

    /// Hands the signer what is not signed yet, once the log knows its keys.
    func handToSigner() throws(StoreError) {
        guard let state, isTrusted, !announces, machine.takeUnsigned() != nil else { return }
        let later = state.keys.filter { $0.position > 0 && $0.from == nil }.map(\.publicKey)
        signing?.sign(try state.head.checkpoint, naming: later.filter(keys.contains))
    }

    /// Whether a key of this instance's is unknown to its log, which may be told of it.
    var announces: Bool {
        guard let state, isTrusted, machine.head != nil else { return false }
        return keys.contains { key in !state.keys.contains { $0.publicKey == key } }
    }

    /// Whether the log may be signed by these keys: its first, or such as one that signs already vouches for.
    private var isTrusted: Bool {
        guard let state, !keys.isEmpty else { return false }
        return !state.keys.contains { $0.from != nil }
            || state.keys.contains { $0.from != nil && keys.contains($0.publicKey) }
    }

    /// Waits a moment, since store or network need one, and reads the log anew.
    private func rest(after error: StoreError) {
        machine.missed()
        failures += 1
        if failures == 1 {
            records.record(
                .warning,
                "log not written",
                at: clock(),
                [("log", .integer(log)), ("error", .string("\(error)"))]
            )
        }
        let pause = min(50 << min(failures, 5), 1_000)
        _ = desk.wait(until: MonotonicClock.milliseconds + Int64(pause)) { $0.isStopping ? true : nil }
    }

    private func load() throws(StoreError) {
        let store = try opened()
        let (log, origin) = (log, origin)
        var loaded = try store.reading { transaction throws(StoreError) in try LogState(log, transaction) }
        if loaded == nil {
            loaded = try store.transaction { transaction throws(StoreError) in
                if let found = try LogState(log, transaction) { return found }
                try LogHead.empty(log, origin: origin).insert(transaction)
                return try LogState(log, transaction)
            }
        }
        guard let loaded, loaded.head.origin == origin, !loaded.head.isEnded else { throw .unavailable }
        (state, memory) = (loaded, LogMemory())
        machine.loaded(SequencerMachine.Head(loaded.head))
        try publish()
        try answerStored()
    }

    func opened() throws(StoreError) -> any Store {
        if let store { return store }
        let opened = try location.open(making: false)
        store = opened
        return opened
    }

    private func outbox() throws(StoreError) -> [(number: Int64, entry: LedgerEntry)] {
        guard let state, MonotonicClock.milliseconds >= nextOutbox else { return [] }
        let (log, taken) = (log, state.head.outbox)
        let entries = try opened().reading { transaction throws(StoreError) in
            try Outbox.entries(of: log, behind: taken, transaction)
        }
        if entries.count < Int(Outbox.mostEntries) { nextOutbox = MonotonicClock.milliseconds + Self.outboxPause }
        return entries
    }
}

extension SequencerMachine.Head {
    init(_ head: LogHead) { self.init(size: head.size, signed: head.signed) }
}

extension LedgerWork {
    var upload: PendingUpload? {
        guard case .upload(let upload) = self else { return nil }
        return upload
    }
}
