import ThumbturnAudit
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

// What auditors read of the ledger, in the paths and bytes of C2SP tlog-tiles.
extension API {
    /// Those of the service's first log, the same of each log, and what spans all.
    static let auditEndpoints =
        Place.allCases.flatMap { place in
            // The path of leaves comes first: a tile's would match it too.
            [checkpoint(place), key(place), proof(place), leaves(place), tile(place)]
        } + [events]

    /// Which log a path is about.
    enum Place: CaseIterable {
        case first, each

        func pattern(_ path: String) -> String {
            switch self {
            case .first: "/v1/audit/" + path
            case .each: "/v1/audit/logs/{log}/" + path
            }
        }

        func name(_ name: String) -> String {
            switch self {
            case .first: name
            case .each: name + "OfLog"
            }
        }

        func parameters(_ own: [Operation.Parameter]) -> [Operation.Parameter] {
            switch self {
            case .first: own
            case .each:
                [Operation.Parameter("log", in: .path, "The log's number; former ones come first.", schema: count)]
                    + own
            }
        }

        var problems: [ProblemCode] {
            switch self {
            case .first: [.headMissing]
            case .each: [.headMissing, .logUnknown]
            }
        }
    }

    private static let count: JSON = [
        "type": "integer", "minimum": .integer(0), "maximum": .integer(JSON.wholeNumbers.upperBound),
    ]

    private static func checkpoint(_ place: Place) -> Endpoint {
        Endpoint(
            method: .get,
            pattern: place.pattern("checkpoint"),
            name: place.name("readCheckpoint"),
            summary: "The newest signed head of a log (C2SP tlog-checkpoint).",
            parameters: place.parameters([]),
            answer: Operation.Answer(200, "The note.", type: "text/plain", schema: ["type": "string"]),
            problems: place.problems
        ) { exchange throws(Problem) in
            let log = try exchange.log()
            let note: [UInt8]
            if let face = exchange.worker.service.ledger?.face(of: log) {
                note = face.note.text
            } else {
                note = try exchange.reading(log) { log throws(StoreError) in try log.newestNote() }
            }
            return .now(.bytes(note, type: "text/plain; charset=utf-8"))
        }
    }

    private static func key(_ place: Place) -> Endpoint {
        Endpoint(
            method: .get,
            pattern: place.pattern("key"),
            name: place.name("readAuditKeys"),
            summary: "The public keys that have signed a log's heads, the first one first.",
            parameters: place.parameters([]),
            answer: Operation.Answer(
                200,
                "The keys; a later one with the first head that a former one signed beside it.",
                schema: object([
                    ("keys", ["type": "array", "items": auditKey]), ("origin", ["type": "string"]),
                ])
            ),
            problems: place.problems
        ) { exchange throws(Problem) in
            let log = try exchange.log()
            let keys: AuditKeys
            if let face = exchange.worker.service.ledger?.face(of: log) {
                keys = face.keys
            } else {
                keys = try exchange.reading(log) { log throws(StoreError) in try log.keys() }
            }
            return .now(HTTPResponse(status: 200, json: keys.json).uncached)
        }
    }

    private static let auditKey = object(
        [
            ("algorithm", ["const": .string(AuditKey.Algorithm.p256.rawValue)]), ("from", count),
            ("id", ["type": "string", "pattern": "^[0-9a-f]{8}$"]),
            ("publicKey", ["type": "string", "contentEncoding": "base64"]),
        ],
        optional: [("checkpoint", ["type": "string"])]
    )

    private static func proof(_ place: Place) -> Endpoint {
        func number(_ name: String, _ summary: String) -> Operation.Parameter {
            Operation.Parameter(name, in: .query, summary, schema: count, isRequired: false)
        }
        return Endpoint(
            method: .get,
            pattern: place.pattern("proof"),
            name: place.name("readProof"),
            summary: """
                Proves that a leaf is in a tree (index, size), or that a tree continues another (from, to), as RFC 9162 \
                does. A size that is no signed head's may be asked for, too.
                """,
            parameters: place.parameters([
                number("index", "A leaf's place, below size."),
                number("size", "The number of leaves of the tree, which a signed head covers."),
                number("from", "The number of leaves of the former tree, at most to."),
                number("to", "The number of leaves of the later tree, which a signed head covers."),
            ]),
            answer: Operation.Answer(
                200,
                "The hashes in the order of RFC 9162 §2.1.3 or §2.1.4, and what was asked for.",
                schema: object(
                    [("proof", ["type": "array", "items": Endpoint.hexadecimal64])],
                    optional: [("index", count), ("size", count), ("from", count), ("to", count)]
                )
            ),
            problems: place.problems + [.beyondHead]
        ) { exchange throws(Problem) in
            let log = try exchange.log()
            let question = try exchange.question()
            let hashes = try exchange.reading(log) { log throws(StoreError) in try question.answer(by: log) }
            guard let hashes else { throw Problem(.beyondHead) }
            let members = question.members + [("proof", .array(hashes.map { .string($0.hexadecimal) }))]
            return .now(.answer(members))
        }
    }
}
