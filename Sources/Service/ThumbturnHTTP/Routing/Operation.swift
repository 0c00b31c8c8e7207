package import ThumbturnJSON

/// What `openapi.json` says of a route, beside what the route itself says.
package struct Operation: Sendable {
    /// A value that a request carries outside of its content.
    package struct Parameter: Sendable {
        /// Where it stands.
        package enum Place: String, Sendable { case path, query, header }

        let name: String
        let place: Place
        let summary: String
        let schema: JSON
        let isRequired: Bool

        /// A parameter; one of the path is always required, and has to have a name in braces in the route's pattern.
        package init(_ name: String, in place: Place, _ summary: String, schema: JSON, isRequired: Bool = true) {
            (self.name, self.place, self.summary) = (name, place, summary)
            (self.schema, self.isRequired) = (schema, isRequired || place == .path)
        }
    }

    /// A way in which the route answers.
    package struct Answer: Sendable {
        let status: Int
        let summary: String
        let type: String
        let schema: JSON?
        /// The header fields that it always has, and what stands in them.
        package var fields: [(name: String, summary: String, schema: JSON)] = []

        /// An answer of this status; without a schema it has no content.
        package init(_ status: Int, _ summary: String, type: String = "application/json", schema: JSON? = nil) {
            (self.status, self.summary, self.type, self.schema) = (status, summary, type, schema)
        }

        /// An answer that is a problem document, of the schema that the whole document names.
        package static func problem(_ status: Int, _ summary: String) -> Answer {
            Answer(status, summary, type: "application/problem+json", schema: ["$ref": "#/components/schemas/Problem"])
        }
    }

    let name: String
    let summary: String
    let parameters: [Parameter]
    let request: JSON?
    let answers: [Answer]
    let needsToken: Bool

    /// What is said of a route.
    ///
    /// - Parameters:
    ///   - name: the operation's id, of letters and digits.
    ///   - request: the schema of its content; nil where it has none.
    ///   - answers: how its handler answers; what server and router refuse by themselves is added.
    ///   - needsToken: whether it wants a bearer token.
    package init(
        _ name: String,
        _ summary: String,
        parameters: [Parameter] = [],
        request: JSON? = nil,
        answers: [Answer],
        needsToken: Bool = false
    ) {
        (self.name, self.summary, self.parameters) = (name, summary, parameters)
        (self.request, self.answers, self.needsToken) = (request, answers, needsToken)
    }
}
