/// One side of a connection as rules alone: takes bytes and the time, and says what to do.
///
/// Requests are taken one at a time: what a client sends ahead waits until the answer before it went out.
package struct Conversation: ~Copyable {
    /// What the connection has to do.
    package enum Order {
        /// Read more, or wait for a worker.
        case wait
        /// Tell the client that its content is welcome.
        case sendContinue
        /// Hand a request to a worker.
        case hand(RequestHead, content: WipedBytes)
        /// Answer that it is refused.
        case refuse(Refusal)
        /// Close without a word.
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

    /// Whether the connection may go on once the request that was taken last is answered.
    package private(set) var keepsAlive = true
    /// Whether the answer to it must not have content.
    private(set) var omitsBody = false

    /// - Parameter now: milliseconds of a clock that never goes back.
    package init(_ limits: HTTPLimits, at now: Int64) {
        self.limits = limits
        since = now
        reader = HeadReader(limit: limits.headerBytes)
    }

    /// Whether nothing of a request has come.
    var isIdle: Bool { phase == .idle && pending.isEmpty }

    /// Whether bytes are of use now.
    var reads: Bool { phase == .idle || phase == .head || phase == .content }

    /// How many bytes of content are kept.
    var contentByteCount: Int { body?.content.count ?? 0 }

    /// Takes bytes that came.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        pending.appendWiping(bytes)
    }

    /// Says what to do next, by what came so far.
    ///
    /// - Parameter admit: what becomes of a request by its head.
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

    /// The answer went out: the next request may begin.
    ///
    /// - Parameter closes: whether none may.
    package mutating func answered(closes: Bool, at now: Int64) {
        forgetRequest()
        (phase, since) = (closes ? .ended : .idle, now)
        if closes { wipe() }
    }

    /// What to do because of the time alone.
    ///
    /// - Parameter idleMilliseconds: how long nothing may come between requests.
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

    /// Refuses what is being read: nothing that follows on the connection can be made sense of.
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

    /// - Returns: what to do before the content is read; nil to read it.
    private mutating func begin(
        _ head: RequestHead,
        at now: Int64,
        _ admit: (RequestHead) -> Admission
    ) throws(Refusal) -> Order? {
        (keepsAlive, omitsBody) = (head.keepsAlive, head.method == .head)
        request = head
        switch admit(head) {
        case .refused(let refusal):
            // Where content follows, it would have to be read to reach the next request.
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

    /// Overwrites all that came.
    package mutating func wipe() {
        dropPending()
        reader.reset()
        forgetRequest()
    }
}
