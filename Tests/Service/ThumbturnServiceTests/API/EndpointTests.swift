import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON

@testable import ThumbturnService

@Suite("What an endpoint takes and gives besides forms") struct EndpointTests {
    private static let most = 1_310_720
    private static let line: JSON = ["type": "object"]
    private static let done = Operation.Answer(200, "Done.", schema: ["type": "object"])

    /// Takes lines, and tells their SHA-256, later or at once.
    private static let lines = Endpoint(
        method: .post,
        pattern: "/v1/lines",
        name: "lines",
        summary: "For tests.",
        parameters: [
            Operation.Parameter("Idempotency-Key", in: .header, "Of the body.", schema: Endpoint.hexadecimal64),
            Operation.Parameter("since", in: .query, "A size.", schema: ["type": "string"], isRequired: false),
        ],
        content: .lines(maximum: most, ofLine: line),
        answer: done,
        furtherAnswers: [Operation.Answer(202, "Taken.", schema: ["const": "taken"])]
    ) { exchange throws(Problem) in
        let digest = SHA256.digest(exchange.request.body).hexadecimal
        guard try exchange.query("since") == nil else { return .now(.answer([("digest", .string(digest))])) }
        return .later { reply in reply(.answer([("digest", .string(digest))])) }
    }

    /// Tells what its query says.
    private static let asking = Endpoint(
        method: .get,
        pattern: "/v1/asking",
        name: "asking",
        summary: "For tests.",
        parameters: ["from", "to"].map {
            Operation.Parameter($0, in: .query, "A size.", schema: ["type": "string"], isRequired: false)
        },
        answer: done
    ) { exchange throws(Problem) in
        let values = [try exchange.query("from"), try exchange.query("to")]
        return .now(.answer([("values", .array(values.map { $0.map { .string($0) } ?? .null }))]))
    }

    /// Answers with bytes that may be kept.
    private static let tile = Endpoint(
        method: .get,
        pattern: "/v1/tile",
        name: "tile",
        summary: "For tests.",
        needsToken: true,
        answer: Operation.Answer(200, "Bytes.", type: "application/octet-stream", schema: [:]),
        furtherAnswers: [Operation.Answer(206, "Some of them.", type: "text/plain", schema: ["type": "string"])],
        usesStore: false
    ) { _ throws(Problem) in
        .now(.bytes([0xFF, 0x00], type: "application/octet-stream", caching: "public, max-age=31536000, immutable"))
    }

    private func text(_ json: JSON?) -> String? { json?.text(escaping: JSON.shortestEscape) }

    @Test func `the document says that a body is lines, what a line is, and which header fields go with it`() throws {
        let operation = try EndpointRoom([Self.lines]).operation("post", "/v1/lines")
        let content = try #require(operation["requestBody"]?["content"]).members
        #expect(content.map(\.0) == ["application/x-ndjson"])
        let schema = try #require(content.first?.1["schema"])
        #expect((schema["type"]?.text, schema["maxLength"]?.number) == ("string", 1_310_720))
        #expect(text(schema["contentSchema"]) == #"{"type":"object"}"#)
        let places = operation["parameters"]?.elements?.map {
            [$0["name"]?.text, $0["in"]?.text, text($0["required"])]
        }
        #expect(places == [["Idempotency-Key", "header", "true"], ["since", "query", "false"]])
        let answers = try #require(operation["responses"])
        #expect(answers["202"]?["description"]?.text == "Taken." && answers["415"] != nil && answers["413"] != nil)
        #expect(answers["422"]?["description"]?.text?.contains("`FORM`") == true)
        // What is no JSON is not read as JSON here.
        #expect(answers["400"]?["description"]?.text?.contains("`JSON`") == false)
        #expect(Set(Self.lines.allProblems).isDisjoint(with: [.notJSON, .refusedJSON]))
    }

    @Test func `content that is not JSON is described with its type, and each answer to a token with its proof`() throws
    {
        let answers = try #require(try EndpointRoom([Self.tile]).operation("get", "/v1/tile")["responses"])
        #expect(text(answers["200"]?["content"]) == #"{"application/octet-stream":{"schema":{}}}"#)
        #expect(answers["206"]?["content"]?.members.map(\.0) == ["text/plain"])
        for status in ["200", "206"] { #expect(answers[status]?["headers"]?[AnswerProof.field] != nil) }
        #expect(answers["401"]?["headers"] == nil)
        #expect(!Self.tile.allProblems.contains(.form))
    }

    @Test func `an answer is kept by caches as its handler says`() throws {
        let answer = try EndpointRoom([Self.tile]).answer(HTTPRequest(.get, "/v1/tile")).wait()
        #expect((answer.status, answer.body) == (200, [0xFF, 0x00]))
        let fields = answer.headers.map { "\($0.0): \($0.1)" }
        #expect(
            fields == [
                "Content-Type: application/octet-stream", "Cache-Control: public, max-age=31536000, immutable",
            ]
        )
    }

    @Test func `lines come to the handler as they were sent, up to their limit and of their type`() throws {
        let room = try EndpointRoom([Self.lines])
        let content = Array(
            Array(repeating: Array("{\"a\": \u{FEFF}[1.50]}\r\n".utf8), count: 90_000).joined().prefix(Self.most)
        )
        let digest = SHA256.digest(content).hexadecimal
        try room.serve { port in
            let type = "Content-Type: application/x-ndjson"
            for path in ["/v1/lines", "/v1/lines?since=0"] {
                let taken = try answer(at: port, to: ["POST \(path) HTTP/1.1", type], content)
                #expect(taken.hasPrefix("HTTP/1.1 200 ") && taken.contains(digest), "\(taken.prefix(200))")
            }
            let large = try answer(at: port, to: ["POST /v1/lines HTTP/1.1", type], content + [0x0A])
            #expect(large.hasPrefix("HTTP/1.1 413 "))
            let form = try answer(at: port, to: ["POST /v1/lines HTTP/1.1", "Content-Type: application/json"], content)
            #expect(form.hasPrefix("HTTP/1.1 415 "))
        }
    }

    @Test(.holds("SVC-25")) func `a query is read strictly where it is described`() throws {
        let room = try EndpointRoom([Self.asking])
        func ask(_ query: String?) throws -> (status: Int, text: String, member: String?) {
            let answer = try room.answer(HTTPRequest(.get, "/v1/asking", query: query)).wait()
            let json = try JSON(reading: answer.body, byteLimit: 4_096)
            return (answer.status, text(json["values"]) ?? json["code"]?.text ?? "", json["member"]?.text)
        }
        for (query, values) in [
            (nil, "[null,null]"), ("", "[null,null]"), ("to=2", #"[null,"2"]"#), ("to=&from=1%2F2", #"["1/2",""]"#),
            ("%66rom=a=b", #"["a=b",null]"#),
        ] as [(String?, String)] {
            #expect(try ask(query) == (200, values, nil), "\(query ?? "")")
        }
        for (query, member) in [
            ("from=1&from=1", "from"), ("to=2&%74o=3&from=1", "to"), ("from", "from"), ("from=1+2", "from"),
            ("to=%FF", "to"), ("other=1", nil), ("from=1&", nil), ("from=1&&to=2", nil), ("From=1", nil),
            ("from=1&hunter2", nil), ("fro%C3%AD=1", nil),
        ] as [(String, String?)] {
            #expect(try ask(query) == (422, "FORM", member), "\(query)")
        }
    }

    @Test func `a query that no parameter describes changes nothing`() throws {
        let client = try ServiceRoom().client()
        let request = HTTPRequest(.get, "/healthz", query: "from=1&&x", peer: client.peer)
        #expect(client.worker.answer(request).wait().status == 200)
    }
}
