import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// Holds what forked a chain, and is kept as evidence, against the entries that tell of it.
struct ForksCheck {
    private let log: Int64
    private let store: any Store

    init(_ log: Int64, _ store: any Store) { (self.log, self.store) = (log, store) }

    /// - Parameter size: the number of leaves that were verified.
    func faults(below size: UInt64) throws(StoreError) -> [LedgerFault] {
        var faults: [LedgerFault] = []
        var last: (device: [UInt8], epoch: [UInt8])? = ([], [])
        while let former = last {
            let names = try store.reading { transaction throws(StoreError) in
                try transaction.rows(
                    """
                    SELECT idx, device_id, epoch FROM forks
                    WHERE log = $1 AND device_id >= $2 AND (device_id > $2 OR epoch > $3)
                    ORDER BY device_id, epoch LIMIT 256
                    """,
                    .integer(log),
                    .blob(former.device),
                    .blob(former.epoch)
                ).map { row throws(StoreError) in (try row.count(0), device: try row.blob(1), epoch: try row.blob(2)) }
            }
            for (index, device, epoch) in names where index < size {
                if try !isTold(device, epoch, at: index) { faults.append(.forkWrong(index)) }
            }
            last = names.last.map { ($0.device, $0.epoch) }
        }
        return faults
    }

    private func isTold(_ device: [UInt8], _ epoch: [UInt8], at index: UInt64) throws(StoreError) -> Bool {
        try store.reading { transaction throws(StoreError) in
            let body = try transaction.row(
                "SELECT body FROM forks WHERE log = $1 AND device_id = $2 AND epoch = $3",
                .integer(log),
                .blob(device),
                .blob(epoch)
            )
            let leaf = try transaction.row(
                "SELECT leaf FROM leaves WHERE log = $1 AND idx = $2",
                .integer(log),
                .count(index)
            )
            // A leaf that is missing is named as that.
            guard let body = try body?.blob(0), let leaf = try leaf?.blob(0) else { return true }
            guard case .entry(.fork(let name, let chain, _, _, let digest))? = try? AuditLeaf.read(leaf).content else {
                return false
            }
            return name.bytes == device && chain.bytes == epoch && digest == SHA256.digest(body)
        }
    }
}
