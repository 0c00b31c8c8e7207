import Synchronization
import ThumbturnFiles

/// The state shared by all threads of a server.
final class ServerCore: Sendable {
    let configuration: HTTPServer.Configuration
    let admit: @Sendable (RequestHead) -> Admission
    let problem: @Sendable (Refusal) -> HTTPResponse
    let log: @Sendable (HTTPServer.Event) -> Void
    /// The TLS context of new connections; `nil` for plain HTTP.
    let tls = Monitor<TLSContext?>(nil)
    /// The number of connections of each network, where that is limited.
    let networks = NetworkCounts()
    let pace: NetworkPace
    let load = ServerLoad()
    /// The number of answers that handlers have promised and not given.
    let outstandingCount = Atomic<Int>(0)
    /// When to cut off what is still open, by `MonotonicClock.milliseconds`; `Int64.max` until the server is stopped.
    let end = Atomic<Int64>(.max)
    /// Whether no new connections are accepted any more.
    let isClosed = Atomic<Bool>(false)
    /// Whether a request in progress was cut off.
    let wasCutOff = Atomic<Bool>(false)

    init(
        _ configuration: HTTPServer.Configuration,
        admit: @escaping @Sendable (RequestHead) -> Admission,
        problem: @escaping @Sendable (Refusal) -> HTTPResponse,
        log: @escaping @Sendable (HTTPServer.Event) -> Void
    ) {
        (self.configuration, self.admit, self.problem, self.log) = (configuration, admit, problem, log)
        pace = NetworkPace(perSecond: configuration.limits.requestsPerSecondOfNetwork)
    }

    var limits: HTTPLimits { configuration.limits }

    var isStopping: Bool { end.load(ordering: .relaxed) != .max }

    /// How many connections beyond the limit are accepted in order to be refused with an answer.
    var surplus: Int { max(16, limits.connections / 16) }

    func isTrusted(_ peer: PeerAddress) -> Bool { configuration.trustedProxies.contains { $0.contains(peer) } }

    /// Returns the answer to a refusal, and logs it.
    func refuse(_ refusal: Refusal, of peer: PeerAddress) -> HTTPResponse {
        log(.refused(refusal, peer: peer))
        return refusal.answer(problem)
    }

    /// Counts a promised answer.
    ///
    /// - Returns: whether there is room for it; if not, it is not counted.
    func enterOutstanding() -> Bool {
        guard outstandingCount.add(1, ordering: .relaxed).newValue > limits.outstanding else { return true }
        leaveOutstanding()
        return false
    }

    /// Uncounts a promised answer, which was given.
    func leaveOutstanding() { outstandingCount.subtract(1, ordering: .relaxed) }

    /// Counts a change in buffered bytes of content.
    ///
    /// - Returns: whether the total is within the limit.
    func countContent(_ change: Int) -> Bool {
        load.contentBytes.add(change) <= limits.bufferedBytes
    }
}
