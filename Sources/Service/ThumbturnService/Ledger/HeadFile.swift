package import ThumbturnAudit
package import ThumbturnFiles

/// The newest signed heads of the logs, in a file that lies apart from the database: one that came back from a backup is
/// behind them.
///
/// It has the text of a checkpoint for each log, one after the other. A head that is kept stands in the database already,
/// so only a database that lost something lacks it.
package struct HeadFile: Sendable {
    private static let maximumByteCount = 1 << 22
    private static let patience: Int64 = 5_000

    /// Where it is.
    package let path: String
    private let folder: String
    private let name: String

    /// Creates a value for a file in a private folder, which exists.
    package init(_ path: String) {
        self.path = path
        folder = OpenFolder.parent(of: path)
        name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Reads the heads; none where there is no file.
    ///
    /// - Throws: `.cutShort` for what this program did not write.
    package func heads() throws(FileError) -> [AuditCheckpoint] {
        do throws(FileError) { return try heads(in: OpenFolder(folder)) } catch {
            guard error == .absent else { throw error }
            return []
        }
    }

    /// Keeps heads, through to the disk; of each log the larger one, since another instance may be ahead.
    package func keep(_ heads: [AuditCheckpoint]) throws(FileError) {
        let folder = try OpenFolder(self.folder)
        try folder.lock(within: Self.patience)
        let former: [AuditCheckpoint]
        do throws(FileError) { former = try self.heads(in: folder) } catch {
            guard error == .absent else { throw error }
            former = []
        }
        let origins = Set((former + heads).map(\.origin)).sorted()
        let next = origins.compactMap { origin in
            (former + heads).filter { $0.origin == origin }.max { $0.size < $1.size }
        }
        guard next != former else { return }
        try next.flatMap(\.text).lent { bytes throws(FileError) in try folder.replace(name, by: bytes) }
    }

    private func heads(in folder: borrowing OpenFolder) throws(FileError) -> [AuditCheckpoint] {
        let file = try folder.open(name, Demands(.file, hasOneName: true, others: .nothing))
        var lines = try file.contents(upTo: Self.maximumByteCount)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        var heads: [AuditCheckpoint] = []
        while lines.count > 3 {
            let text = lines.prefix(3).flatMap { $0 + [UInt8(ascii: "\n")] }
            guard let head = try? AuditCheckpoint(reading: text) else { throw .cutShort }
            heads.append(head)
            lines = lines.dropFirst(3)
        }
        guard lines.count == 1, lines.first?.isEmpty == true else { throw .cutShort }
        return heads
    }
}

extension AuditLedger {
    /// Returns a head that the database does not have: its log is shorter or another, or a later log took its place; nil
    /// where there is none.
    ///
    /// - Parameter heads: those that were kept elsewhere; of logs that are not this service's they mean nothing.
    package static func missing(
        _ heads: [AuditCheckpoint],
        from plan: LedgerPlan,
        of service: String,
        in store: any Store
    ) throws(StoreError) -> AuditCheckpoint? {
        let later = Set(plan.next.logs.map { plan.next.origin(of: $0, of: service) })
        if let head = heads.first(where: { later.contains($0.origin) }) { return head }
        return try store.reading { transaction throws(StoreError) in
            for log in plan.logs {
                let origin = plan.origin(of: log, of: service)
                guard let kept = heads.first(where: { $0.origin == origin }), kept.size > 0 else { continue }
                guard let head = try LogHead.read(log, transaction), head.size >= kept.size,
                    case let edge = try MerkleEdge(
                        size: kept.size,
                        tile: { (tile) throws(StoreError) in try transaction.tile(tile, of: log) }
                    ), edge?.root == kept.root
                else { return kept }
            }
            return nil
        }
    }
}
