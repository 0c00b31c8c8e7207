package import ThumbturnCrypto
package import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

/// What all threads of one process share: keys, limits, counts, clock and log.
package final class Service: Sendable {
    /// What an operator chooses.
    package struct Configuration: Sendable {
        /// The service's name, as `ServiceName` gives it: devices sign it.
        package var origin: String
        package var limits = Limits()
        /// Whether new accounts are registered.
        package var isRegistrationOpen = true
        /// Whether `/metrics` is among the routes: whoever reaches those would see them.
        package var showsMetrics = true
        package var version = "0"
        /// How numbers enter the proofs of logins.
        package var encoding = SRPEncoding.minimal

        package init(origin: String) {
            self.origin = origin
        }
    }

    let configuration: Configuration
    let accounts: Accounts
    let gauge = HandshakeGauge()
    let metrics = Metrics()
    let log: ServiceLog
    let clock: @Sendable () -> ServiceTime
    /// The routes, from which the document is written too.
    package let router: Router<Worker>
    /// The document that the service gives of itself, written once.
    let document: [UInt8]
    let sweeps = SweepSchedule()
    let beginnings = LoginBeginnings()
    let readiness = Readiness()

    /// - Parameter clock: says the time; `ServiceTime.now` but in tests.
    package init(
        _ configuration: Configuration,
        keys: AccountKeys,
        log: ServiceLog,
        clock: @escaping @Sendable () -> ServiceTime = ServiceTime.now
    ) {
        self.configuration = configuration
        (self.log, self.clock) = (log, clock)
        accounts = Accounts(keys: keys, limits: configuration.limits, gauge: gauge, encoding: configuration.encoding)
        router = Router(API.endpoints(configuration).map(\.route)) { $0.problem.uncached }
        document = API.document(of: router, version: configuration.version)
    }

    /// What the service counts, for Prometheus.
    package var metricsAnswer: HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            body: Array(metrics.text(openHandshakes: gauge.count).utf8)
        ).uncached
    }

    /// The answer to what the server refuses by itself; counted, for it passes no worker.
    package func refuse(_ refusal: Refusal) -> HTTPResponse {
        metrics.count(
            Metrics.Answer(route: "", status: refusal.status, code: refusal.code),
            microseconds: 0
        )
        return refusal.problem.uncached
    }
}

extension HTTPResponse {
    /// The answer, with the word that nothing may keep it: what it holds is one client's, or true for a moment.
    var uncached: HTTPResponse {
        var response = self
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
