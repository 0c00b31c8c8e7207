package import ThumbturnCrypto
import ThumbturnFiles
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

        package init(origin: String) { self.origin = origin }
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

    init(
        _ configuration: Configuration,
        keys: AccountKeys,
        log: ServiceLog,
        clock: @escaping @Sendable () -> ServiceTime,
        router: Router<Worker>,
        document: [UInt8]
    ) {
        self.configuration = configuration
        (self.log, self.clock) = (log, clock)
        (self.router, self.document) = (router, document)
        accounts = Accounts(keys: keys, limits: configuration.limits, gauge: gauge, encoding: configuration.encoding)
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
        metrics.count(Metrics.Answer(route: "", status: refusal.status, code: refusal.code), microseconds: 0)
        return refusal.problem.uncached
    }
}

/// Answers requests on one thread, with the shared service and its own connection to the store.
package final class Worker {
    let service: Service
    let store: any Store
    /// Details of the current request, for the log.
    var trace = Trace()

    package init(_ service: Service, store: any Store) { (self.service, self.store) = (service, store) }

    /// What the log line of a request contains besides its answer.
    struct Trace {
        var route = ""
        var code: String?
        /// The HMAC of the name.
        var name: String?
        var userID: Identifier?
        /// The store's error.
        var failure: StoreError?
    }

    /// Answers a request; a failure is answered too.
    package func answer(_ request: HTTPRequest) -> HTTPResponse {
        let (start, now) = (MonotonicClock.microseconds, service.clock())
        trace = Trace()
        sweep(at: now)
        let response = service.router.answer(request, in: self)
        let duration = MonotonicClock.microseconds - start
        let answer = Metrics.Answer(route: trace.route, status: response.status, code: trace.code)
        service.metrics.count(answer, microseconds: duration)
        record(request, response, at: now, microseconds: duration)
        return response
    }

    private func sweep(at now: ServiceTime) {
        guard service.sweeps.isDue(at: now) else { return }
        do throws(Problem) {
            if try service.accounts.sweep(at: now, in: store) { service.sweeps.goOn() }
        } catch {
            service.log.record(.warning, "sweep failed", at: now, [("code", .string(error.code.text))])
        }
    }

    private func record(_ request: HTTPRequest, _ response: HTTPResponse, at now: ServiceTime, microseconds: UInt64) {
        // Health checks come every few seconds, so do not log them.
        guard trace.route.hasPrefix("/v1/") || response.status >= 400 else { return }
        var members: [(String, JSON)] = [
            ("method", .string(request.method.rawValue)), ("route", .string(trace.route)),
            ("status", JSON(response.status)), ("peer", .string(request.peer.text)),
            ("microseconds", .integer(Int64(clamping: microseconds))),
        ]
        if let code = trace.code { members.append(("code", .string(code))) }
        if let name = trace.name { members.append(("name", .string(name))) }
        if let userID = trace.userID { members.append(("userId", .string(userID.text))) }
        if let failure = trace.failure { members.append(("store", .string("\(failure)"))) }
        service.log.record(response.status >= 500 ? .error : .info, "answer", at: now, members)
    }

    /// Returns a problem answer, and records its code for the log.
    func refusing(_ problem: Problem) -> HTTPResponse {
        trace.code = problem.code.text
        trace.failure = problem.failure
        return .problem(problem)
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
