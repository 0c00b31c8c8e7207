import ThumbturnAudit

/// Holds leaves against the stored tiles, and both against the signed roots.
///
/// Where a leaf and the hash of its tile differ, there are two trees from there on, until a signed root tells which of
/// the two was changed.
struct TreeCheck {
    /// The tree of the leaves as they are.
    private var leaves = MerkleEdge()
    /// The tree of the lowest tiles' hashes; `nil` while both are one.
    private var tiles: MerkleEdge?
    /// The leaves in which the two differ.
    private var doubts: [UInt64] = []
    /// The size up to which a root was right.
    private var proved: UInt64 = 0
    /// Whether no tree fits any more: what comes then can't be judged.
    private var isLost = false
    /// Tiles that were found wrong.
    private var named: Set<MerkleTile> = []

    /// The number of leaves so far.
    var size: UInt64 { leaves.size }

    /// Adds the next leaf.
    ///
    /// - Parameters:
    ///   - leaf: its bytes; `nil` where it is missing.
    ///   - stored: the hash that its tile has; `nil` where the tile has none.
    /// - Returns: what is wrong for certain.
    mutating func add(_ leaf: [UInt8]?, _ stored: [UInt8]?) -> LedgerFault? {
        let index = size
        let own = leaf.map(MerkleTree.leaf)
        guard let hash = own ?? stored else {
            isLost = true
            append(MerkleTree.emptyRoot, MerkleTree.emptyRoot)
            return .leafMissing(index)
        }
        if let own, let stored, own != stored {
            if tiles == nil { tiles = leaves }
            doubts.append(index)
        }
        append(hash, stored ?? hash)
        guard stored != nil else { return name(MerkleTile(level: 0, number: index / LogWalk.width), index) }
        return leaf == nil ? .leafMissing(index) : nil
    }

    private mutating func append(_ leaf: [UInt8], _ tile: [UInt8]) {
        leaves.append(leaf)
        tiles?.append(tile)
    }

    /// Judges the tree by a root that is known to be right.
    mutating func judge(_ root: [UInt8]) -> [LedgerFault] {
        guard !isLost else { return [] }
        let found = doubts
        if leaves.root == root {
            proved = size
            (tiles, doubts) = (nil, [])
            return found.compactMap { name(MerkleTile(level: 0, number: $0 / LogWalk.width), $0) }
        }
        if let tiles, tiles.root == root {
            proved = size
            (leaves, self.tiles, doubts) = (tiles, nil, [])
            return found.map { .leafChanged($0) }
        }
        isLost = true
        return found.map { .leafChanged($0) } + [.rootWrong(from: proved, to: size)]
    }

    /// Whether a root has yet to tell which of two trees is right.
    var isDoubtful: Bool { !doubts.isEmpty }

    /// Whether this is the root of the leaves, as far as that can be told.
    func has(_ root: [UInt8]) -> Bool { isLost || leaves.root == root || tiles?.root == root }

    /// Holds the tiles above the lowest against those that changed since the last call, which are forgotten then.
    ///
    /// - Parameter stored: returns a tile's stored hashes.
    mutating func settle(
        _ stored: (MerkleTile) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> [LedgerFault] {
        var faults: [LedgerFault] = []
        let others = Dictionary(
            uniqueKeysWithValues: (tiles?.changes ?? []).map { ($0.tile, $0.hashes) }
        )
        for (tile, hashes) in leaves.changes where tile.level > 0 && !isLost {
            let found = try stored(tile)
            let places = [hashes, others[tile]].compactMap { $0.map { Self.difference($0, found) } }
            // Where the two trees differ, either will do until a root tells.
            guard !places.contains(nil), let place = places.compactMap({ $0 }).max() else { continue }
            let first = (tile.number << 8 + UInt64(place)) << (8 * UInt64(tile.level))
            if let fault = name(tile, first) { faults.append(fault) }
        }
        let end = size
        leaves.settle(keeping: end)
        tiles?.settle(keeping: end)
        return faults
    }

    private mutating func name(_ tile: MerkleTile, _ index: UInt64) -> LedgerFault? {
        named.insert(tile).inserted ? .tileChanged(tile, index) : nil
    }

    /// Returns the first hash in which a stored tile, which may have more, differs.
    private static func difference(_ hashes: [UInt8], _ stored: [UInt8]) -> Int? {
        for place in 0..<(hashes.count / MerkleTree.emptyRoot.count) {
            let bytes = (place * MerkleTree.emptyRoot.count)..<((place + 1) * MerkleTree.emptyRoot.count)
            guard bytes.upperBound <= stored.count, hashes[bytes] == stored[bytes] else { return place }
        }
        return nil
    }
}
