package import ThumbturnJSON

extension Router {
    /// Returns the OpenAPI 3.1 document of the routes.
    ///
    /// - Parameters:
    ///   - problem: the schema of refusals, which every operation references.
    ///   - schemas: further schemas for operations to reference, as `#/components/schemas/Name`.
    package func openAPI(
        title: String,
        version: String,
        problem: JSON = Refusal.schema,
        schemas: [(String, JSON)] = []
    ) -> JSON {
        var paths: [(String, JSON)] = []
        for route in routes where !paths.contains(where: { $0.0 == route.pattern.text }) {
            let operations = routes.filter { $0.pattern == route.pattern }
            paths.append(
                (route.pattern.text, .object(operations.map { ($0.method.rawValue.lowercased(), $0.operation) }))
            )
        }
        return [
            "openapi": "3.1.0",
            "info": ["title": .string(title), "version": .string(version)],
            "paths": .object(paths),
            "components": [
                "schemas": .object([("Problem", problem)] + schemas),
                "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
            ],
        ]
    }
}

extension Route {
    /// The route's entry in the document.
    fileprivate var operation: JSON {
        var members: [(String, JSON)] = [
            ("operationId", .string(document.name)), ("summary", .string(document.summary)),
        ]
        if document.needsToken { members.append(("security", .array([["bearer": .array([])]]))) }
        let parameters = allParameters.map(\.json)
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        if let schema = document.request {
            let content: JSON = .object([(contentType ?? "application/json", ["schema": schema])])
            members.append(("requestBody", ["required": .bool(true), "content": content]))
        }
        members.append(("responses", .object(responses)))
        return .object(members)
    }

    /// The parameters: those of the path come from the pattern, as any text unless described.
    private var allParameters: [Operation.Parameter] {
        let described = Set(document.parameters.map(\.name))
        let others = pattern.names.filter { !described.contains($0) }
        return others.map { Operation.Parameter($0, in: .path, "", schema: ["type": "string"]) } + document.parameters
    }

    /// One answer per status: the handler's, then the refusals by server and router.
    private var responses: [(String, JSON)] {
        var responses: [(String, JSON)] = []
        for answer in document.answers
            + Refusal.examples(maximumBody: maximumBody, contentType: contentType).map(\.answer)
        where !responses.contains(where: { $0.0 == String(answer.status) }) {
            responses.append((String(answer.status), answer.json))
        }
        return responses.sorted { $0.0 < $1.0 }
    }
}

extension Operation.Parameter {
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [("name", .string(name)), ("in", .string(place.rawValue))]
        if !summary.isEmpty { members.append(("description", .string(summary))) }
        return .object(members + [("required", .bool(isRequired)), ("schema", schema)])
    }
}

extension Operation.Answer {
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [("description", .string(summary))]
        if !fields.isEmpty { members.append(("headers", .object(fields.map { ($0.name, Self.header($0)) }))) }
        if let schema { members.append(("content", .object([(type, .object([("schema", schema)]))]))) }
        return .object(members)
    }

    private static func header(_ field: (name: String, summary: String, schema: JSON)) -> JSON {
        .object([("description", .string(field.summary)), ("required", .bool(true)), ("schema", field.schema)])
    }
}

extension Refusal {
    /// The schema of `problem`.
    package static let schema: JSON = [
        "type": "object",
        "required": .array(["type", "title", "status", "code"]),
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string"], "code": ["type": "string"],
        ],
    ]

    /// Returns one refusal of each kind that a request for the route may get.
    fileprivate static func examples(maximumBody: Int, contentType: String?) -> [Refusal] {
        let ofType = contentType.map { [Refusal.unsupportedMediaType(expected: $0)] } ?? []
        return ofType + [
            .bodyTooLarge(maximum: maximumBody),
            .malformed(.requestLine), .timeout, .targetTooLong, .expectationFailed, .headersTooLarge,
            .unknownTransferCoding,
            .tooManyConnections, .busy, .unknownVersion,
        ]
    }

    fileprivate var answer: Operation.Answer { .problem(status, HTTPResponse.reason(status)) }
}
