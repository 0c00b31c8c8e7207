import Glibc
import ThumbturnConsole
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnService

/// `serve`: puts the rooms together, and waits for a signal.
struct ServeCommand {
    let options: ServeOptions
    let environment: Environment

    /// How long what began may take to be answered when the service stops.
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
        let location = try environment.store(options.places)
        let file = try environment.serviceKey(options.places)
        let keys = try AccountKeys.taken(for: open(location), from: file, log)
        let server = try start(location, keys, log)
        while Signals.next() == .reload { reload(server, log) }
        log.record(.info, "stopping", at: .now())
        let isWhole = server.stop(within: Self.patience)
        log.record(isWhole ? .info : .warning, "stopped", at: .now(), [("answeredAll", .bool(isWhole))])
        return 0
    }

    private func start(_ location: StoreLocation, _ keys: AccountKeys, _ log: ServiceLog) throws(Failure) -> HTTPServer {
        let address = try options.listen.withPort()
        let origin = address.origin(port: address.port, isTLS: options.tls != nil)
        var configuration = Service.Configuration(origin: options.origin ?? origin)
        (configuration.limits, configuration.encoding) = (options.limits, options.encoding)
        configuration.version = Tool.version
        let service = Service(configuration, keys: keys, log: log)
        let server = HTTPServer(
            server(at: address),
            admit: service.router.admit,
            problem: service.refuse,
            log: { log.record($0) }
        ) { _ in
            let worker = Worker(service, store: try location.open())
            return worker.answer
        }
        do throws(HTTPError) { try server.start() } catch { throw Failure(error, address) }
        log.record(
            .info,
            "listening",
            at: .now(),
            [("address", .string(origin)), ("origin", .string(configuration.origin)), ("version", .string(Tool.version))]
        )
        return server
    }

    private func server(at address: ListenAddress) -> HTTPServer.Configuration {
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var configuration = HTTPServer.Configuration()
        (configuration.host, configuration.port) = (address.host, address.port)
        configuration.tls = options.tls
        configuration.loops = min(cores, 8)
        // A worker waits for the store about as long as it computes.
        configuration.workers = options.workers ?? max(4, 2 * cores)
        configuration.trustedProxies = options.trustedProxies
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
    /// Writes down what the server did by itself.
    fileprivate func record(_ event: HTTPServer.Event) {
        switch event {
        case .refused: break  // counted, not told: whoever sends it decides how often
        case .acceptPaused(let number): record(.warning, "no connection accepted", at: .now(), [("errno", JSON(Int(number)))])
        case .connectionDropped(let peer):
            record(.warning, "connection dropped", at: .now(), [("peer", .string(peer.text))])
        }
    }
}
