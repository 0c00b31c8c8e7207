import ThumbturnFiles

@testable import ThumbturnHTTP

/// Where the handlers of `/later/{name}` leave their replies, until a test gives them.
final class Desk: Sendable {
    private let replies = Monitor<[String: HTTPReply]>([:])

    /// How many replies wait.
    var count: Int { replies.change { $0.count } }

    /// The routes of `TestRoutes`, and those that answer later.
    var router: Router<Int> {
        Router(
            TestRoutes.router.routes
                + [HTTPMethod.get, .head, .post].map { method in
                    let document = TestRoutes.document("later" + method.rawValue)
                    return Route(method, "/later/{name}", maximumBody: 65_536, document: document) { request, _ in
                        self.later(request.parameters["name"] ?? "")
                    }
                } + [
                    Route(.get, "/dropped", document: TestRoutes.document("dropped")) { _, _ in .later { _ in } }
                ]
        )
    }

    /// What such a handler returns.
    func later(_ name: String) -> HTTPAnswer {
        .later { reply in self.replies.change { $0[name] = reply } }
    }

    /// Takes a reply away, which drops it unless the caller keeps it.
    @discardableResult
    func take(_ name: String) -> HTTPReply? { replies.change { $0.removeValue(forKey: name) } }

    /// Answers with a text; gives whether there was a reply.
    @discardableResult
    func answer(_ name: String, _ text: String = "late") -> Bool {
        guard let reply = take(name) else { return false }
        reply(HTTPResponse(status: 200, body: Array(text.utf8)))
        return true
    }

    /// The same from a thread of its own.
    func answerElsewhere(_ name: String, _ text: String = "late") {
        SystemThread { self.answer(name, text) }?.detach()
    }
}
