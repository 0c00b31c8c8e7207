import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

// What a SIEM polls.
extension API {
    private static let cursorField = "Thumbturn-Cursor"

    static let events = Endpoint(
        method: .get,
        pattern: "/v1/audit/events",
        name: "readEvents",
        summary: """
            Records and entries of all logs, up to their signed heads: 1,000 lines at most, none twice, and each log's in \
            its order. A page without lines has the cursor that was given.
            """,
        parameters: [
            Operation.Parameter(
                "device",
                in: .query,
                "The device whose records alone are asked for; empty for all.",
                schema: ["type": "string", "pattern": "^([0-9a-f]{32})?$"],
                isRequired: false
            ),
            Operation.Parameter(
                "after",
                in: .query,
                "The cursor of the page before; empty for the beginning.",
                schema: ["type": "string"],
                isRequired: false
            ),
        ],
        needsAuditor: true,
        answer: eventsAnswer
    ) { exchange throws(Problem) in
        try exchange.auditor()
        let (name, after) = (try exchange.query("device") ?? "", try exchange.query("after") ?? "")
        let device = Identifier(text: name)
        guard device != nil || name.isEmpty else { throw .form("device") }
        guard let cursor = after.isEmpty ? FeedCursor() : FeedCursor(after) else { throw .form("after") }
        let page = try exchange.page(after: cursor, of: device)
        guard let page else { throw .form("after") }
        var response = HTTPResponse.bytes(page.lines, type: JSONLines.type)
        response.headers.append((cursorField, page.cursor.text))
        return .now(response)
    }

    private static var eventsAnswer: Operation.Answer {
        var answer = Operation.Answer(
            200,
            "Records as readers see them, and entries of the service's own.",
            type: JSONLines.type,
            schema: JSONLines.schema(ofLine: ["type": "object"])
        )
        answer.fields = [(cursorField, "What to give as after for the next page.", ["type": "string"])]
        return answer
    }
}
