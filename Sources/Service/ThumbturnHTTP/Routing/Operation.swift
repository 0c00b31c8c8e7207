package import ThumbturnJSON

/// What `openapi.json` says about a route in addition to the route itself.
package struct Operation: Sendable {
    /// A value of a request outside its content.
    package struct Parameter: Sendable {
        /// The place of a parameter.
        package enum Place: String, Sendable { case path, query, header }

        package let name: String
        package let place: Place
        let summary: String
        let schema: JSON
        let isRequired: Bool

        /// Creates a parameter; one in the path is always required, and must be a name in braces in the route's
        /// pattern.
        package init(_ name: String, in place: Place, _ summary: String, schema: JSON, isRequired: Bool = true) {
            (self.name, self.place, self.summary) = (name, place, summary)
            (self.schema, self.isRequired) = (schema, isRequired || place == .path)
        }
    }

    /// An answer of the route.
    package struct Answer: Sendable {
        let status: Int
        let summary: String
        let type: String
        let schema: JSON?
        /// The header fields that the answer always has.
        package var fields: [(name: String, summary: String, schema: JSON)] = []

        /// Creates an answer with this status; without a schema it has no content.
        package init(_ status: Int, _ summary: String, type: String = "application/json", schema: JSON? = nil) {
            (self.status, self.summary, self.type, self.schema) = (status, summary, type, schema)
        }

        /// Returns an answer with a problem document, whose schema is named in the OpenAPI document.
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

    /// Creates the description of a route.
    ///
    /// - Parameters:
    ///   - name: the operation's id, of letters and digits.
    ///   - request: the schema of its content; `nil` if it has none.
    ///   - answers: the handler's answers; refusals by server and router are added.
    ///   - needsToken: whether it requires a bearer token.
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
