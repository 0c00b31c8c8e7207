import CTLS
import Glibc
import Synchronization

/// A thread that reads and writes for its connections; one loop of a server also accepts them for all.
@safe final class EventLoop: @unchecked Sendable {
    // Safe to share: other threads touch `mail` and `wake` alone, and all else belongs to the loop's own thread.

    private enum Mail: Sendable {
        case connection(Connection)
        case answer(WipedBytes, closes: Bool, token: UInt64)
    }

    private struct Slot {
        var connection: Connection?
        /// How often the slot was given, so that what is said of a former connection reaches no later one.
        var generation: UInt32 = 0
    }

    let core: ServerCore
    private let wake: Descriptor
    private let mail = Monitor<[Mail]>([])
    let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var unfinished: [UInt64] = []
    var listening: Listening?

    init(_ core: ServerCore) throws(HTTPError) {
        guard let wake = Descriptor(tls_make_eventfd()), let poller = Poller(wake: wake) else { throw .noThread }
        self.core = core
        self.wake = wake
        self.poller = poller
    }

    deinit { unsafe buffer.deallocate() }

    /// Gives the loop a connection; any thread may.
    func adopt(_ connection: Connection) { post(.connection(connection)) }

    /// Gives the loop the answer to a request; any thread may.
    func answer(_ bytes: WipedBytes, closes: Bool, token: UInt64) { post(.answer(bytes, closes: closes, token: token)) }

    /// Makes the loop look around; any thread may.
    func awaken() {
        var one: UInt64 = 1
        _ = unsafe write(wake.number, &one, 8)
    }

    /// Runs until the server is stopped.
    func run() {
        var nextSweep = Clock.milliseconds
        while !isDone {
            poller.wait(milliseconds: pause) { event in take(event, at: Clock.milliseconds) }
            let now = Clock.milliseconds
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
    private func post(_ letter: Mail) {
        let isFirst = mail.change { mail in
            mail.append(letter)
            return mail.count == 1
        }
        if isFirst { awaken() }
    }

    /// How long to wait for events.
    private var pause: CInt {
        if !unfinished.isEmpty { return 0 }
        if core.isStopping { return 10 }
        return slots.count == free.count && listening?.pausedSince == nil ? -1 : 250
    }

    private var isDone: Bool {
        guard core.isStopping else { return false }
        if Clock.milliseconds >= core.end.load(ordering: .relaxed) { return true }
        return core.isClosed.load(ordering: .acquiring) && slots.count == free.count && mail.change { $0.isEmpty }
    }

    private func take(_ event: Poller.Event, at now: Int64) {
        switch event.token {
        case Poller.wakeToken:
            var count: UInt64 = 0
            _ = unsafe read(wake.number, &count, 8)
        case Poller.listenerToken: acceptSome(at: now)
        default:
            guard let connection = connection(event.token) else { return }
            event.isEnd ? drop(event.token) : advance(connection, event.token, at: now)
        }
    }

    private func takeMail(at now: Int64) {
        let letters = mail.change { mail in
            let letters = mail
            mail = []
            return letters
        }
        for letter in letters {
            switch letter {
            case .connection(let connection): enter(connection, at: now)
            case .answer(let bytes, let closes, let token):
                guard let connection = connection(token) else { continue }
                connection.answer(bytes, closes: closes, at: now)
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
        slots[index].generation &+= 1
        slots[index].connection = connection
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
        let outcome = unsafe connection.advance(at: now, buffer: buffer) { request, closes, omitsBody in
            let job = WorkQueue.Job(request: request, closes: closes, omitsBody: omitsBody, loop: self, token: token)
            return core.queue.add(job)
        }
        switch outcome {
        case .waits: break
        case .hasMore: unfinished.append(token)
        case .ended: drop(token)
        }
    }

    /// Lets go of a connection, which closes it.
    private func drop(_ token: UInt64) {
        let index = Int(token & 0xFFFF_FFFF)
        slots[index].connection = nil
        free.append(index)
    }

    private func sweep(at now: Int64) {
        lookAfterListener(at: now)
        for index in slots.indices {
            guard let connection = slots[index].connection else { continue }
            let token = UInt64(slots[index].generation) << 32 | UInt64(index)
            // What came before the stop is read before an idle connection is closed.
            if core.isStopping { advance(connection, token, at: now) }
            guard slots[index].connection != nil else { continue }
            switch connection.expire(at: now) {
            case .waits: break
            case .hasMore: advance(connection, token, at: now)
            case .ended: drop(token)
            }
        }
    }

    private func finish() {
        closeListener()
        let isCutOff = slots.contains { $0.connection?.isBusy == true }
        if isCutOff { core.wasCutOff.store(true, ordering: .relaxed) }
        slots = []
    }
}
