import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct MerkleTreeTests {
    private struct Vector: Decodable {
        let leaf: HexBytes?
        let root: HexBytes
    }

    /// The published proofs in the tree of eight of those leaves.
    private static let (second, third, left) = (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
    )

    private static func grown() throws -> (edges: [MerkleEdge], leaves: [[UInt8]], roots: [[UInt8]]) {
        let vectors = try VectorFile<Vector>.load("audit/merkle-rfc6962.json").tests
        let leaves = vectors.compactMap { $0.leaf?.bytes }
        var edges = [MerkleEdge()]
        for leaf in leaves {
            var edge = edges[edges.count - 1]
            edge.append(MerkleTree.leaf(leaf))
            edges.append(edge)
        }
        return (edges, leaves, vectors.map(\.root.bytes))
    }

    private static func prover(_ edge: MerkleEdge, size: UInt64? = nil) -> MerkleProver<NoNode> {
        MerkleProver(size: size ?? edge.size) { node throws(NoNode) in
            guard let hash = edge.node(node) else { throw NoNode() }
            return hash
        }
    }

    @Test(.holds("F-107-10")) func `the roots of the published tree are those that were published`() throws {
        let (edges, _, roots) = try Self.grown()
        #expect(edges.map(\.root) == roots)
        for (size, root) in roots.enumerated() {
            #expect(try Self.prover(edges[8], size: UInt64(size)).root() == root)
        }
    }

    @Test func `the proofs of the published tree are those that were published`() throws {
        let (edges, leaves, roots) = try Self.grown()
        let prover = Self.prover(edges[8])
        let inclusion = try prover.inclusion(of: 0)
        #expect(inclusion.map(\.hexadecimal) == [Self.second, Self.third, Self.left])
        #expect(
            try MerkleProof.root(of: MerkleTree.leaf(leaves[0]), at: 0, size: 8, proof: inclusion) == roots[8]
        )
        #expect(try prover.consistency(from: 1) == inclusion)
        #expect(
            try prover.consistency(from: 6).map(\.hexadecimal) == [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ]
        )
        #expect(
            try Self.prover(edges[8], size: 5).consistency(from: 2).map(\.hexadecimal) == [
                Self.third, "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ]
        )
    }

    @Test func `the tree of seven leaves has the proofs of RFC 6962's example`() throws {
        let (edges, leaves, _) = try Self.grown()
        let leaf = leaves.map { SHA256.digest([0] + $0) }
        func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { SHA256.digest([1] + left + right) }
        // The letters of section 2.1.3.
        let (a, b, c, d, e, f, j) = (leaf[0], leaf[1], leaf[2], leaf[3], leaf[4], leaf[5], leaf[6])
        let (g, h, i) = (node(a, b), node(c, d), node(e, f))
        let (k, l) = (node(g, h), node(i, j))
        let prover = Self.prover(edges[8], size: 7)
        #expect(try prover.root() == node(k, l))
        #expect(try prover.inclusion(of: 0) == [b, h, l])
        #expect(try prover.inclusion(of: 3) == [c, g, l])
        #expect(try prover.inclusion(of: 4) == [f, j, k])
        #expect(try prover.inclusion(of: 6) == [i, k])
        #expect(try prover.consistency(from: 3) == [c, d, g, l])
        #expect(try prover.consistency(from: 4) == [l])
        #expect(try prover.consistency(from: 6) == [i, j, k])
    }

    @Test func `no leaf's hash is a node's`() {
        let (left, right) = (MerkleTree.leaf([1]), MerkleTree.leaf([2]))
        #expect(MerkleTree.leaf(left + right) != MerkleTree.node(left, right))
        #expect(MerkleTree.leaf([]) != MerkleTree.emptyRoot)
        #expect(MerkleTree.node(left, right) != MerkleTree.node(right, left))
    }
}
