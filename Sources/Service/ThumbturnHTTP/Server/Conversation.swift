/// The protocol of one connection, without input or output: it gets bytes and the time, and says what to do.
///
/// It processes one request at a time: what a client sends ahead waits until the previous answer has been sent.
package struct Conversation: ~Copyable {
    /// An order for the connection.
    package enum Order {
        /// Read more, or wait for a worker.
        case wait
        /// Tell the client to send its content.
        case sendContinue
        /// Pass a request to a worker.
        case hand(RequestHead, content: WipedBytes)
        /// Answer with a refusal.
        case refuse(Refusal)
        /// Close without an answer.
        case close
    }

    private enum Phase {
        case idle, head, content, handed, ended
    }

    private let limits: HTTPLimits
    private var phase = Phase.idle
    private var since: Int64
    private var reader: HeadReader
    private var request: RequestHead?
    private var body: BodyReader?
    private var pending: [UInt8] = []
    private var position = 0

    /// Whether the connection may continue after the current request is answered.
    package private(set) var keepsAlive = true
    /// Whether the answer must not have content.
    private(set) var omitsBody = false

    /// - Parameter now: milliseconds of a monotonic clock.
    package init(_ limits: HTTPLimits, at now: Int64) {
        self.limits = limits
        since = now
        reader = HeadReader(limit: limits.headerBytes)
    }

    /// Whether no part of a request has been received.
    var isIdle: Bool { phase == .idle && pending.isEmpty }

    /// Whether input can be processed now.
    var reads: Bool { phase == .idle || phase == .head || phase == .content }

    var contentByteCount: Int { body?.content.count ?? 0 }

    /// Adds received bytes.
    package mutating func receive(_ bytes: some Collection<UInt8>) { pending.appendWiping(bytes) }

    /// Returns what to do next, based on the bytes received.
    ///
    /// - Parameter admit: decides about a request from its head.
    package mutating func next(at now: Int64, admit: (RequestHead) -> Admission) -> Order {
        do throws(Refusal) {
            while position < pending.count || isContentWhole {
                switch phase {
                case .handed, .ended: return .wait
                case .idle: (phase, since) = (.head, now)
                case .head:
                    guard let head = try readHead() else { return .wait }
                    if let order = try begin(head, at: now, admit) { return order }
                case .content: return try readContent() ? hand() : .wait
                }
            }
            return .wait
        } catch {
            return refuse(error)
        }
    }

    /// Called when the answer has been sent: the next request may start.
    ///
    /// - Parameter closes: whether no further request is allowed.
    package mutating func answered(closes: Bool, at now: Int64) {
        forgetRequest()
        (phase, since) = (closes ? .ended : .idle, now)
        if closes { wipe() }
    }

    /// Returns what to do because of the time alone.
    ///
    /// - Parameter idleMilliseconds: how long the connection may be silent between requests.
    mutating func expire(at now: Int64, idleMilliseconds: Int64) -> Order {
        switch phase {
        case .idle: return now - since > idleMilliseconds ? .close : .wait
        case .head: return now - since > limits.headMilliseconds ? refuse(.timeout) : .wait
        case .content:
            let earned = Int64(1_000 * (body?.byteCount ?? 0) / limits.bytesPerSecond)
            return now - since > limits.graceMilliseconds + earned ? refuse(.timeout) : .wait
        case .handed, .ended: return .wait
        }
    }

    /// Refuses the current request: the bytes after it on the connection can't be interpreted.
    mutating func refuse(_ refusal: Refusal) -> Order {
        phase = .handed
        keepsAlive = false
        return .refuse(refusal)
    }
}

extension Conversation {
    private var isContentWhole: Bool { phase == .content && request?.content == RequestHead.Content.none }

    private mutating func readHead() throws(Refusal) -> RequestHead? {
        defer { if position == pending.count { dropPending() } }
        return try reader.read(pending, from: &position)
    }

    /// - Returns: what to do before the content is read; `nil` to read it.
    private mutating func begin(
        _ head: RequestHead,
        at now: Int64,
        _ admit: (RequestHead) -> Admission
    ) throws(Refusal) -> Order? {
        (keepsAlive, omitsBody) = (head.keepsAlive, head.method == .head)
        request = head
        switch admit(head) {
        case .refused(let refusal):
            // If there is content, it would have to be read to get to the next request.
            phase = .handed
            keepsAlive = keepsAlive && head.content == .none
            return .refuse(refusal)
        case .admitted(let maximum):
            body = try BodyReader(head.content, maximum: maximum, lineLimit: limits.headerBytes)
            (phase, since) = (.content, now)
            return head.expectsContinue && position == pending.count ? .sendContinue : nil
        }
    }

    private mutating func readContent() throws(Refusal) -> Bool {
        defer { if position == pending.count { dropPending() } }
        return try body?.read(pending, from: &position) ?? true
    }

    private mutating func hand() -> Order {
        guard let request, let content = body?.takeContent() else { return .wait }
        phase = .handed
        forgetRequest()
        return .hand(request, content: content)
    }

    private mutating func dropPending() {
        pending.wipe()
        position = 0
    }

    private mutating func forgetRequest() {
        request = nil
        body?.wipe()
        body = nil
    }

    /// Overwrites all received bytes.
    package mutating func wipe() {
        dropPending()
        reader.reset()
        forgetRequest()
    }
}
