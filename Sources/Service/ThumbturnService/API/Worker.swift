package import ThumbturnHTTP
import Glibc
import ThumbturnJSON
import ThumbturnRules

/// Answers requests on one thread, with the shared service and its own connection to the store.
package final class Worker {
    let service: Service
    let store: any Store
    /// Details of the current request, for the log.
    var trace = Trace()

    package init(_ service: Service, store: any Store) {
        (self.service, self.store) = (service, store)
    }

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
        let (start, now) = (Self.microseconds(), service.clock())
        trace = Trace()
        sweep(at: now)
        let response = service.router.answer(request, in: self)
        let duration = Self.microseconds() - start
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

    private static func microseconds() -> UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
