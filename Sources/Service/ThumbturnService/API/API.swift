import ThumbturnHTTP
import ThumbturnJSON

/// The service's endpoints, in one table for both the router and the OpenAPI document.
enum API {
    static let endpoints =
        accountEndpoints + loginEndpoints + deviceEndpoints + uploadEndpoints + auditEndpoints + serviceEndpoints

    /// Returns the endpoints that the configuration enables.
    static func endpoints(_ configuration: Service.Configuration) -> [Endpoint] {
        let shown = endpoints.filter { configuration.showsMetrics || $0.name != metricsName }
        return shown.map { endpoint in
            var endpoint = endpoint
            if configuration.showsTiles, showsHashes(endpoint) { endpoint.needsAuditor = false }
            // A client of a closed service learns that it is closed, rather than what to send.
            endpoint.takesAnyType = endpoint.name == registerName && !configuration.isRegistrationOpen
            return endpoint
        }
    }

    /// Returns the service's description (OpenAPI 3.1).
    static func document(of router: Router<Worker>, version: String) -> [UInt8] {
        let document = router.openAPI(title: "thumbturnd", version: version, problem: problem)
        return Array(document.wireText.utf8)
    }

    /// The schema of a problem document (RFC 9457).
    private static let problem: JSON = [
        "type": "object",
        "required": .array(["type", "title", "status", "code", "detail"]),
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "code": [
                "type": "string", "description": "What a client decides by; the answers of each call name theirs.",
            ],
            "detail": ["type": "string"],
            "member": [
                "type": "string", "description": "Of `FORM`: which member or parameter is wrong, where it is known.",
            ],
            "group": ["type": "string", "description": "Of `GROUP`: the group in which the client has to begin."],
        ],
    ]
}

extension Service {
    /// Creates a service with a route for each endpoint.
    ///
    /// - Parameters:
    ///   - ledger: the audit logs, started by the caller.
    ///   - clock: returns the time; `ServiceTime.now` except in tests.
    package convenience init(
        _ configuration: Configuration,
        keys: AccountKeys,
        ledger: AuditLedger? = nil,
        log: ServiceLog,
        clock: @escaping @Sendable () -> ServiceTime = ServiceTime.now
    ) {
        let router = Router<Worker>(API.endpoints(configuration).map(\.route)) { $0.problem.uncached }
        self.init(
            configuration,
            keys: keys,
            ledger: ledger,
            log: log,
            clock: clock,
            router: router,
            document: API.document(of: router, version: configuration.version)
        )
    }
}

// Schemas of answers.
extension API {
    static let hexadecimal32: JSON = ["type": "string", "pattern": "^[0-9a-f]{32}$"]
    static let origin: JSON = [
        "type": "string", "description": "The service's name: what devices sign, at whatever address it is dialled.",
    ]
    static let time = Member.sentAt.schema
    static let epoch = Member.policyEpoch.schema

    /// Returns the schema of an object with these members and no others.
    static func object(_ members: [(String, JSON)], optional: [(String, JSON)] = []) -> JSON {
        Shape(required: members.map { ($0.0, $0.1) }, optional: optional.map { ($0.0, $0.1) }).schema
    }

    /// The schema of a device as its account's owner sees it.
    static let device = object(
        [("deviceId", Member.deviceID.schema), ("algorithm", Member.algorithm.schema), ("createdAt", time)],
        optional: [("name", Member.deviceName.schema)]
    )
}
