import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct MerkleProofTests {
    /// Trees of all sizes to 1,025, in parts that run side by side.
    private static let parts = [0...400, 401...600, 601...750, 751...860, 861...950, 951...1_025]

    private static func prover(_ reference: MerkleReference, size: Int) -> MerkleProver<NoNode> {
        MerkleProver(size: UInt64(size)) { node throws(NoNode) in
            guard (Int(node.index) + 1) << Int(node.level) <= size else { throw NoNode() }
            return reference.node(node)
        }
    }

    @Test(.holds("F-107-10"), arguments: parts)
    func `each leaf of each tree is proved as RFC 6962 says, and the proof leads to the root`(
        sizes: ClosedRange<Int>
    ) throws {
        let reference = MerkleReference(count: sizes.upperBound)
        for size in sizes {
            let (prover, root) = (Self.prover(reference, size: size), reference.root(0, size))
            try #require(try prover.root() == root)
            for index in 0..<size {
                let proof = try prover.inclusion(of: UInt64(index))
                let hash = reference.root(index, index + 1)
                let found = try MerkleProof.root(of: hash, at: UInt64(index), size: UInt64(size), proof: proof)
                guard proof == reference.path(index, 0, size), found == root else {
                    Issue.record("leaf \(index) of \(size)")
                    continue
                }
            }
        }
    }

    @Test(.holds("F-107-10")) func `each tree to 64 is proved to continue each before it, and some larger ones`() throws
    {
        let reference = MerkleReference(count: 1_025)
        var pairs = (0...64).flatMap { later in (0...later).map { ($0, later) } }
        var generator = SeededGenerator(seed: 36)
        for _ in 0..<2_000 {
            let later = Int.random(in: 65...1_025, using: &generator)
            pairs.append((Int.random(in: 0...later, using: &generator), later))
        }
        for power in [64, 128, 256, 512, 1_024] { pairs += [(power, power + 1), (power - 1, power), (1, power)] }
        for (former, later) in pairs {
            let proof = try Self.prover(reference, size: later).consistency(from: UInt64(former))
            #expect(proof == (former == 0 ? [] : reference.proof(former, later)), "\(former), \(later)")
            try MerkleProof.checkConsistency(
                from: UInt64(former),
                root: reference.root(0, former),
                to: UInt64(later),
                root: reference.root(0, later),
                proof: proof
            )
        }
    }

    @Test(.holds("A45"), arguments: [1, 2, 3, 7, 8, 37, 64, 65])
    func `a proof of inclusion with a changed byte leads elsewhere, and one too short or too long nowhere`(size: Int)
        throws
    {
        let reference = MerkleReference(count: size)
        let root = reference.root(0, size)
        for index in 0..<size {
            let (leaf, proof) = (reference.root(index, index + 1), reference.path(index, 0, size))
            func found(_ proof: [[UInt8]], leaf: [UInt8], at place: Int, size: Int) -> [UInt8]? {
                try? MerkleProof.root(of: leaf, at: UInt64(place), size: UInt64(size), proof: proof)
            }
            #expect(found(proof, leaf: leaf, at: index, size: size) == root)
            for number in proof.indices {
                for byte in 0..<32 {
                    var changed = proof
                    changed[number][byte] ^= 1 << UInt8(byte % 8)
                    #expect(found(changed, leaf: leaf, at: index, size: size) != root, "\(index), \(number), \(byte)")
                }
                let short = Array(proof[..<number] + proof[(number + 1)...])
                #expect(found(short, leaf: leaf, at: index, size: size) != root)
                #expect(
                    found(
                        Array(short[..<number] + [Array(proof[number].dropLast())] + short[number...]),
                        leaf: leaf,
                        at: index,
                        size: size
                    ) == nil
                )
                for other in proof.indices where other != number && proof[other] != proof[number] {
                    var swapped = proof
                    swapped.swapAt(number, other)
                    #expect(found(swapped, leaf: leaf, at: index, size: size) != root)
                }
            }
            #expect(found(proof + [root], leaf: leaf, at: index, size: size) == nil)
            #expect(found([root] + proof, leaf: leaf, at: index, size: size) == nil)
            #expect(found(Array(proof.dropLast()), leaf: leaf, at: index, size: size) == nil || size == 1)
            #expect(found(proof, leaf: Array(leaf.dropLast()), at: index, size: size) == nil)
            #expect(found(proof, leaf: leaf, at: size, size: size) == nil)
            for place in 0..<size where place != index {
                #expect(found(proof, leaf: leaf, at: place, size: size) != root, "\(index) as \(place)")
            }
        }
        #expect(throws: AuditProofError.wrong) { try MerkleProof.root(of: root, at: 0, size: 0, proof: []) }
    }

    @Test(.holds("A45")) func `a proof of consistency with a changed byte, or for another tree, is refused`() throws {
        let reference = MerkleReference(count: 70)
        let stranger = SHA256.digest([9])
        for (former, later) in [(1, 2), (2, 3), (3, 7), (4, 7), (6, 7), (6, 8), (8, 64), (33, 64), (21, 37), (64, 70)] {
            let proof = reference.proof(former, later)
            let (root, newRoot) = (reference.root(0, former), reference.root(0, later))
            func holds(
                _ proof: [[UInt8]],
                from size: Int = former,
                _ first: [UInt8]? = nil,
                to newSize: Int = later,
                _ second: [UInt8]? = nil
            ) -> Bool {
                let check = Result { () throws(AuditProofError) in
                    try MerkleProof.checkConsistency(
                        from: UInt64(size),
                        root: first ?? root,
                        to: UInt64(newSize),
                        root: second ?? newRoot,
                        proof: proof
                    )
                }
                return (try? check.get()) != nil
            }
            #expect(holds(proof))
            for number in proof.indices {
                for byte in 0..<32 {
                    var changed = proof
                    changed[number][byte] ^= 1 << UInt8(byte % 8)
                    #expect(!holds(changed), "\(former), \(later), \(number), \(byte)")
                }
                #expect(!holds(Array(proof[..<number] + proof[(number + 1)...])))
            }
            #expect(!holds(proof + [root]) && !holds([root] + proof) && !holds([]))
            #expect(!holds(proof, stranger) && !holds(proof, to: later, stranger))
            #expect(!holds(proof, Array(root.dropLast())) && !holds(proof, to: later, Array(newRoot.dropLast())))
            #expect(!holds(proof.map { Array($0.dropLast()) }))
            #expect(!holds(proof, from: later, newRoot, to: former, root), "the later one first")
        }
    }

    @Test(.holds("A45")) func `trees of one size have one root, and no proof; all continue the empty one alone`() {
        let (root, other, empty) = (SHA256.digest([1]), SHA256.digest([2]), MerkleTree.emptyRoot)
        func holds(_ size: UInt64, _ first: [UInt8], _ newSize: UInt64, _ second: [UInt8], _ proof: [[UInt8]]) -> Bool {
            let check = Result { () throws(AuditProofError) in
                try MerkleProof.checkConsistency(from: size, root: first, to: newSize, root: second, proof: proof)
            }
            return (try? check.get()) != nil
        }
        #expect(holds(7, root, 7, root, []) && holds(0, empty, 0, empty, []) && holds(0, empty, 7, root, []))
        #expect(!holds(7, root, 7, other, []) && !holds(7, root, 7, root, [root]) && !holds(0, empty, 7, root, [root]))
        #expect(!holds(0, root, 7, root, []) && !holds(0, root, 0, root, []) && !holds(0, empty, 0, root, []))
        #expect(!holds(8, root, 7, root, []) && !holds(.max, root, 7, root, []) && !holds(7, root, .max, root, []))
    }

    @Test func `proofs of the largest sizes, and of hundreds of hashes, are answered`() {
        let hash = SHA256.digest([1])
        for count in [0, 1, 63, 64, 65, 500] {
            let proof = [[UInt8]](repeating: hash, count: count)
            for (index, size) in [(0, UInt64.max), (.max - 1, .max), (.max, .max), (1 << 62, 1 << 63)]
                as [(UInt64, UInt64)]
            {
                let found = try? MerkleProof.root(of: hash, at: index, size: size, proof: proof)
                #expect(found == nil || (63...64).contains(count), "\(index) of \(size) by \(count)")
                #expect(throws: AuditProofError.wrong) {
                    try MerkleProof.checkConsistency(from: index, root: hash, to: size, root: hash, proof: proof + [[]])
                }
            }
        }
    }
}
