import CTLS
import Glibc
import Synchronization

/// A connection: carries out the orders of its conversation.
///
/// It is used by one thread at a time: first the one that accepted it, then its loop's.
final class Connection: @unchecked Sendable {
    // Safe to send: the accepting thread passes it to its loop's once, through a mutex.

    /// The state of the connection after a step.
    enum Outcome {
        /// It waits for the system, a worker or the clock.
        case waits
        /// It can continue, after other connections had their turn.
        case hasMore
        /// It has ended.
        case ended
    }

    private enum Ending {
        case none
        /// The connection ends after the answer is sent.
        case afterOutput
        /// Further input is discarded, because closing early could keep the client from receiving the answer.
        case lingering(since: Int64, byteCount: Int)
    }

    let peer: PeerAddress
    private let core: ServerCore
    private let place: ConnectionPlace
    private let transport: Transport
    private var opened: Int64
    private var conversation: Conversation
    private var output: WipedBytes?
    private var sentByteCount = 0
    private var outputSince: Int64 = 0
    /// When the connection may continue to write and read; `nil` if it may now.
    private var heldUntil: Int64?
    /// When the answer to the current request may be sent.
    private var answersAt: Int64 = 0
    private var ending = Ending.none
    /// The bytes of an incomplete request's content that are counted.
    private var countedContent = 0

    init(
        _ transport: consuming Transport,
        from peer: PeerAddress,
        core: ServerCore,
        place: ConnectionPlace,
        at now: Int64
    ) {
        (self.peer, self.core, self.place) = (peer, core, place)
        self.transport = transport
        opened = now
        conversation = Conversation(core.limits, at: now)
        keepPace(at: now)
        hold(until: answersAt, at: now)
    }

    deinit {
        conversation.wipe()
        _ = core.countContent(-countedContent)
    }

    var number: CInt { transport.number }

    /// Whether a request or its answer is in progress.
    var isBusy: Bool {
        if case .lingering = ending { return false }
        return !conversation.isIdle || output != nil
    }

    /// Makes as much progress as possible without blocking.
    ///
    /// - Parameters:
    ///   - buffer: memory for reading, which is wiped afterwards.
    ///   - hand: passes a request to the workers, with its content's place; returns false if their queue is full.
    func advance(
        at now: Int64,
        buffer: UnsafeMutableRawBufferPointer,
        hand: (HTTPRequest, ContentPlace, _ closes: Bool, _ omitsBody: Bool) -> Bool
    ) -> Outcome {
        // Limit the rounds, so that a client that keeps sending does not block others.
        for _ in 0..<16 {
            switch flush(at: now) {
            case .ended: return .ended
            case .blocked: return .waits
            case .bytes: break
            }
            if case .lingering = ending { return unsafe linger(at: now, buffer) }
            let order = conversation.next(at: now) { head in
                place.refusal.map { .refused($0) } ?? core.admit(head)
            }
            if carryOut(order, at: now, hand: hand) { continue }
            guard conversation.reads else { return .waits }
            switch unsafe transport.read(into: buffer) {
            case .ended: return .ended
            case .blocked: return .waits
            case .bytes(let count):
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
                unsafe conversation.receive(bytes)
                if let start = buffer.baseAddress { unsafe tls_wipe(start, count) }
            }
        }
        return .hasMore
    }

    /// Queues the answer to the current request.
    ///
    /// - Parameter held: how many milliseconds to delay it; no delay for a trusted proxy, or while the server stops.
    func answer(_ bytes: WipedBytes, closes: Bool, heldFor held: Int64 = 0, at now: Int64) {
        output = bytes
        if !core.isTrusted(peer) { hold(until: max(now + held, answersAt), at: now) }
        (sentByteCount, outputSince) = (0, now)
        count(content: 0)
        conversation.answered(closes: closes, at: now)
        if closes { ending = .afterOutput }
    }

    /// Refuses the current request, for which the queue had no room.
    func refuseHanded(at now: Int64) { refuse(.busy, at: now) }

    /// Handles timeouts; call `advance` afterwards unless the connection has ended.
    func expire(at now: Int64) -> Outcome {
        if case .lingering(let since, _) = ending {
            return now - since > (core.isStopping ? 1_000 : core.limits.lingerMilliseconds) ? .ended : .waits
        }
        if let end = heldUntil {
            guard now >= end || core.isStopping else { return .waits }
            // The time limits of the next step start here, also for a delayed handshake.
            (heldUntil, outputSince, opened) = (nil, now, now)
            return .hasMore
        }
        if output != nil {
            let earned = Int64(1_000 * sentByteCount / core.limits.bytesPerSecond)
            return now - outputSince > core.limits.graceMilliseconds + earned ? .ended : .waits
        }
        if transport.isShaking { return now - opened > core.limits.headMilliseconds ? .ended : .waits }
        if core.isStopping, conversation.isIdle { return .ended }
        let idle = place.refusal != nil ? min(2_000, core.limits.idleMilliseconds) : core.limits.idleMilliseconds
        let order = conversation.expire(at: now, idleMilliseconds: idle)
        if case .close = order { return .ended }
        return carryOut(order, at: now) { _, _, _, _ in false } ? .hasMore : .waits
    }
}

extension Connection {
    /// - Returns: whether there may be more to do before anything else is read.
    private func carryOut(
        _ order: Conversation.Order,
        at now: Int64,
        hand: (HTTPRequest, ContentPlace, Bool, Bool) -> Bool
    ) -> Bool {
        guard count(content: conversation.contentByteCount) else {
            guard case .refuse = conversation.refuse(.busy) else { return true }
            refuse(.busy, at: now)
            return true
        }
        switch order {
        case .wait, .close: return false
        case .sendContinue:
            output = WipedBytes(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            (sentByteCount, outputSince) = (0, now)
        case .hand(let head, let content):
            let closes = !conversation.keepsAlive || core.isStopping
            let place = ContentPlace(content.bytes.count, in: core)
            let request = HTTPRequest(head, content, peer: client(head.headers))
            keepPace(at: now)
            if !hand(request, place, closes, conversation.omitsBody) { refuse(.busy, at: now) }
        case .refuse(let refusal):
            keepPace(at: now)
            refuse(refusal, at: now)
        }
        return true
    }

    private func refuse(_ refusal: Refusal, at now: Int64) {
        let closes = !conversation.keepsAlive || core.isStopping || place.refusal != nil
        let response = core.refuse(refusal, of: peer)
        let bytes = response.wire(closes: closes, omitsBody: conversation.omitsBody, date: time(nil))
        answer(WipedBytes(bytes), closes: closes, heldFor: refusal == .tooManyConnections ? 1_000 : 0, at: now)
    }

    /// Counts the peer's request; delays its answer if the peer is too fast.
    private func keepPace(at now: Int64) {
        if !core.isTrusted(peer) { answersAt = now + core.pace.delay(of: peer.network, at: now) }
    }

    private func hold(until end: Int64, at now: Int64) { if end > now { heldUntil = end } }

    private func client(_ headers: HTTPHeaders) -> PeerAddress {
        peer.client(headers, trusted: core.configuration.trustedProxies)
    }

    /// - Returns: whether the server may buffer this many bytes of content for this connection.
    @discardableResult
    private func count(content byteCount: Int) -> Bool {
        let change = byteCount - countedContent
        countedContent = byteCount
        return core.countContent(change) || change <= 0
    }

    /// Writes pending output; returns `.bytes` once nothing is left.
    private func flush(at now: Int64) -> Transport.Progress {
        if heldUntil != nil { return .blocked }
        while let output, sentByteCount < output.bytes.count {
            let progress = unsafe output.bytes.withUnsafeBytes { bytes in
                unsafe transport.write(UnsafeRawBufferPointer(rebasing: bytes[sentByteCount...]))
            }
            guard case .bytes(let count) = progress else { return progress }
            sentByteCount += count
        }
        output = nil
        if case .afterOutput = ending {
            transport.finishWriting()
            ending = .lingering(since: now, byteCount: 0)
        }
        return .bytes(0)
    }

    private func linger(at now: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        guard case .lingering(let since, var byteCount) = ending else { return .ended }
        for _ in 0..<16 {
            switch unsafe transport.readPlainly(into: buffer) {
            case .ended: return .ended
            case .blocked: return .waits
            case .bytes(let count): byteCount += count
            }
            ending = .lingering(since: since, byteCount: byteCount)
            guard byteCount <= core.limits.lingerBytes else { return .ended }
        }
        return .hasMore
    }
}
