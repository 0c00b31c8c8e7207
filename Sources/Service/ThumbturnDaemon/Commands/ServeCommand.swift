import Glibc
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnService

/// Runs `serve`: sets up the service, and waits for a signal.
struct ServeCommand {
    let options: ServeOptions
    let environment: Environment

    /// The seconds for answering requests in progress when the service stops.
    private static let patience = 10

    /// - Returns: the exit code.
    func run() throws(Failure) -> Int32 {
        let writer = LogWriter()
        let thread = try writer.start()
        defer {
            writer.end()
            thread.join()
        }
        let log = ServiceLog { writer.add($0) }
        // Check before creating anything: a refused start leaves nothing behind.
        let address = try options.listen.withPort()
        let server = Self.server(options, at: address)
        do throws(HTTPError) { try HTTPServer.check(server) } catch { throw Failure(error, address) }
        if let place = options.metrics {
            do throws(HTTPError) { try HTTPServer.check(Self.metricsServer(at: place), beside: server) } catch {
                throw Failure(error, place)
            }
        }
        let location = try environment.store(options.places)
        let file = try environment.serviceKey(options.places)
        _ = try file.isAbsent()
        let keys = try AccountKeys.taken(for: open(location), from: file, log)
        let (running, ledger, metrics) = try start(location, keys, at: address, log)
        while Signals.next() == .reload { reload(running, log) }
        log.record(.info, "stopping", at: .now())
        metrics?.stop(within: 1)
        let isWhole = running.stop(within: Self.patience)
        ledger.stop()
        log.record(isWhole ? .info : .warning, "stopped", at: .now(), [("answeredAll", .bool(isWhole))])
        return 0
    }

    /// - Returns: the server for clients, the logs, and the server for `/metrics` if that is separate.
    private func start(
        _ location: StoreLocation,
        _ keys: AccountKeys,
        at address: ListenAddress,
        _ log: ServiceLog
    ) throws(Failure) -> (HTTPServer, AuditLedger, metrics: HTTPServer?) {
        let origin = address.origin(port: address.port, isTLS: options.tls != nil)
        var configuration = Service.Configuration(origin: try name(in: location, else: origin, log))
        (configuration.limits, configuration.encoding) = (options.limits, options.encoding)
        configuration.isRegistrationOpen = options.isRegistrationOpen
        configuration.showsMetrics = options.showsMetrics
        configuration.showsTiles = options.showsTiles
        configuration.version = Tool.version
        let ledger = try startLedger(of: configuration.origin, in: location, log)
        let service = Service(configuration, keys: keys, ledger: ledger, log: log)
        let server = HTTPServer(
            Self.server(options, at: address),
            admit: service.router.admit,
            problem: service.refuse,
            log: { log.record($0) }
        ) { _ in
            let worker = Worker(service, store: try location.open())
            return worker.answer
        }
        let metrics = try options.metrics.map { place throws(Failure) in try serveMetrics(of: service, at: place, log) }
        do throws(HTTPError) { try server.start() } catch { throw Failure(error, address) }
        log.record(
            .info,
            "listening",
            at: .now(),
            [
                ("address", .string(origin)), ("origin", .string(configuration.origin)),
                ("version", .string(Tool.version)),
            ]
        )
        return (server, ledger, metrics)
    }

    private func serveMetrics(
        of service: Service,
        at place: ListenAddress,
        _ log: ServiceLog
    ) throws(Failure) -> HTTPServer {
        let document = Operation("metrics", "What the service counts.", answers: [])
        let router = Router<Service>([
            Route(.get, "/metrics", document: document) { _, service in .now(service.metricsAnswer) }
        ])
        let server = HTTPServer(Self.metricsServer(at: place), admit: router.admit) { _ in
            { router.answer($0, in: service) }
        }
        do throws(HTTPError) { try server.start() } catch { throw Failure(error, place) }
        let address = place.origin(port: server.port, isTLS: false)
        log.record(.info, "metrics", at: .now(), [("address", .string(address))])
        return server
    }

    private static func metricsServer(at place: ListenAddress) -> HTTPServer.Configuration {
        var configuration = HTTPServer.Configuration()
        (configuration.host, configuration.port, configuration.workers) = (place.host, place.port, 1)
        return configuration
    }

    /// Returns the service's name, which a later `--origin` can't change: devices and envelopes are bound to it.
    private func name(in location: StoreLocation, else address: String, _ log: ServiceLog) throws(Failure) -> String {
        let store = try open(location)
        defer { store.close() }
        let name: String
        do throws(StoreError) { name = try ServiceName.establish(options.origin ?? address, in: store) } catch {
            throw Failure(error)
        }
        if let given = options.origin, given != name {
            log.record(
                .warning,
                "another --origin than the service's name, which stays",
                at: .now(),
                [("given", .string(given)), ("origin", .string(name))]
            )
        }
        return name
    }

    /// Returns the server's configuration, with its limits.
    static func server(_ options: ServeOptions, at address: ListenAddress) -> HTTPServer.Configuration {
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var configuration = HTTPServer.Configuration()
        (configuration.host, configuration.port) = (address.host, address.port)
        configuration.tls = options.tls
        configuration.loops = min(cores, 8)
        // A worker waits for the store about as long as it computes.
        configuration.workers = options.workers ?? max(4, 2 * cores)
        configuration.trustedProxies = options.trustedProxies
        configuration.limits.connectionsOfNetwork = options.connections
        // Allow at least 25 requests per login that a network may start: cheap requests in floods are limited too.
        configuration.limits.requestsPerSecondOfNetwork = max(100, Int(options.limits.logins.most) * 25 / 60)
        // Half of the workers: other networks find a free one, and half are enough to use all cores.
        configuration.limits.workersOfNetwork = max(1, configuration.workers / 2)
        return configuration
    }

    private func reload(_ server: HTTPServer, _ log: ServiceLog) {
        guard options.tls != nil else { return }
        do throws(HTTPError) {
            try server.reloadCertificate()
            log.record(.info, "certificate read anew", at: .now())
        } catch {
            log.record(.error, "certificate not read, the former one stays", at: .now())
        }
    }
}

extension ServiceLog {
    fileprivate func record(_ event: HTTPServer.Event) {
        switch event {
        case .refused: break  // counted, not logged: a client could fill the log
        case .acceptPaused(let number):
            record(.warning, "no connection accepted", at: .now(), [("errno", JSON(Int(number)))])
        case .connectionDropped(let peer):
            record(.warning, "connection dropped", at: .now(), [("peer", .string(peer.text))])
        }
    }
}
