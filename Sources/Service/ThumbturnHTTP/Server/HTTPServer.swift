import Glibc
import Synchronization
import ThumbturnFiles

/// A server for HTTP/1.1, and for HTTP/1.0 without keep-alive (RFC 9112).
///
/// Loop threads read, write and refuse; complete requests go through a bounded queue to worker threads, which may
/// block. A handler that has to wait for long answers later, and keeps no worker meanwhile.
package final class HTTPServer: Sendable {
    private struct State {
        var loops: [EventLoop] = []
        var port: UInt16 = 0
    }

    /// The number of threads that have reached the points that `start` and `stop` wait for.
    private struct Progress {
        var readyWorkers = 0
        var failure: HTTPError?
        var endedLoops = 0
        var endedWorkers = 0
    }

    let core: ServerCore
    private let queue: WorkQueue<Job>
    private let makeHandler: @Sendable (Int) throws -> Handler
    private let state = Monitor(State())
    private let progress = Monitor(Progress())

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - admit: decides about a request from its head, such as `Router.admit`; called on loop threads.
    ///   - problem: returns the answer to a refusal by the server; called on any thread.
    ///   - log: receives the server's own events; called on loop threads too, so it must not block.
    ///   - makeHandler: creates a worker's handler, once, on the worker's thread; its argument is the worker's number.
    package init(
        _ configuration: Configuration,
        admit: @escaping @Sendable (RequestHead) -> Admission,
        problem: @escaping @Sendable (Refusal) -> HTTPResponse = { $0.problem },
        log: @escaping @Sendable (Event) -> Void = { _ in },
        makeHandler: @escaping @Sendable (Int) throws -> Handler
    ) {
        core = ServerCore(configuration, admit: admit, problem: problem, log: log)
        queue = WorkQueue(capacity: configuration.limits.queue, share: configuration.limits.workersOfNetwork)
        self.makeHandler = makeHandler
    }

    /// Checks whether a server with this configuration could start, with its certificate and address; keeps nothing
    /// open.
    ///
    /// - Parameter other: the configuration of another server to start besides.
    package static func check(_ configuration: Configuration, beside other: Configuration? = nil) throws(HTTPError) {
        if let files = configuration.tls { _ = try TLSContext(files) }
        guard let other else {
            _ = try Listener(host: configuration.host, port: configuration.port)
            return
        }
        let listener = try Listener(host: other.host, port: other.port)
        _ = try Listener(host: configuration.host, port: configuration.port)
        _ = listener.port  // Keep it open until here.
    }

    /// Starts listening, once; on return connections are accepted, and each worker has its handler.
    ///
    /// It raises the process's limit of open files as far as the connections need it and the system allows.
    package func start() throws(HTTPError) {
        if let files = core.configuration.tls {
            let context = try TLSContext(files)
            core.tls.change { $0 = context }
        }
        let listener = try Listener(host: core.configuration.host, port: core.configuration.port)
        let port = listener.port
        makeRoomForDescriptors()
        do throws(HTTPError) {
            try startWorkers()
            let loops = try startLoops(listener)
            state.change { $0 = State(loops: loops, port: port) }
        } catch {
            core.end.store(0, ordering: .relaxed)
            queue.close()
            throw error
        }
    }

    /// The port it listens on; 0 before it is started.
    package var port: UInt16 { state.change { $0.port } }

    /// The number of connections.
    package var connectionCount: Int { core.load.connections.value }

    /// Reads certificate and key again, for new connections; on failure the former ones stay in use.
    package func reloadCertificate() throws(HTTPError) {
        guard let files = core.configuration.tls else { return }
        let context = try TLSContext(files)
        core.tls.change { $0 = context }
    }

    /// Stops accepting, waits for the answers to requests in progress, and closes; call it once.
    ///
    /// - Parameter seconds: the time limit, after which unanswered requests are cut off.
    /// - Returns: whether all requests in progress were answered.
    @discardableResult
    package func stop(within seconds: Int) -> Bool {
        let end = MonotonicClock.milliseconds + Int64(seconds) * 1_000
        core.end.store(end, ordering: .relaxed)
        let loops = state.change { $0.loops }
        for loop in loops { loop.awaken() }
        // By now a loop checks the clock at least every 10 ms, but it shares its core with others.
        let areEnded = progress.wait(until: end + 1_000) { $0.endedLoops == loops.count ? true : nil }
        queue.close()
        let workers = core.configuration.workers
        let areIdle = progress.wait(until: end + 1_000) { $0.endedWorkers == workers ? true : nil }
        return areEnded == true && areIdle == true && !core.wasCutOff.load(ordering: .relaxed)
    }
}

extension HTTPServer {
    private func startWorkers() throws(HTTPError) {
        for number in 0..<core.configuration.workers {
            try Self.startThread { [core, queue, progress, makeHandler] in
                do {
                    let worker = Worker(queue, core, try makeHandler(number))
                    progress.change { $0.readyWorkers += 1 }
                    worker.run()
                } catch {
                    progress.change { $0.failure = .handler(error) }
                }
                progress.change(wakingAll: true) { $0.endedWorkers += 1 }
            }
        }
        let workers = core.configuration.workers
        let failure = progress.wait { progress -> HTTPError?? in
            guard progress.failure == nil else { return .some(progress.failure) }
            return progress.readyWorkers == workers ? .some(nil) : nil
        }
        if let failure = failure ?? nil { throw failure }
    }

    private func startLoops(_ listener: consuming Listener) throws(HTTPError) -> [EventLoop] {
        var loops: [EventLoop] = []
        for _ in 0..<max(1, core.configuration.loops) { loops.append(try EventLoop(core, queue)) }
        try loops[0].accept(from: listener, for: loops)
        for loop in loops {
            try Self.startThread { [progress] in
                loop.run()
                progress.change(wakingAll: true) { $0.endedLoops += 1 }
            }
        }
        return loops
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) throws(HTTPError) {
        guard let thread = SystemThread(body) else { throw .noThread }
        thread.detach()
    }

    private func makeRoomForDescriptors() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let needed = rlim_t(core.limits.connections + core.surplus + 256)
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = min(needed, limit.rlim_max)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
