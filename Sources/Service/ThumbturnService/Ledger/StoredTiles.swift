import ThumbturnAudit

/// The nodes of a log's tree, from memory or the store.
final class StoredTiles {
    private let log: Int64
    private let edge: MerkleEdge
    private var tiles: [MerkleTile: MerkleTileNodes] = [:]

    init(_ log: Int64, _ edge: MerkleEdge) { (self.log, self.edge) = (log, edge) }

    func node(_ node: MerkleNode, _ transaction: any StoreTransaction) throws(StoreError) -> [UInt8] {
        if let hash = edge.node(node) { return hash }
        let tile = node.tile
        if let hash = tiles[tile]?.node(node) { return hash }
        let nodes = MerkleTileNodes(hashes: try transaction.tile(tile, of: log))
        tiles[tile] = nodes
        guard let hash = nodes.node(node) else { throw .damaged }
        return hash
    }
}
