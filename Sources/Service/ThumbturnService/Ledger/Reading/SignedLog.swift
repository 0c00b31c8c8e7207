import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// A log within a transaction, as far as its newest signed head reaches: readers see no more of it.
struct SignedLog {
    /// The log's row.
    let head: LogHead
    /// The size of the newest signed head.
    let size: UInt64
    private let transaction: any StoreTransaction

    private var log: Int64 { head.log }

    /// Reads a log's row; `nil` where there is no such log, or none of its heads is signed yet.
    init?(_ log: Int64, _ transaction: any StoreTransaction) throws(StoreError) {
        guard let head = try LogHead.read(log, transaction), let size = head.signed else { return nil }
        (self.head, self.size, self.transaction) = (head, size, transaction)
    }

    /// Returns the newest signed head.
    func newestNote() throws(StoreError) -> [UInt8] {
        guard let note = try transaction.note(covering: size, of: log) else { throw .damaged }
        return note
    }

    /// Returns the keys that have signed a head.
    func keys() throws(StoreError) -> AuditKeys {
        AuditKeys(origin: head.origin, keys: try transaction.keys(of: log))
    }

    /// Returns the leaves from an index on, as many as there are up to `end`.
    func leaves(from index: UInt64, to end: UInt64) throws(StoreError) -> [[UInt8]] {
        try transaction.leaves(of: log, from: index, to: min(end, size))
    }

    /// Returns signed heads in order, the first of them the first that covers the leaf `index`.
    func notes(covering index: UInt64, most: Int64) throws(StoreError) -> [(size: UInt64, note: [UInt8])] {
        let rows = try transaction.rows(
            "SELECT size, note FROM notes WHERE log = $1 AND size > $2 ORDER BY size LIMIT $3",
            .integer(log),
            .count(index),
            .integer(most)
        )
        return try rows.map { row throws(StoreError) in (try row.count(0), try row.blob(1)) }
    }

    /// Returns where the log has records of a device, from `index` on and in order: at least `most` records, or all.
    func spans(of device: Identifier, behind index: UInt64, most: Int64) throws(StoreError) -> [Range<UInt64>] {
        // An upload that begins before the index may reach behind it, by this much at most.
        let reach = UInt64(AuditUpload.maximumRecords)
        let earliest = index - min(index, reach)
        let rows = try transaction.rows(
            """
            SELECT first_idx, record_count FROM uploads WHERE log = $1 AND device_id = $2 AND first_idx >= $3
            ORDER BY first_idx LIMIT $4
            """,
            .integer(log),
            .blob(device.bytes),
            .count(earliest),
            .integer(most + Int64(reach))
        )
        var spans: [Range<UInt64>] = []
        for row in rows {
            let (first, count) = (try row.count(0), try row.count(1))
            guard count <= reach else { throw .damaged }
            let (start, end) = (max(first, index), min(first + count, size))
            guard start < end else { continue }
            if let last = spans.last, last.upperBound == start {
                spans[spans.count - 1] = last.lowerBound..<end
            } else {
                spans.append(start..<end)
            }
        }
        return spans
    }
}

// Tiles (C2SP tlog-tiles).
extension SignedLog {
    /// Returns the first hashes of a tile; `nil` where the signed head does not cover as many.
    ///
    /// - Parameter width: 1 to 256.
    func tile(_ tile: MerkleTile, width: Int) throws(StoreError) -> [UInt8]? {
        guard covers(tile, width) else { return nil }
        let hashes = try transaction.tile(tile, of: log)
        let byteCount = SHA256.byteCount * width
        guard hashes.count >= byteCount else { throw .damaged }
        return Array(hashes.prefix(byteCount))
    }

    /// Returns the first leaves of a bundle of 256, each behind its length in two bytes, big-endian; `nil` where the signed
    /// head does not cover as many.
    ///
    /// - Parameter width: 1 to 256.
    func entries(_ number: UInt64, width: Int) throws(StoreError) -> [UInt8]? {
        guard covers(MerkleTile(level: 0, number: number), width) else { return nil }
        let first = number * UInt64(MerkleTile.width)
        let leaves = try leaves(from: first, to: first + UInt64(width))
        guard leaves.count == width else { throw .damaged }
        var bundle: [UInt8] = []
        bundle.reserveCapacity(leaves.reduce(0) { $0 + $1.count + 2 })
        for leaf in leaves {
            guard let byteCount = UInt16(exactly: leaf.count) else { throw .damaged }
            bundle += [UInt8(byteCount >> 8), UInt8(byteCount & 0xFF)]
            bundle += leaf
        }
        return bundle
    }

    private func covers(_ tile: MerkleTile, _ width: Int) -> Bool {
        // So many nodes of the tile's level have all their leaves.
        let count = size >> (8 * UInt64(tile.level))
        return tile.number <= count >> 8 && UInt64(width) <= count - tile.number << 8
    }
}

// Proofs.
extension SignedLog {
    /// Proves that a leaf is in the tree of `size` leaves; `nil` where the signed head does not reach so far.
    func inclusion(of index: UInt64, in size: UInt64) throws(StoreError) -> [[UInt8]]? {
        guard size <= self.size, index < size else { return nil }
        return try prover(size).inclusion(of: index)
    }

    /// Proves that the tree of `size` leaves continues the one of `former`; `nil` where the signed head does not reach so
    /// far.
    func consistency(from former: UInt64, to size: UInt64) throws(StoreError) -> [[UInt8]]? {
        guard size <= self.size, former <= size else { return nil }
        return try prover(size).consistency(from: former)
    }

    private func prover(_ size: UInt64) -> MerkleProver<StoreError> {
        let nodes = StoredNodes(of: log, transaction)
        return MerkleProver(size: size) { (node) throws(StoreError) in try nodes.node(node) }
    }
}

/// The nodes of a log's tree, from its stored tiles, each of which is read once.
private final class StoredNodes {
    private let log: Int64
    private let transaction: any StoreTransaction
    private var tiles: [MerkleTile: MerkleTileNodes] = [:]

    init(of log: Int64, _ transaction: any StoreTransaction) { (self.log, self.transaction) = (log, transaction) }

    /// Returns the hash of a complete node.
    func node(_ node: MerkleNode) throws(StoreError) -> [UInt8] {
        let tile = node.tile
        if tiles[tile] == nil { tiles[tile] = MerkleTileNodes(hashes: try transaction.tile(tile, of: log)) }
        guard let hash = tiles[tile]?.node(node) else { throw .damaged }
        return hash
    }
}

extension StoreTransaction {
    /// Returns the keys that have signed a head of a log, the first one first.
    func keys(of log: Int64) throws(StoreError) -> [AuditKey] {
        var keys: [AuditKey] = []
        for key in try LogKey.all(of: log, self) { if let published = try key.published { keys.append(published) } }
        return keys
    }

    /// Returns the leaves of a log from an index on, as many as there are up to `end`.
    ///
    /// - Throws: `.damaged` where one in between is missing, among others.
    func leaves(of log: Int64, from index: UInt64, to end: UInt64) throws(StoreError) -> [[UInt8]] {
        guard index < end else { return [] }
        let rows = try rows(
            "SELECT idx, leaf FROM leaves WHERE log = $1 AND idx >= $2 AND idx < $3 ORDER BY idx",
            .integer(log),
            .count(index),
            .count(end)
        )
        var leaves: [[UInt8]] = []
        for row in rows {
            guard try row.count(0) == index + UInt64(leaves.count) else { throw .damaged }
            leaves.append(try row.blob(1))
        }
        guard UInt64(leaves.count) == end - index else { throw .damaged }
        return leaves
    }
}
