import ThumbturnCrypto

/// A tile's hashes and all complete nodes above them within the tile, each computed once.
package struct MerkleTileNodes: Sendable {
    private static let rows = 8

    /// The rows one behind the other, for 256 hashes, 128, 64, … and 1; empty before the first hash.
    ///
    /// The last row is what a whole tile is to the next level.
    private var bytes = ContiguousArray<UInt8>()
    /// The number of the tile's hashes.
    package private(set) var count = 0

    init() {}

    /// Computes the nodes of a stored tile.
    ///
    /// - Parameter hashes: 32 bytes each, up to 256; bytes beyond are ignored, and what they should have been is
    ///   missing from `node`.
    package init(hashes: [UInt8]) {
        let count = min(hashes.count / SHA256.byteCount, MerkleTile.width)
        guard count > 0 else { return }
        makeRoom()
        bytes.replaceSubrange(..<(count * SHA256.byteCount), with: hashes[..<(count * SHA256.byteCount)])
        self.count = count
        var hasher = SHA256.Hasher()
        for row in 1...Self.rows {
            for place in 0..<(count >> row) { computeNode(row, place, &hasher) }
        }
    }

    /// The hash of a node of this tile; nil for one that is not complete.
    ///
    /// - Parameter node: one whose `tile` this is, which is for the caller to know.
    package func node(_ node: MerkleNode) -> [UInt8]? {
        guard node.place < count >> node.row else { return nil }
        return hash(node.row, node.place)
    }

    /// The tile as it is stored: `count` hashes of 32 bytes.
    var hashes: [UInt8] { Array(bytes.prefix(count * SHA256.byteCount)) }

    /// Adds a hash to a tile that is not whole.
    ///
    /// - Returns: the hash of the whole tile, where this one completed it.
    mutating func append(_ hash: [UInt8]) -> [UInt8]? {
        if bytes.isEmpty { makeRoom() }
        var (row, place) = (0, count)
        let start = place * SHA256.byteCount
        bytes.replaceSubrange(start..<(start + SHA256.byteCount), with: hash)
        count += 1
        guard place & 1 == 1 else { return nil }
        var hasher = SHA256.Hasher()
        while place & 1 == 1, row < Self.rows {
            (row, place) = (row + 1, place >> 1)
            computeNode(row, place, &hasher)
        }
        return count == MerkleTile.width ? self.hash(Self.rows, 0) : nil
    }

    private mutating func makeRoom() {
        bytes = ContiguousArray(repeating: 0, count: (Self.start(of: Self.rows) + 1) * SHA256.byteCount)
    }

    private mutating func computeNode(_ row: Int, _ place: Int, _ hasher: inout SHA256.Hasher) {
        let children = (Self.start(of: row - 1) + 2 * place) * SHA256.byteCount
        hasher.update(MerkleTree.nodePrefix)
        unsafe hasher.update(bytes.span.bytes.extracting(children..<(children + 2 * SHA256.byteCount)))
        hasher.write(into: &bytes, at: (Self.start(of: row) + place) * SHA256.byteCount)
    }

    private func hash(_ row: Int, _ place: Int) -> [UInt8] {
        let start = (Self.start(of: row) + place) * SHA256.byteCount
        return Array(bytes[start..<(start + SHA256.byteCount)])
    }

    /// The number of hashes in the rows below.
    private static func start(of row: Int) -> Int { 2 * MerkleTile.width - 2 * MerkleTile.width >> row }
}
