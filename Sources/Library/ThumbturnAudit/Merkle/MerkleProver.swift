/// Proofs for a tree of one size (RFC 9162 §2.1.3.1, §2.1.4.1), made of complete nodes: one for each hash of the proof, and
/// up to 64 for what is left at the right edge.
package struct MerkleProver<E: Error> {
    private let size: UInt64
    private let node: (MerkleNode) throws(E) -> [UInt8]

    /// Creates a prover.
    ///
    /// - Parameters:
    ///   - size: the number of leaves of the tree, which may have grown since.
    ///   - node: returns the hash of a node that is complete in a tree of this size.
    package init(size: UInt64, node: @escaping (MerkleNode) throws(E) -> [UInt8]) {
        (self.size, self.node) = (size, node)
    }

    /// The root.
    package func root() throws(E) -> [UInt8] { size == 0 ? MerkleTree.emptyRoot : try hash(from: 0, count: size) }

    /// The proof that a leaf is in the tree.
    ///
    /// - Parameter index: below the size, which the caller checks.
    package func inclusion(of index: UInt64) throws(E) -> [[UInt8]] {
        precondition(index < size, "no such leaf in a tree of this size")
        var (proof, start, count): ([[UInt8]], UInt64, UInt64) = ([], 0, size)
        while count > 1 {
            let left = Self.left(of: count)
            if index < start + left {
                proof.append(try hash(from: start + left, count: count - left))
                count = left
            } else {
                proof.append(try hash(from: start, count: left))
                (start, count) = (start + left, count - left)
            }
        }
        return proof.reversed()
    }

    /// The proof that the tree of another size is the beginning of this one; empty for size 0 and for this one's.
    ///
    /// - Parameter former: at most the size, which the caller checks.
    package func consistency(from former: UInt64) throws(E) -> [[UInt8]] {
        precondition(former <= size, "the tree has not grown to this size yet")
        guard former > 0 else { return [] }
        // `rest` of the former tree's leaves are among those that are left.
        var (proof, start, count, rest): ([[UInt8]], UInt64, UInt64, UInt64) = ([], 0, size, former)
        while rest < count {
            let left = Self.left(of: count)
            if rest <= left {
                proof.append(try hash(from: start + left, count: count - left))
                count = left
            } else {
                proof.append(try hash(from: start, count: left))
                (start, count, rest) = (start + left, count - left, rest - left)
            }
        }
        // Where the way never went right, what is left is the former tree itself.
        if start > 0 { proof.append(try hash(from: start, count: count)) }
        return proof.reversed()
    }

    /// The number of leaves on the left of a tree of 2 or more: the largest power of two below.
    private static func left(of count: UInt64) -> UInt64 { 1 << UInt64(63 - (count - 1).leadingZeroBitCount) }

    /// The hash of a tree of leaves that begin where a complete node of as many, or more, could.
    private func hash(from start: UInt64, count: UInt64) throws(E) -> [UInt8] {
        // The complete nodes from the right, each larger than the one before.
        var (hash, end, rest): ([UInt8]?, UInt64, UInt64) = (nil, start + count, count)
        while rest > 0 {
            let level = UInt8(rest.trailingZeroBitCount)
            let left = try node(MerkleNode(level: level, index: end >> level - 1))
            hash = hash.map { MerkleTree.node(left, $0) } ?? left
            end -= 1 << level
            rest &= rest - 1
        }
        return hash ?? MerkleTree.emptyRoot
    }
}
