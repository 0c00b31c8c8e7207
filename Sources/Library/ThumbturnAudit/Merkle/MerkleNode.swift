/// A complete subtree: that of the leaves `index << level ..< (index + 1) << level`.
package struct MerkleNode: Hashable, Sendable {
    /// 0 for a leaf.
    package let level: UInt8
    /// The place among the nodes of its level, from 0.
    package let index: UInt64

    /// Names a node.
    package init(level: UInt8, index: UInt64) { (self.level, self.index) = (level, index) }

    /// The tile from whose hashes the node's own is read or computed.
    package var tile: MerkleTile { MerkleTile(level: level >> 3, number: index >> (8 - UInt64(level & 7))) }

    /// The level within that tile, 0 to 7: its own hashes are row 0, each row has half as many.
    var row: Int { Int(level & 7) }

    /// The place within that row.
    var place: Int { Int(index & (0xFF >> UInt64(level & 7))) }
}
