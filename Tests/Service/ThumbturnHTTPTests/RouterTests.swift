import Testing
import ThumbturnJSON

@testable import ThumbturnHTTP

struct RouterTests {
    private let router = TestRoutes.router

    private func admit(_ text: String) throws -> Admission {
        router.admit(try #require(try readHead(wire(text + "\n"))))
    }

    private func refusal(_ text: String) throws -> Refusal? {
        guard case .refused(let refusal) = try admit(text) else { return nil }
        return refusal
    }

    @Test func `parts of a path are decoded behind the slashes that part it`() {
        let paths = ["/hello/a%2Fb": "a/b", "/%68ello/%C3%A9": "é", "/hello/..": ".."]
        for (path, name) in paths {
            let answer = router.answer(HTTPRequest(.get, path), in: 3).wait()
            #expect(answer.body == Array("\"hello \(name)\"".utf8))
            #expect(answer.headers.contains { $0 == ("Worker", "3") })
        }
    }

    @Test func `a path without a route is not found, and a method without one is told the others`() {
        for path in ["/", "/hello", "/hello/", "/hello/a/", "/hello/a/b", "//hello/a", "/Hello/a", "*"] {
            #expect(router.answer(HTTPRequest(.get, path), in: 0).wait().status == 404, "\(path)")
        }
        let answer = router.answer(HTTPRequest(.put, "/hello/a"), in: 0).wait()
        #expect(answer.status == 405)
        #expect(answer.headers.contains { $0 == ("Allow", "GET") })
        #expect(router.answer(HTTPRequest(.get, "/hello/%FF"), in: 0).wait().status == 400)
    }

    @Test(.holds("SVC-4")) func `the head alone decides what content is read`() throws {
        guard case .admitted(65_536) = try admit("POST /echo HTTP/1.1\nHost: a\nContent-Length: 65536\n") else {
            Issue.record("not admitted")
            return
        }
        let json = "PUT /json HTTP/1.1\nHost: a\n"
        #expect(try refusal("POST /echo HTTP/1.1\nHost: a\nContent-Length: 65537\n") == .bodyTooLarge(maximum: 65_536))
        #expect(try refusal("GET /peer HTTP/1.1\nHost: a\nContent-Length: 1\n") == .bodyTooLarge(maximum: 0))
        #expect(try refusal("GET /nowhere HTTP/1.1\nHost: a\n") == .notFound)
        #expect(try refusal("DELETE /peer HTTP/1.1\nHost: a\n") == .methodNotAllowed(allowed: [.get]))
        for type in ["text/plain", "application/jsonx", "application/json x", "application/json, text/plain", ""] {
            let head = json + "Content-Length: 1\nContent-Type: \(type)\n"
            #expect(try refusal(head) == .unsupportedMediaType(expected: "application/json"), "\(type)")
        }
        #expect(
            try refusal(json + "Transfer-Encoding: chunked\n") == .unsupportedMediaType(expected: "application/json")
        )
        for type in ["application/json", "Application/JSON;charset=utf-8", "application/json ; a=b"] {
            #expect(try refusal(json + "Content-Length: 1\nContent-Type: \(type)\n") == nil)
        }
        #expect(try refusal(json) == nil)
    }

    @Test func `each refusal has a status, a code and words of its own`() throws {
        let refusals: [Refusal] = [
            .malformed(.chunk), .timeout, .forbidden, .notFound, .methodNotAllowed(allowed: [.get, .put]),
            .bodyTooLarge(maximum: 5),
            .targetTooLong, .unsupportedMediaType(expected: "a/b"), .expectationFailed, .headersTooLarge,
            .unanswered, .unknownMethod,
            .unknownTransferCoding, .tooManyConnections, .busy, .unknownVersion,
        ]
        #expect(Set(refusals.map(\.code)).count == refusals.count)
        #expect(Set(refusals.map(\.detail)).count == refusals.count)
        for refusal in refusals {
            let problem = refusal.problem
            let document = try JSON(reading: problem.body, byteLimit: 4_096)
            #expect(problem.headers.contains { $0 == ("Content-Type", "application/problem+json") })
            #expect(problem.status == refusal.status)
            guard case .integer(let status) = document["status"], case .string(let code) = document["code"],
                case .string(let title) = document["title"]
            else {
                Issue.record("no problem document: \(refusal)")
                continue
            }
            #expect((Int(status), code) == (refusal.status, refusal.code))
            #expect(title != "Status")
        }
    }
}
