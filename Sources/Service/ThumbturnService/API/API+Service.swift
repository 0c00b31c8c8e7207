import ThumbturnHTTP
import ThumbturnJSON

// The service itself.
extension API {
    static let serviceEndpoints = [health, readiness, metrics, openAPI]

    private static let status = Operation.Answer(200, "Yes.", schema: object([("status", ["const": "ok"])]))

    private static let health = Endpoint(
        method: .get,
        pattern: "/healthz",
        name: "health",
        summary: "Whether the process answers.",
        answer: status,
        usesStore: false
    ) { _ throws(Problem) in
        .now(.answer([("status", "ok")]))
    }

    private static let readiness = Endpoint(
        method: .get,
        pattern: "/readyz",
        name: "readiness",
        summary:
            "Whether the service can do its work: its database takes what is written, and it has the key that seals.",
        answer: status
    ) { exchange throws(Problem) in
        try exchange.worker.service.readiness.check(exchange.accounts.keys, in: exchange.store, at: exchange.caller.now)
        return .now(.answer([("status", "ok")]))
    }

    static let metricsName = "metrics"

    private static let metrics = Endpoint(
        method: .get,
        pattern: "/metrics",
        name: metricsName,
        summary: "What the service counts, for Prometheus.",
        answer: Operation.Answer(200, "Counts.", type: "text/plain", schema: ["type": "string"]),
        usesStore: false
    ) { exchange throws(Problem) in
        .now(exchange.worker.service.metricsAnswer)
    }

    private static let openAPI = Endpoint(
        method: .get,
        pattern: "/openapi.json",
        name: "openAPI",
        summary: "This document.",
        answer: Operation.Answer(200, "The document.", schema: ["type": "object"]),
        usesStore: false
    ) { exchange throws(Problem) in
        let document = exchange.worker.service.document
        return .now(HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: document))
    }
}
