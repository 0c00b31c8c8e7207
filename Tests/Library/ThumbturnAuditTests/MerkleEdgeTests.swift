import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct MerkleEdgeTests {
    /// What a service stores.
    private struct Store {
        private(set) var tiles: [MerkleTile: [UInt8]] = [:]

        mutating func take(_ changes: [(tile: MerkleTile, hashes: [UInt8])]) {
            for (tile, hashes) in changes { tiles[tile] = hashes }
        }
    }

    private struct Torn: Error {}

    private static func edge(_ reference: MerkleReference, size: Int) throws -> MerkleEdge {
        var calls: [UInt8] = []
        let edge = MerkleEdge(size: UInt64(size)) { tile in
            calls.append(tile.level)
            return reference.tile(tile, size: size)
        }
        #expect(Set(calls).count == calls.count, "one tile of each level")
        return try #require(edge)
    }

    @Test(.holds("F-107-10")) func `a tree that grows has at each size the root of all its leaves`() {
        let reference = MerkleReference(count: 1_025)
        var edge = MerkleEdge()
        #expect(
            edge.root == MerkleTree.emptyRoot && edge.changes.isEmpty
                && edge.node(MerkleNode(level: 0, index: 0)) == nil
        )
        for size in 1...1_025 {
            edge.append(reference.root(size - 1, size))
            #expect(edge.size == UInt64(size) && edge.root == reference.root(0, size), "\(size)")
        }
        // Nothing was settled, so all complete nodes are there, and no other.
        for level in 0..<UInt8(11) {
            let count = UInt64(1_025) >> level
            for index in 0..<count {
                let node = MerkleNode(level: level, index: index)
                #expect(edge.node(node) == reference.node(node), "\(node)")
            }
            for index in [count, count + 1, count + 256, .max] {
                #expect(edge.node(MerkleNode(level: level, index: index)) == nil)
            }
        }
        for level in [11, 16, 56, 63] as [UInt8] { #expect(edge.node(MerkleNode(level: level, index: 0)) == nil) }
    }

    @Test(.holds("F-107-10"), arguments: [0...199, 200...399, 400...520, 521...600])
    func `an edge that was loaded from tiles goes on as the one that was grown`(sizes: ClosedRange<Int>) throws {
        let reference = MerkleReference(count: 900)
        for size in sizes {
            var loaded = try Self.edge(reference, size: size)
            #expect(loaded.root == reference.root(0, size) && loaded.changes.isEmpty, "\(size)")
            // Across the end of the tile, and of the next level's first.
            for next in size..<(size + 270) { loaded.append(reference.root(next, next + 1)) }
            let end = size + 270
            guard loaded.root == reference.root(0, end) else {
                Issue.record("the root of \(end) from \(size)")
                continue
            }
            for change in loaded.changes {
                #expect(change.hashes == reference.tile(change.tile, size: end), "\(size): \(change.tile)")
            }
        }
    }

    @Test(.holds("F-107-10")) func `what changed makes up the tiles of the whole tree, each batch its own`() throws {
        // Just beyond the first whole tile of level 1, as in C2SP tlog-tiles.
        let count = 70_000
        var (edge, store, hashes) = (MerkleEdge(), Store(), [[UInt8]]())
        var generator = SeededGenerator(seed: 107)
        while hashes.count < count {
            let start = hashes.count
            let end = min(count, start + Int.random(in: 1...3_000, using: &generator))
            for index in start..<end {
                hashes.append(MerkleTree.leaf(Array("\(index)".utf8)))
                edge.append(hashes[index])
            }
            let changes = edge.changes
            let first = Set(changes.filter { $0.tile.level == 0 }.map(\.tile.number))
            #expect(first == Set(UInt64(start) / 256...UInt64(end - 1) / 256), "\(start) to \(end)")
            #expect(Set(changes.map(\.tile)).count == changes.count)
            store.take(changes)
            edge.settle(keeping: UInt64(end))
            #expect(edge.changes.isEmpty)
            // A writer that begins anew with what was stored.
            let again = MerkleEdge(size: UInt64(end)) { tile in store.tiles[tile] ?? [] }
            #expect(again?.root == edge.root)
        }
        let widths = store.tiles.mapValues { $0.count / 32 }
        #expect(widths.filter { $0.key.level == 0 && $0.value == 256 }.count == 273)
        #expect(widths[MerkleTile(level: 0, number: 273)] == 112)
        #expect(widths[MerkleTile(level: 1, number: 0)] == 256 && widths[MerkleTile(level: 1, number: 1)] == 17)
        #expect(widths[MerkleTile(level: 2, number: 0)] == 1 && widths.count == 277)
        #expect((0...273).flatMap { store.tiles[MerkleTile(level: 0, number: $0)] ?? [] } == hashes.flatMap(\.self))
        // Any leaf is proved from what is stored.
        let prover = MerkleProver<NoNode>(size: UInt64(count)) { node throws(NoNode) in
            guard let hashes = store.tiles[node.tile], let hash = MerkleTileNodes(hashes: hashes).node(node) else {
                throw NoNode()
            }
            return hash
        }
        for index in [0, 255, 256, 65_535, 65_536, 69_887, 69_888, 69_999] {
            let proof = try prover.inclusion(of: UInt64(index))
            let root = try MerkleProof.root(
                of: hashes[index],
                at: UInt64(index),
                size: UInt64(count),
                proof: proof
            )
            #expect(root == edge.root)
        }
    }

    @Test(.holds("F-107-10"), arguments: [1, 3, 100, 256, 300, 1_000])
    func `the newest leaves are proved without a store, also in a tree that has grown since`(batch: Int) throws {
        let reference = MerkleReference(count: 4_000)
        var edge = try Self.edge(reference, size: 700)
        var former = 700
        for _ in 0..<3 {
            let (start, end) = (Int(edge.size), Int(edge.size) + batch)
            for index in start..<end { edge.append(reference.root(index, index + 1)) }
            edge.settle(keeping: UInt64(former))
            // The batch before is signed while this one is stored.
            for (first, size) in [(start, end), (former, start)] where first < size {
                let prover = MerkleProver<NoNode>(size: UInt64(size)) { node throws(NoNode) in
                    guard let hash = edge.node(node) else { throw NoNode() }
                    return hash
                }
                #expect(try prover.root() == reference.root(0, size))
                for index in first..<size {
                    #expect(
                        try prover.inclusion(of: UInt64(index)) == reference.path(index, 0, size),
                        "\(index) of \(size)"
                    )
                }
            }
            former = start
        }
    }

    @Test func `what is neither new nor to be proved is let go`() {
        let reference = MerkleReference(count: 2_000)
        var edge = MerkleEdge()
        func holds(_ index: UInt64) -> Bool { edge.node(MerkleNode(level: 0, index: index)) != nil }
        for index in 0..<2_000 { edge.append(reference.root(index, index + 1)) }
        edge.settle(keeping: 600)
        #expect(!holds(0) && !holds(511) && holds(512) && holds(600) && holds(1_999))
        edge.settle(keeping: 100)
        #expect(!holds(511) && holds(512), "what went does not come back")
        edge.settle(keeping: .max)
        #expect(!holds(1_791) && holds(1_792) && holds(1_999))
        #expect(edge.root == reference.root(0, 2_000) && edge.changes.isEmpty)
    }

    @Test func `a tile that is too short, or missing, makes no edge; one that grew since does; a changed one shows`()
        throws
    {
        let reference = MerkleReference(count: 600)
        for size in [1, 255, 257, 300, 513, 600] {
            func edge(_ change: (inout [UInt8]) -> Void) -> MerkleEdge? {
                MerkleEdge(size: UInt64(size)) { tile in
                    var hashes = reference.tile(tile, size: size)
                    change(&hashes)
                    return hashes
                }
            }
            #expect(edge { $0.removeLast() } == nil && edge { $0 = [] } == nil && edge { $0.removeLast(32) } == nil)
            #expect(edge { $0 += [1] }?.root == reference.root(0, size))
            #expect(edge { $0 += reference.root(0, 1) }?.root == reference.root(0, size))
            let changed = edge { $0[$0.count - 1] ^= 1 }
            #expect(changed != nil && changed?.root != reference.root(0, size))
        }
        #expect(throws: Torn.self) { try MerkleEdge(size: 1) { _ throws(Torn) in throw Torn() } }
        #expect(MerkleEdge(size: .max) { _ in [] } == nil)
    }

    @Test func `a copy goes its own way`() {
        let reference = MerkleReference(count: 600)
        var edge = MerkleEdge()
        for index in 0..<300 { edge.append(reference.root(index, index + 1)) }
        let kept = edge
        for index in 300..<600 { edge.append(reference.root(index, index + 1)) }
        #expect(kept.root == reference.root(0, 300) && edge.root == reference.root(0, 600))
        #expect(kept.changes.map(\.hashes) == kept.changes.map { reference.tile($0.tile, size: 300) })
    }
}

@Suite struct MerkleTileNodesTests {
    @Test(arguments: [0, 1, 2, 3, 100, 127, 128, 255, 256])
    func `a tile's inner nodes are those of its hashes, and what isn't complete is missing`(count: Int) {
        let reference = MerkleReference(count: 512)
        let hashes = (256..<(256 + count)).flatMap { reference.root($0, $0 + 1) }
        let stored = MerkleTileNodes(hashes: hashes)
        var grown = MerkleTileNodes()
        var whole: [UInt8]?
        for index in 256..<(256 + count) { whole = grown.append(reference.root(index, index + 1)) }
        #expect(whole == (count == 256 ? reference.root(256, 512) : nil))
        #expect(stored.count == count && stored.hashes == hashes && grown.hashes == hashes)
        for level in 0..<UInt8(8) {
            for place in 0..<(UInt64(256) >> level) {
                let node = MerkleNode(level: level, index: UInt64(256) >> level + place)
                let expected = (Int(place) + 1) << Int(level) <= count ? reference.node(node) : nil
                #expect(node.tile == MerkleTile(level: 0, number: 1))
                #expect(stored.node(node) == expected && grown.node(node) == expected, "\(node)")
            }
        }
    }

    @Test func `bytes that are no whole hash, or beyond a tile's width, are no part of it`() {
        let hashes = (0..<257).flatMap { SHA256.digest([UInt8($0 & 0xFF)]) }
        #expect(MerkleTileNodes(hashes: Array(hashes[..<31])).count == 0)
        #expect(MerkleTileNodes(hashes: Array(hashes[..<95])).hashes == Array(hashes[..<64]))
        #expect(MerkleTileNodes(hashes: hashes).hashes == Array(hashes[..<8_192]))
    }
}
