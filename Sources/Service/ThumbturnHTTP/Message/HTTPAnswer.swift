import ThumbturnFiles

/// What a handler returns: an answer, or the promise of one.
package enum HTTPAnswer: Sendable {
    /// The answer.
    case now(HTTPResponse)
    /// The answer is given later, by the reply that the closure receives.
    ///
    /// The server calls the closure on the worker's thread, right after the handler returned, unless too many answers
    /// are still to come; it must not block. What it keeps stays in memory until it is released, so it should keep
    /// what it needs of the request, and not the request.
    case later(@Sendable (HTTPReply) -> Void)

    /// Waits for the answer, for a caller without a server, such as a test.
    package func wait() -> HTTPResponse {
        switch self {
        case .now(let response): return response
        case .later(let begin):
            let given = Monitor<HTTPResponse?>(nil)
            begin(
                HTTPReply {
                    Refusal.unanswered.problem
                } give: { response in
                    given.change { $0 = response }
                }
            )
            return given.wait { $0 } ?? Refusal.unanswered.problem
        }
    }
}
