import ThumbturnCrypto

/// Why a proof proves nothing.
package enum AuditProofError: Error, Hashable, Sendable {
    /// It is not the proof of this, or has another form.
    case wrong
}

/// Verifies proofs that come from outside (RFC 9162 §2.1.3.2, §2.1.4.2); any input is answered.
package enum MerkleProof {
    /// Returns the root that a proof of inclusion leads to, which the caller compares with the one that was signed.
    ///
    /// - Parameters:
    ///   - leafHash: `MerkleTree.leaf` of the leaf's bytes.
    ///   - index: the leaf's place.
    ///   - size: the number of leaves.
    /// - Throws: for a proof that is no hash too short or too long, or not of 32 bytes each.
    package static func root(
        of leafHash: [UInt8],
        at index: UInt64,
        size: UInt64,
        proof: [[UInt8]]
    ) throws(AuditProofError) -> [UInt8] {
        guard index < size, areHashes([leafHash]), areHashes(proof) else { throw .wrong }
        var (root, place, last) = (leafHash, index, size - 1)
        for hash in proof {
            guard last > 0 else { throw .wrong }
            if place & 1 == 1 || place == last {
                root = MerkleTree.node(hash, root)
                climb(&place, &last)
            } else {
                root = MerkleTree.node(root, hash)
            }
            (place, last) = (place >> 1, last >> 1)
        }
        guard last == 0 else { throw .wrong }
        return root
    }

    /// Checks that a tree is the beginning of a larger one, or the same.
    ///
    /// - Parameters:
    ///   - size: the number of leaves of the former tree.
    ///   - root: the former root.
    ///   - newSize: the number of leaves of the later tree.
    ///   - newRoot: the later root.
    ///   - proof: empty for two trees of one size, and for an empty former one.
    package static func checkConsistency(
        from size: UInt64,
        root: [UInt8],
        to newSize: UInt64,
        root newRoot: [UInt8],
        proof: [[UInt8]]
    ) throws(AuditProofError) {
        guard size <= newSize, areHashes([root, newRoot]), areHashes(proof) else { throw .wrong }
        guard size > 0, size < newSize else {
            guard proof.isEmpty, root == (size == 0 ? MerkleTree.emptyRoot : newRoot) else { throw .wrong }
            guard newSize > 0 || newRoot == root else { throw .wrong }
            return
        }
        // A former tree that is complete is where both begin.
        var hashes = (size & (size - 1) == 0 ? [root] : []) + proof
        guard !hashes.isEmpty else { throw .wrong }
        var (place, last) = (size - 1, newSize - 1)
        while place & 1 == 1 { (place, last) = (place >> 1, last >> 1) }
        let first = hashes.removeFirst()
        var (former, later) = (first, first)
        for hash in hashes {
            guard last > 0 else { throw .wrong }
            if place & 1 == 1 || place == last {
                former = MerkleTree.node(hash, former)
                later = MerkleTree.node(hash, later)
                climb(&place, &last)
            } else {
                later = MerkleTree.node(later, hash)
            }
            (place, last) = (place >> 1, last >> 1)
        }
        guard last == 0, former == root, later == newRoot else { throw .wrong }
    }

    /// Goes up to where the node is a right child, or the root: in between it is the last of its level, without a
    /// sibling.
    private static func climb(_ place: inout UInt64, _ last: inout UInt64) {
        while place & 1 == 0, place > 0 { (place, last) = (place >> 1, last >> 1) }
    }

    private static func areHashes(_ hashes: [[UInt8]]) -> Bool { hashes.allSatisfy { $0.count == SHA256.byteCount } }
}
