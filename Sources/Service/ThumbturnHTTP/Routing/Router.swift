/// Finds the route of a request, and refuses a request without one.
///
/// It is called twice: with the head, before any content is read, and by the worker.
package struct Router<Context>: Sendable {
    let routes: [Route<Context>]
    private let problem: @Sendable (Refusal) -> HTTPResponse

    /// Creates a router.
    ///
    /// - Parameter problem: returns the answer to a refusal, to which the refusal's header fields are added.
    package init(_ routes: [Route<Context>], problem: @escaping @Sendable (Refusal) -> HTTPResponse = { $0.problem }) {
        let names = Set(routes.map { $0.method.rawValue + " " + $0.pattern.text })
        precondition(names.count == routes.count, "two routes have the same method and path")
        self.routes = routes
        self.problem = problem
    }

    /// Decides about a request from its head.
    package func admit(_ head: RequestHead) -> Admission {
        do throws(Refusal) {
            let (route, _) = try find(head.method, head.path)
            if head.content != .none { try route.check(head) }
            return .admitted(maximumBody: route.maximumBody)
        } catch {
            return .refused(error)
        }
    }

    /// Answers a complete request.
    package func answer(_ request: HTTPRequest, in context: Context) -> HTTPAnswer {
        do throws(Refusal) {
            let (route, parameters) = try find(request.method, request.path)
            var request = request
            request.parameters = parameters
            return route.handler(request, context)
        } catch {
            return .now(error.answer(problem))
        }
    }

    private func find(_ method: HTTPMethod, _ path: String) throws(Refusal) -> (Route<Context>, [String: String]) {
        guard let parts = PathPattern.parts(of: path) else { throw .malformed(.parameter) }
        for route in routes where route.method == method {
            if let parameters = route.pattern.match(parts) { return (route, parameters) }
        }
        let allowed = routes.filter { $0.pattern.match(parts) != nil }.map(\.method)
        throw allowed.isEmpty ? .notFound : .methodNotAllowed(allowed: allowed)
    }
}

extension Route {
    /// Refuses content that the route does not read.
    fileprivate func check(_ head: RequestHead) throws(Refusal) {
        if case .fixed(let byteCount) = head.content, byteCount > maximumBody {
            throw .bodyTooLarge(maximum: maximumBody)
        }
        guard let contentType else { return }
        let type = head.headers["content-type"]?.utf8.prefix { $0 != UInt8(ascii: ";") }.trimmingSpace
        guard let type, Array(type).reads(contentType) else { throw .unsupportedMediaType(expected: contentType) }
    }
}

extension Refusal {
    /// Returns the answer with the header fields it needs.
    func answer(_ problem: (Refusal) -> HTTPResponse) -> HTTPResponse {
        var response = problem(self)
        response.headers += headers
        return response
    }
}
