/// A stored piece of a tree (C2SP tlog-tiles): up to 256 hashes, 32 bytes each, of the nodes of level `8 · level` from
/// number `256 · number` on.
///
/// The inner nodes between two levels of tiles are computed from those hashes.
package struct MerkleTile: Hashable, Sendable {
    /// The number of hashes of a whole tile.
    package static let width = 256
    /// The highest level: a tree of 2^64 leaves has no higher tile.
    package static let highestLevel: UInt8 = 7

    /// 0 for tiles of the leaves' hashes, up to 7.
    package let level: UInt8
    /// The tile's place in its level, from 0.
    package let number: UInt64

    /// Names a tile.
    package init(level: UInt8, number: UInt64) { (self.level, self.number) = (level, number) }
}
