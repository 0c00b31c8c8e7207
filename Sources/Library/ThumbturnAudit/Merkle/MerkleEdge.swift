import ThumbturnCrypto

/// A tree that grows, held by its right edge: what a writer needs to append, to know the root, and to prove its newest
/// leaves.
///
/// It holds one tile of each level, with its inner nodes, and the whole tiles behind it that are to be stored or were to
/// be kept: 16 KiB each.
package struct MerkleEdge: Sendable {
    /// The tiles of one level.
    private struct Level: Sendable {
        /// The number of the first tile that is held.
        var first: UInt64
        /// Without gaps; the last one is not whole, and may be empty.
        var tiles: [MerkleTileNodes]

        subscript(number: UInt64) -> MerkleTileNodes? {
            guard number >= first, number - first < UInt64(tiles.count) else { return nil }
            return tiles[Int(number - first)]
        }
    }

    /// The number of leaves.
    package private(set) var size: UInt64 = 0
    /// The size at the last `settle`.
    private var settled: UInt64 = 0
    /// Of all levels that have a hash.
    private var levels: [Level] = []

    /// Creates the empty tree.
    package init() {}

    /// Loads the right edge of a stored tree; nil if a tile has fewer hashes than the size asks for.
    ///
    /// Whether they are the right ones shows in `root`.
    ///
    /// - Parameters:
    ///   - size: the number of leaves.
    ///   - tile: returns a stored tile, 32 bytes a hash; called for at most one tile of each level. It may have grown
    ///     since the tree had this size.
    package init?<E: Error>(size: UInt64, tile: (MerkleTile) throws(E) -> [UInt8]) throws(E) {
        (self.size, settled) = (size, size)
        var hashes = size
        while hashes > 0 {
            let (number, width) = (hashes >> 8, Int(hashes & 0xFF))
            var nodes = MerkleTileNodes()
            if width > 0 {
                let stored = try tile(MerkleTile(level: UInt8(levels.count), number: number))
                nodes = MerkleTileNodes(hashes: Array(stored.prefix(width * SHA256.byteCount)))
            }
            guard nodes.count == width else { return nil }
            levels.append(Level(first: number, tiles: [nodes]))
            hashes = number
        }
    }

    /// Adds a leaf.
    ///
    /// - Parameter leafHash: `MerkleTree.leaf` of its bytes.
    package mutating func append(_ leafHash: [UInt8]) {
        precondition(leafHash.count == SHA256.byteCount, "a leaf is added by its hash")
        size += 1
        var (hash, level) = (leafHash, 0)
        while true {
            if level == levels.count { levels.append(Level(first: 0, tiles: [MerkleTileNodes()])) }
            let last = levels[level].tiles.count - 1
            guard let whole = levels[level].tiles[last].append(hash) else { return }
            levels[level].tiles.append(MerkleTileNodes())
            (hash, level) = (whole, level + 1)
        }
    }

    /// The root of the tree as it is.
    package var root: [UInt8] {
        var root: [UInt8]?
        for level in 0..<UInt8(UInt64.bitWidth) where size >> level & 1 == 1 {
            guard let left = node(MerkleNode(level: level, index: size >> level - 1)) else {
                preconditionFailure("the edge holds each node that the root is made of")
            }
            root = root.map { MerkleTree.node(left, $0) } ?? left
        }
        return root ?? MerkleTree.emptyRoot
    }

    /// The tiles that changed since the last `settle`, with all their hashes: what has to be stored.
    package var changes: [(tile: MerkleTile, hashes: [UInt8])] {
        var changes: [(tile: MerkleTile, hashes: [UInt8])] = []
        for (index, level) in levels.enumerated() {
            let (start, end) = (settled >> (8 * index), size >> (8 * index))
            guard start < end else { continue }
            for number in (start >> 8)...((end - 1) >> 8) {
                guard let nodes = level[number] else { preconditionFailure("no change is let go before it is settled") }
                changes.append((MerkleTile(level: UInt8(index), number: number), nodes.hashes))
            }
        }
        return changes
    }

    /// Forgets the changes, which are stored; keeps what proves leaves from one on.
    ///
    /// - Parameter size: inclusion of leaves from this index on is proved by `node` alone, in trees of all later sizes.
    package mutating func settle(keeping size: UInt64) {
        settled = self.size
        for index in levels.indices {
            let first = min(size, self.size) >> (8 * (index + 1))
            guard first > levels[index].first else { continue }
            levels[index].tiles.removeFirst(Int(first - levels[index].first))
            levels[index].first = first
        }
    }

    /// The hash of a complete node of the tiles that are still held; nil for any other.
    package func node(_ node: MerkleNode) -> [UInt8]? {
        let tile = node.tile
        guard Int(tile.level) < levels.count else { return nil }
        return levels[Int(tile.level)][tile.number]?.node(node)
    }
}
