import Testing
import ThumbturnJSON

@testable import ThumbturnHTTP

struct OpenAPITests {
    private let document: JSON = {
        let answers: [Operation.Answer] = [
            .init(200, "The account.", schema: ["$ref": "#/components/schemas/Account"]), .problem(404, "None."),
        ]
        let read = Operation(
            "readAccount",
            "Reads an account.",
            parameters: [.init("id", in: .path, "Which.", schema: ["type": "string", "pattern": "^[0-9a-f]+$"])],
            answers: answers,
            needsToken: true
        )
        let write = Operation(
            "writeAccount",
            "Writes one.",
            request: ["type": "object"],
            answers: [.init(204, "Written.")]
        )
        let routes: [Route<Int>] = [
            Route(.get, "/accounts/{id}", document: read) { _, _ in .now(HTTPResponse(status: 200)) },
            Route(.put, "/accounts/{id}", maximumBody: 9, contentType: "application/json", document: write) { _, _ in
                .now(HTTPResponse(status: 204))
            },
            Route(.get, "/health", document: Operation("health", "Says whether.", answers: [.init(200, "Yes.")])) {
                _,
                _ in
                .now(HTTPResponse(status: 200))
            },
        ]
        return Router(routes).openAPI(title: "A service", version: "1", schemas: [("Account", ["type": "object"])])
    }()

    private func text(_ json: JSON?) -> String? { json?.text(escaping: JSON.shortestEscape) }

    private func names(_ json: JSON?) -> [String]? {
        guard case .object(let members)? = json else { return nil }
        return members.map(\.0)
    }

    @Test func `a path has an operation for each of its routes`() {
        #expect(text(document["openapi"]) == "\"3.1.0\"")
        #expect(text(document["info"]) == #"{"title":"A service","version":"1"}"#)
        #expect(names(document["paths"]) == ["/accounts/{id}", "/health"])
        #expect(names(document["paths"]?["/accounts/{id}"]) == ["get", "put"])
        #expect(names(document["components"]?["schemas"]) == ["Problem", "Account"])
    }

    @Test func `an operation says what it takes`() {
        let path = document["paths"]?["/accounts/{id}"]
        #expect(text(path?["get"]?["operationId"]) == "\"readAccount\"")
        #expect(text(path?["get"]?["security"]) == #"[{"bearer":[]}]"#)
        let described =
            #"[{"name":"id","in":"path","description":"Which.","required":true,"schema":{"type":"string","pattern":"^[0-9a-f]+$"}}]"#
        #expect(text(path?["get"]?["parameters"]) == described)
        #expect(path?["get"]?["requestBody"] == nil)
        let any = #"[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}]"#
        #expect(text(path?["put"]?["parameters"]) == any)
        let body = #"{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}}"#
        #expect(text(path?["put"]?["requestBody"]) == body)
        #expect(path?["put"]?["security"] == nil)
    }

    @Test func `an operation says all its answers, those too that no handler gives`() {
        let paths = document["paths"]
        let own = ["400", "408", "413", "414", "417", "429", "431", "501", "503", "505"]
        #expect(names(paths?["/health"]?["get"]?["responses"]) == ["200"] + own)
        #expect(names(paths?["/accounts/{id}"]?["get"]?["responses"])?.contains("404") == true)
        let written = names(paths?["/accounts/{id}"]?["put"]?["responses"])
        #expect(written == ["204", "400", "408", "413", "414", "415", "417", "429", "431", "501", "503", "505"])
        let problem = ##"{"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}}"##
        #expect(text(paths?["/health"]?["get"]?["responses"]?["413"]?["content"]) == problem)
        #expect(paths?["/accounts/{id}"]?["put"]?["responses"]?["204"]?["content"] == nil)
    }
}
