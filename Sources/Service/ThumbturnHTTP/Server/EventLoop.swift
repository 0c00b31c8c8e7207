import CTLS
import Synchronization
import ThumbturnFiles

/// A thread that reads and writes for its connections; one loop of a server also accepts them for all.
@safe final class EventLoop: @unchecked Sendable {
    // Safe to share: other threads only use `mailbox`; everything else belongs to the loop's own thread.

    /// The state of the loop that accepts connections for all loops.
    struct Listening: ~Copyable {
        let listener: Listener
        /// All loops of the server, which get connections in turn.
        let loops: [EventLoop]
        var next = 0
        /// Since when accepting is paused; `nil` if it is not.
        var pausedSince: Int64?

        init(_ listener: consuming Listener, for loops: [EventLoop]) {
            (self.loops, next) = (loops, 0)
            self.listener = listener
        }
    }

    private struct Slot {
        var connection: Connection?
        /// A number for each connection in a slot, so that messages about a former connection do not reach a later one.
        var generation: UInt32 = 0
    }

    let core: ServerCore
    private let queue: WorkQueue<Job>
    private let mailbox: Mailbox
    let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var nextGeneration: UInt32 = 0
    private var unfinished: [UInt64] = []
    var listening: Listening?

    init(_ core: ServerCore, _ queue: WorkQueue<Job>) throws(HTTPError) {
        guard let mailbox = Mailbox(), let poller = Poller(wake: mailbox.wake) else { throw .noThread }
        self.core = core
        self.queue = queue
        self.mailbox = mailbox
        self.poller = poller
    }

    deinit { unsafe buffer.deallocate() }

    /// Passes a connection to the loop, from any thread.
    func adopt(_ connection: Connection) { mailbox.post(.connection(connection)) }

    /// Wakes the loop, from any thread.
    func awaken() { mailbox.awaken() }

    /// Runs until the server is stopped.
    func run() {
        var nextSweep = MonotonicClock.milliseconds
        while !isDone {
            poller.wait(milliseconds: pause) { event in take(event, at: MonotonicClock.milliseconds) }
            let now = MonotonicClock.milliseconds
            takeMail(at: now)
            takeUnfinished(at: now)
            guard now >= nextSweep || core.isStopping else { continue }
            sweep(at: now)
            nextSweep = now + 250
        }
        finish()
    }
}

extension EventLoop {
    /// How long to wait for events.
    private var pause: CInt {
        if !unfinished.isEmpty { return 0 }
        if core.isStopping { return 10 }
        let isAtRest = slots.count == free.count && listening?.pausedSince == nil
        return isAtRest && !(listening != nil && core.load.mayGiveBack) ? -1 : 250
    }

    private var isDone: Bool {
        guard core.isStopping else { return false }
        if MonotonicClock.milliseconds >= core.end.load(ordering: .relaxed) { return true }
        return core.isClosed.load(ordering: .acquiring) && slots.count == free.count && mailbox.isEmpty
    }

    private func take(_ event: Poller.Event, at now: Int64) {
        switch event.token {
        case Poller.wakeToken: mailbox.fallAsleep()
        case Poller.listenerToken: acceptSome(at: now)
        default:
            guard let connection = connection(event.token) else { return }
            event.isEnd ? drop(event.token) : advance(connection, event.token, at: now)
        }
    }

    private func takeMail(at now: Int64) {
        for letter in mailbox.takeAll() {
            switch letter {
            case .connection(let connection): enter(connection, at: now)
            case .answer(let bytes, let closes, let held, let token):
                guard let connection = connection(token) else { continue }
                connection.answer(bytes, closes: closes, heldFor: held, at: now)
                advance(connection, token, at: now)
            case .refuse(let token):
                guard let connection = connection(token) else { continue }
                connection.refuseHanded(at: now)
                advance(connection, token, at: now)
            }
        }
    }

    private func takeUnfinished(at now: Int64) {
        let tokens = unfinished
        unfinished = []
        for token in tokens {
            guard let connection = connection(token) else { continue }
            advance(connection, token, at: now)
        }
    }

    private func enter(_ connection: Connection, at now: Int64) {
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        nextGeneration &+= 1
        slots[index] = Slot(connection: connection, generation: nextGeneration)
        let token = UInt64(slots[index].generation) << 32 | UInt64(index)
        guard poller.watch(connection: connection.number, token: token) else { return drop(token) }
        advance(connection, token, at: now)
    }

    private func connection(_ token: UInt64) -> Connection? {
        let index = Int(token & 0xFFFF_FFFF)
        guard index < slots.count, slots[index].generation == UInt32(token >> 32) else { return nil }
        return slots[index].connection
    }

    private func advance(_ connection: Connection, _ token: UInt64, at now: Int64) {
        let outcome = unsafe connection.advance(at: now, buffer: buffer) { request, content, closes, omitsBody in
            let recipient = Recipient(mailbox, token: token, content: content, closes: closes, omitsBody: omitsBody)
            let job = Job(request, for: recipient)
            guard let left = queue.add(job, of: job.network) else { return true }
            if left.recipient.isSame(as: recipient) { return false }
            left.recipient.refuse()
            return true
        }
        switch outcome {
        case .waits: break
        case .hasMore: unfinished.append(token)
        case .ended: drop(token)
        }
    }

    /// Releases a connection, which closes it.
    private func drop(_ token: UInt64) {
        let index = Int(token & 0xFFFF_FFFF)
        slots[index].connection = nil
        free.append(index)
    }

    private func sweep(at now: Int64) {
        lookAfterListener(at: now)
        giveBack()
        for index in slots.indices {
            guard let connection = slots[index].connection else { continue }
            let token = UInt64(slots[index].generation) << 32 | UInt64(index)
            // Read what arrived before the stop before closing an idle connection.
            if core.isStopping { advance(connection, token, at: now) }
            guard slots[index].connection != nil else { continue }
            switch connection.expire(at: now) {
            case .waits: break
            case .hasMore: advance(connection, token, at: now)
            case .ended: drop(token)
            }
        }
    }

    /// Frees the memory that a past flood has used.
    private func giveBack() {
        if slots.count >= 256, free.count > slots.count / 4 * 3 {
            while let last = slots.last, last.connection == nil { slots.removeLast() }
            slots = slots.map { $0 }
            free = slots.indices.filter { slots[$0].connection == nil }
        }
        // One loop does this for all.
        guard listening != nil else { return }
        if core.load.takeGivingBack() { tls_trim() }
    }

    private func finish() {
        closeListener()
        let isCutOff = slots.contains { $0.connection?.isBusy == true }
        if isCutOff { core.wasCutOff.store(true, ordering: .relaxed) }
        slots = []
        mailbox.close()
    }
}
