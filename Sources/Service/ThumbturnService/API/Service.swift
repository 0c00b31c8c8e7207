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
        /// Whether the ledger's tiles of hashes are shown without a token.
        package var showsTiles = false
        package var version = "0"
        /// How numbers are encoded in the proofs of logins.
        package var encoding = SRPEncoding.minimal

        package init(origin: String) { self.origin = origin }
    }

    let configuration: Configuration
    let accounts: Accounts
    /// The audit logs; nil only where none is served.
    let ledger: AuditLedger?
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
        ledger: AuditLedger? = nil,
        log: ServiceLog,
        clock: @escaping @Sendable () -> ServiceTime,
        router: Router<Worker>,
        document: [UInt8]
    ) {
        self.configuration = configuration
        (self.ledger, self.log, self.clock) = (ledger, log, clock)
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
    /// The audit logs that could not be read the last time.
    var unreadLogs: Set<Int64> = []

    package init(_ service: Service, store: any Store) { (self.service, self.store) = (service, store) }

    /// What the log line of a request contains besides its answer; what is known when the handler returns.
    struct Trace: Sendable {
        var route = ""
        /// The HMAC of the name.
        var name: String?
        var userID: Identifier?
        /// The name of the auditor who asks.
        var auditor: String?
        /// The store's error.
        var failure: StoreError?
    }

    /// Answers a request, now or later; a failure is answered too.
    package func answer(_ request: HTTPRequest) -> HTTPAnswer {
        let arrival = Arrival(of: request)
        trace = Trace()
        sweep(at: service.clock())
        let answer = service.router.answer(request, in: self)
        // The closures below live until the reply, so they take these, and nothing of the request's own memory.
        let (service, trace) = (service, trace)
        switch answer {
        case .now(let response):
            service.record(response, to: arrival, trace)
            return answer
        case .later(let begin):
            return .later { reply in
                begin(
                    HTTPReply {
                        .problem(Problem(.broken))
                    } give: { (response: consuming HTTPResponse) in
                        service.record(response, to: arrival, trace)
                        reply(response)
                    }
                )
            }
        }
    }

    private func sweep(at now: ServiceTime) {
        guard service.sweeps.isDue(at: now) else { return }
        do throws(Problem) {
            if try service.accounts.sweep(at: now, in: store) { service.sweeps.goOn() }
        } catch {
            service.log.record(.warning, "sweep failed", at: now, [("code", .string(error.code.text))])
        }
    }

    /// Returns a problem answer, and records the store's error for the log.
    func refusing(_ problem: Problem) -> HTTPResponse {
        trace.failure = problem.failure
        return .problem(problem)
    }
}

/// Who asked, and when.
private struct Arrival: Sendable {
    let method: HTTPMethod
    let peer: PeerAddress
    let microseconds = MonotonicClock.microseconds

    init(of request: HTTPRequest) { (method, peer) = (request.method, request.peer) }
}

extension Service {
    /// Counts and logs an answer, on the thread that gives it.
    fileprivate func record(_ response: borrowing HTTPResponse, to arrival: Arrival, _ trace: Worker.Trace) {
        let (status, code) = (response.status, response.code)
        let duration = MonotonicClock.microseconds - arrival.microseconds
        metrics.count(Metrics.Answer(route: trace.route, status: status, code: code), microseconds: duration)
        // Health checks come every few seconds, so do not log them.
        guard trace.route.hasPrefix("/v1/") || status >= 400 else { return }
        var members: [(String, JSON)] = [
            ("method", .string(arrival.method.rawValue)), ("route", .string(trace.route)), ("status", JSON(status)),
            ("peer", .string(arrival.peer.text)), ("microseconds", .integer(Int64(clamping: duration))),
        ]
        if let code { members.append(("code", .string(code))) }
        if let name = trace.name { members.append(("name", .string(name))) }
        if let userID = trace.userID { members.append(("userId", .string(userID.text))) }
        if let auditor = trace.auditor { members.append(("auditor", .string(auditor))) }
        if let failure = trace.failure { members.append(("store", .string("\(failure)"))) }
        log.record(status >= 500 ? .error : .info, "answer", at: clock(), members)
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
