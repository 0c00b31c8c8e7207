import Synchronization

/// What all threads of a server share.
final class ServerCore: Sendable {
    let configuration: HTTPServer.Configuration
    let admit: @Sendable (RequestHead) -> Admission
    let problem: @Sendable (Refusal) -> HTTPResponse
    let log: @Sendable (HTTPServer.Event) -> Void
    let queue: WorkQueue
    /// The context of connections from now on; nil speaks in the clear.
    let tls = Monitor<TLSContext?>(nil)
    /// How many connections there are.
    let connectionCount = Atomic<Int>(0)
    /// How many of them each network has, where that is limited.
    let networks = NetworkCounts()
    let pace: NetworkPace
    /// How much there was of what takes memory.
    let load = ServerLoad()
    /// How many bytes of content are kept.
    let contentByteCount = Atomic<Int>(0)
    /// When what is still open is cut off, by `Clock.milliseconds`; `Int64.max` while nobody stops the server.
    let end = Atomic<Int64>(.max)
    /// Whether no new connection comes any more.
    let isClosed = Atomic<Bool>(false)
    /// Whether something that began was cut off.
    let wasCutOff = Atomic<Bool>(false)

    init(
        _ configuration: HTTPServer.Configuration,
        admit: @escaping @Sendable (RequestHead) -> Admission,
        problem: @escaping @Sendable (Refusal) -> HTTPResponse,
        log: @escaping @Sendable (HTTPServer.Event) -> Void
    ) {
        (self.configuration, self.admit, self.problem, self.log) = (configuration, admit, problem, log)
        pace = NetworkPace(perSecond: configuration.limits.requestsPerSecondOfNetwork)
        queue = WorkQueue(capacity: configuration.limits.queue, share: configuration.limits.workersOfNetwork)
    }

    var limits: HTTPLimits { configuration.limits }

    var isStopping: Bool { end.load(ordering: .relaxed) != .max }

    /// How many connections there may be beyond the limit, only to be told so.
    var surplus: Int { max(16, limits.connections / 16) }

    func isTrusted(_ peer: PeerAddress) -> Bool { configuration.trustedProxies.contains { $0.contains(peer) } }

    /// Counts bytes of content that are kept, or are not any more.
    ///
    /// - Returns: whether they are no more than may be.
    func countContent(_ change: Int) -> Bool {
        contentByteCount.add(change, ordering: .relaxed).newValue <= limits.bufferedBytes
    }
}
