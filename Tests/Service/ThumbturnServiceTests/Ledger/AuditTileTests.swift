import Testing
import ThumbturnAudit
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("Tiles and proofs", .timeLimit(.minutes(10))) struct AuditTileTests {
    /// Sizes around one tile, and around the first whole tile of the next level.
    private static let sizes: [Backing: [Int]] = [
        .sqlite: [1, 2, 255, 256, 257, 511, 513, 65_535, 65_536, 65_537], .postgres: [255, 256, 257, 513],
    ]

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `are those of the tree of every size that was signed`(backing: Backing) throws {
        let room = try AuditRoom(backing)
        let (log, client) = (room.log, try room.client())
        for size in try #require(Self.sizes[backing]) {
            try log.add(count: size - log.leaves.count)
            try log.sign()
            try Self.check(log, client, room.token)
        }
        // What is not signed is shown to no one, though it is there.
        try log.add(count: 3)
        try Self.check(log, client, room.token)
        let size = log.size - 3
        for path in ["proof?index=0&size=\(size + 1)", "proof?from=1&to=\(size + 1)"] {
            #expect(try client.send(.get, "/v1/audit/" + path).code == "BEYOND_HEAD")
        }
    }

    /// Reads some of each tile and bundle that the newest head covers, and some that it does not.
    private static func check(_ log: TestLog, _ client: TestClient, _ token: String) throws {
        let size = try #require(log.notes.last).checkpoint.size
        var (level, row) = (UInt8(0), Array(log.hashes.prefix(Int(size))))
        while !row.isEmpty {
            let last = UInt64(row.count / 256)
            for number in Set([0, last / 2, max(last, 1) - 1, last]) {
                let hashes = row.dropFirst(Int(number) * 256).prefix(256)
                for width in Set([1, 255, 256, hashes.count, hashes.count + 1]) where 1...256 ~= width {
                    let path = "/v1/audit/tile/" + MerkleTile.path(level: level, number: number, width: width)
                    let reply = try client.send(.get, path, token: token)
                    guard width <= hashes.count else {
                        #expect((reply.status, reply.code) == (404, "BEYOND_HEAD"), "\(size) \(path)")
                        continue
                    }
                    #expect(reply.body == hashes.prefix(width).flatMap(\.self), "\(size) \(path)")
                    #expect((reply.header("Cache-Control") == "no-store") == (width < 256))
                }
            }
            row = (0..<row.count / 256).map { tile in
                var nodes = Array(row[(tile * 256)..<(tile * 256 + 256)])
                while nodes.count > 1 {
                    nodes = (0..<nodes.count / 2).map { MerkleTree.node(nodes[2 * $0], nodes[2 * $0 + 1]) }
                }
                return nodes[0]
            }
            level += 1
        }
        let beyond = try client.send(.get, "/v1/audit/tile/\(level)/000.p/1", token: token)
        #expect(beyond.code == "BEYOND_HEAD")
        try checkLeaves(log, Int(size), client, token)
        try checkProofs(log, size, client)
    }

    private static func checkLeaves(_ log: TestLog, _ size: Int, _ client: TestClient, _ token: String) throws {
        for number in Set([0, size / 256]) {
            let leaves = log.leaves[..<size].dropFirst(number * 256).prefix(256)
            for width in Set([1, leaves.count, leaves.count + 1]) where 1...256 ~= width {
                let path = "/v1/audit/tile/" + MerkleTile.entriesPath(number: UInt64(number), width: width)
                let reply = try client.send(.get, path, token: token)
                guard width <= leaves.count else {
                    #expect((reply.status, reply.code) == (404, "BEYOND_HEAD"), "\(size) \(path)")
                    continue
                }
                let bundle = leaves.prefix(width).flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
                #expect(reply.body == bundle, "\(size) \(path)")
                #expect(reply.header("Content-Type") == "application/octet-stream")
            }
        }
    }

    private static func checkProofs(_ log: TestLog, _ size: UInt64, _ client: TestClient) throws {
        let root = try #require(log.notes.last).checkpoint.root
        for index in Set([0, 1, size / 2, size - 1]) where index < size {
            let reply = try client.send(.get, "/v1/audit/proof?index=\(index)&size=\(size)")
            #expect(reply.json["index"]?.number == Int64(index) && reply.json["size"]?.number == Int64(size))
            let proof = try hashes(reply)
            let found = try MerkleProof.root(of: log.hashes[Int(index)], at: index, size: size, proof: proof)
            #expect(found == root, "\(index) of \(size)")
        }
        for note in log.notes {
            let former = note.checkpoint
            let reply = try client.send(.get, "/v1/audit/proof?from=\(former.size)&to=\(size)")
            #expect(reply.json["from"]?.number == Int64(former.size) && reply.json["to"]?.number == Int64(size))
            try MerkleProof.checkConsistency(
                from: former.size,
                root: former.root,
                to: size,
                root: root,
                proof: try hashes(reply)
            )
        }
    }

    private static func hashes(_ reply: Reply) throws -> [[UInt8]] {
        try #require(reply.status == 200, "\(reply.code ?? "")")
        return try #require(reply.json["proof"]?.elements).map { try #require($0.text?.bytes) }
    }

    @Test(.holds("SVC-6")) func `a proof costs a few tiles, however large the log`() throws {
        let room = try AuditRoom(.sqlite)
        try room.log.add(count: 70_000)
        try room.log.sign()
        let (client, store) = try room.service.watchedClient()
        // The first request of a service sweeps.
        #expect(try client.send(.get, "/healthz").status == 200)
        for query in ["index=0&size=70000", "index=34567&size=69999", "from=1&to=70000", "from=65535&to=69999"] {
            store.forget()
            #expect(try client.send(.get, "/v1/audit/proof?" + query).status == 200)
            #expect(store.statements.count <= 12, "\(query)")
        }
    }

    @Test func `a tile's path has one form`() throws {
        let room = try AuditRoom(.sqlite)
        try room.log.add(count: 257)
        try room.log.sign()
        let client = try room.client()
        let wrong = [
            "0/000.p/0", "0/000.p/256", "0/000.p/257", "0/000.p/01", "0/000.p/-1", "0/000.p/", "0/000.p/1/2", "0/000.p",
            "0/x000/000", "0/x000", "0/0", "0/00", "0/0000", "0/001x", "0/x001/67", "0/x1/067", "0/x001/067.p/256",
            "0/x001%2F067", "0/-01", "0/+00", "8/000", "64/000", "00/000", "-1/000", "a/000", "256/000", "0/٠٠٠",
            "0/x999/x999/x999/x999/x999/x999/x999/999", "entries/0", "entries/000.p/0", "entries/000.p/256",
            "entries/x000/001", "entries/x999/x999/x999/x999/x999/x999/x999/999", "entries/000.p/1%2F2",
            "data/000",
        ]
        for path in wrong {
            let reply = try client.send(.get, "/v1/audit/tile/" + path, token: room.token)
            #expect([404, 422].contains(reply.status) && ["FORM", "NOT_FOUND"].contains(reply.code), "\(path)")
        }
        for path in ["0/x001/067", "7/000", "0/x123/x456/x789/012", "0/002.p/1", "entries/x001/067.p/8", "0/001.p/2"] {
            let reply = try client.send(.get, "/v1/audit/tile/" + path, token: room.token)
            #expect((reply.status, reply.code) == (404, "BEYOND_HEAD"), "\(path)")
        }
    }

    @Test func `a proof is of two numbers, and nothing else`() throws {
        let room = try AuditRoom(.sqlite)
        try room.log.add(count: 5)
        try room.log.sign()
        let client = try room.client()
        let wrong = [
            "", "?", "?index=1", "?size=1", "?from=1", "?to=1", "?index=1&to=2", "?from=1&size=2", "?index=5&size=5",
            "?index=6&size=5", "?from=5&to=4", "?index=-1&size=5", "?index=01&size=5", "?index=+1&size=5",
            "?index=1.0&size=5", "?index=1e0&size=5", "?index=0x1&size=5", "?index=&size=5", "?index=%D9%A1&size=5",
            "?index=1&size=9007199254740992", "?index=1&size=18446744073709551616", "?index=0&index=1&size=5",
            "?index=1&size=5&from=0&to=5", "?index=1&size=5&leaf=0", "?index=1;size=5", "?Index=1&size=5",
        ]
        for query in wrong {
            let reply = try client.send(.get, "/v1/audit/proof" + query)
            #expect((reply.status, reply.code) == (422, "FORM"), "\(query)")
        }
        for query in ["index=0&size=6", "from=0&to=6", "from=6&to=9007199254740991", "index=1&size=9007199254740991"] {
            let reply = try client.send(.get, "/v1/audit/proof?" + query)
            #expect((reply.status, reply.code) == (404, "BEYOND_HEAD"), "\(query)")
        }
        #expect(try client.send(.get, "/v1/audit/proof?from=0&to=0").json["proof"]?.elements?.isEmpty == true)
        #expect(try client.send(.get, "/v1/audit/proof?from=5&to=5").json["proof"]?.elements?.isEmpty == true)
    }
}
