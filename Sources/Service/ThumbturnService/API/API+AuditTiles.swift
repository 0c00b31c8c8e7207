import ThumbturnAudit
import ThumbturnHTTP
import ThumbturnJSON

// Tiles of a log, and bundles of its leaves (C2SP tlog-tiles).
extension API {
    /// Whether an endpoint shows tiles of hashes, which may be anyone's; leaves never are.
    static func showsHashes(_ endpoint: Endpoint) -> Bool {
        Place.allCases.contains { tileName($0) == endpoint.name }
    }

    private static let number = Operation.Parameter(
        "number",
        in: .path,
        """
        The tile's number in groups of three digits, each but the last as a part of its own that begins with x; then .p/W \
        for the first W of 256.
        """,
        schema: ["type": "string", "examples": .array(["000", "x001/067", "x001/067.p/8"])]
    )

    private static func tileName(_ place: Place) -> String { place.name("readTile") }

    static func tile(_ place: Place) -> Endpoint {
        Endpoint(
            method: .get,
            pattern: place.pattern("tile/{level}/{number}"),
            isOpenEnded: true,
            name: tileName(place),
            summary: "A tile of a log's hashes, 32 bytes each; a whole one never changes.",
            parameters: place.parameters([
                Operation.Parameter(
                    "level",
                    in: .path,
                    "0 for the hashes of leaves, up to 7.",
                    schema: ["type": "integer"]
                ),
                number,
            ]),
            needsAuditor: true,
            answer: bytes,
            problems: place.problems + [.beyondHead]
        ) { exchange throws(Problem) in
            let isPublic = exchange.worker.service.configuration.showsTiles
            if !isPublic { try exchange.auditor() }
            let log = try exchange.log()
            let parameters = exchange.request.parameters
            let path = (parameters["level"] ?? "") + "/" + (parameters["number"] ?? "")
            guard let (tile, width) = MerkleTile.read(path: path) else { throw .form("number") }
            let hashes = try exchange.reading(log) { log throws(StoreError) in try log.tile(tile, width: width) }
            return try .tile(hashes, isWhole: width == MerkleTile.width, isPublic: isPublic)
        }
    }

    static func leaves(_ place: Place) -> Endpoint {
        Endpoint(
            method: .get,
            pattern: place.pattern("tile/entries/{number}"),
            isOpenEnded: true,
            name: place.name("readLeaves"),
            summary: "A bundle of a log's leaves, each behind its length in two bytes, big-endian.",
            parameters: place.parameters([number]),
            needsAuditor: true,
            answer: bytes,
            problems: place.problems + [.beyondHead]
        ) { exchange throws(Problem) in
            try exchange.auditor()
            let log = try exchange.log()
            let path = "entries/" + (exchange.request.parameters["number"] ?? "")
            guard let (number, width) = MerkleTile.read(entriesPath: path) else { throw .form("number") }
            let bundle = try exchange.reading(log) { log throws(StoreError) in try log.entries(number, width: width) }
            return try .tile(bundle, isWhole: width == MerkleTile.width, isPublic: false)
        }
    }

    private static let bytes = Operation.Answer(
        200,
        "The bytes.",
        type: "application/octet-stream",
        schema: ["type": "string", "contentMediaType": "application/octet-stream"]
    )
}
