package import ThumbturnCrypto
package import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

/// The state shared by all threads of a process: keys, limits, counts, clock and log.
package final class Service: Sendable {
    /// The operator's choices.
    package struct Configuration: Sendable {
        /// The service's name, as established by `ServiceName`; devices sign it.
        package var origin: String
        package var limits = Limits()
        /// Whether new accounts can be registered.
        package var isRegistrationOpen = true
        /// Whether the routes include `/metrics`, visible to every client.
        package var showsMetrics = true
        package var version = "0"
        /// How numbers are encoded in the proofs of logins.
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
    /// The routes, from which the document is generated too.
    package let router: Router<Worker>
    /// The OpenAPI document, generated once.
    let document: [UInt8]
    let sweeps = SweepSchedule()
    let beginnings = LoginBeginnings()
    let readiness = Readiness()

    /// - Parameter clock: returns the time; `ServiceTime.now` except in tests.
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

    /// The service's counters for Prometheus.
    package var metricsAnswer: HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            body: Array(metrics.text(openHandshakes: gauge.count).utf8)
        ).uncached
    }

    /// Answers a request that the server itself refuses, and counts it, because no worker sees it.
    package func refuse(_ refusal: Refusal) -> HTTPResponse {
        metrics.count(
            Metrics.Answer(route: "", status: refusal.status, code: refusal.code),
            microseconds: 0
        )
        return refusal.problem.uncached
    }
}

extension HTTPResponse {
    /// The answer marked as not cacheable: it is for one client only, or true for a moment.
    var uncached: HTTPResponse {
        var response = self
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
