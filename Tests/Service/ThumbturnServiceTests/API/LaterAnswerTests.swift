import Glibc
import Testing
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("An answer that an endpoint gives later") struct LaterAnswerTests {
    private static let user = Identifier(bytes: [UInt8](repeating: 7, count: 16))

    /// The reply that the endpoint left, and the answer that went out.
    private let reply = Monitor<HTTPReply?>(nil)
    private let answer = Monitor<HTTPResponse?>(nil)

    private func room() throws -> EndpointRoom {
        let reply = reply
        return try EndpointRoom([
            Endpoint(
                method: .get,
                pattern: "/v1/later",
                name: "later",
                summary: "For tests.",
                answer: Operation.Answer(200, "Late.")
            ) { exchange throws(Problem) in
                if let user = Self.user { exchange.isAbout(user) }
                return .later { given in reply.change { $0 = given } }
            }
        ])
    }

    /// Asks, and begins the answer as the server does.
    private func ask(_ room: EndpointRoom) throws {
        guard case .later(let begin) = try room.answer(HTTPRequest(.get, "/v1/later")) else {
            Issue.record("it was answered at once")
            return
        }
        begin(
            HTTPReply {
                HTTPResponse(status: 599)
            } give: { [answer] response in
                answer.change { $0 = response }
            }
        )
    }

    /// The reply, which goes unless the caller keeps it.
    private func take() -> HTTPReply? {
        reply.change { reply in
            defer { reply = nil }
            return reply
        }
    }

    /// The lines of the log.
    private func lines(_ room: EndpointRoom) throws -> [JSON] {
        try room.room.lines.all.map { try JSON(reading: Array($0.utf8), byteLimit: 4_096) }
    }

    @Test func `it is counted and logged when it is given, with the time until then`() throws {
        let room = try room()
        try ask(room)
        usleep(30_000)
        room.room.clock.advance(.seconds(3))
        #expect(room.room.lines.all == [])
        #expect(!room.counts.contains { $0.contains("/v1/later") })
        take()?(.answer([("late", .bool(true))]))
        #expect(answer.change { $0?.status } == 200)
        let line = try #require(try lines(room).first)
        #expect(try lines(room).count == 1)
        #expect((line["route"]?.text, line["method"]?.text, line["status"]?.number) == ("/v1/later", "GET", 200))
        #expect(line["peer"]?.text == PeerAddress.loopback.text && line["userId"]?.text == Self.user?.text)
        #expect(try #require(line["microseconds"]?.number) >= 30_000)
        #expect(line["time"]?.text == room.room.clock.now.text)
        #expect(room.counts.contains(#"thumbturn_answers_total{route="/v1/later",status="200",code=""} 1"#))
        #expect(room.counts.contains(#"thumbturn_answer_seconds_bucket{route="/v1/later",le="0.025000"} 0"#))
    }

    @Test func `a problem is counted and logged with its code, and a second answer not at all`() throws {
        let room = try room()
        try ask(room)
        let reply = try #require(take())
        reply(.problem(.wait(.seconds(2), .busy)))
        reply(.problem(Problem(.damaged)))
        #expect(answer.change { $0?.status } == 503)
        #expect(try lines(room).map { $0["code"]?.text } == ["BUSY"])
        #expect(room.counts.contains(#"thumbturn_answers_total{route="/v1/later",status="503",code="BUSY"} 1"#))
        #expect(room.counts.contains(#"thumbturn_answer_seconds_count{route="/v1/later"} 1"#))
    }

    @Test func `one that is dropped is a failure of the service`() throws {
        let room = try room()
        try ask(room)
        _ = take()
        let given = try #require(answer.change { $0 })
        #expect((given.status, given.code) == (500, "INTERNAL"))
        #expect(given.headers.contains { $0 == ("Cache-Control", "no-store") })
        let line = try #require(try lines(room).first)
        #expect((line["level"]?.text, line["code"]?.text) == ("error", "INTERNAL"))
        #expect(room.counts.contains(#"thumbturn_answers_total{route="/v1/later",status="500",code="INTERNAL"} 1"#))
    }

    @Test(.holds("SVC-7")) func `the request is gone while its answer is still to come`() throws {
        let room = try room()
        let content = WeakContent()
        func ask() throws -> HTTPAnswer {
            let request = HTTPRequest(.get, "/v1/later", body: [1, 2, 3])
            content.bytes = try #require(Mirror(reflecting: request).descendant("content") as? WipedBytes)
            #expect(content.bytes?.bytes == [1, 2, 3])
            return try room.answer(request)
        }
        let answer = try ask()
        #expect(content.bytes == nil)
        guard case .later = answer else {
            Issue.record("it was answered at once")
            return
        }
    }
}

private final class WeakContent {
    weak var bytes: WipedBytes?
}
