import ThumbturnAudit
import ThumbturnRules

/// Ends the logs of a database that came back from a backup, and begins the ones that take their place.
///
/// A former log may have signed heads that the backup does not know, so it never signs another. It stays readable up to
/// the newest head that it has. The next log's first entry names that head.
///
/// It relies on this: nothing writes to a log that has `ended` (`LogHead.swap`), and a log without a row is made by the
/// start of the service, which takes the entries that wait here.
struct LogSuccession {
    /// A log that has ended.
    private struct Former {
        let log: Int64
        let origin: String
        /// The number of the last entry that it took from the outbox.
        let outbox: Int64
        let size: UInt64
        let root: [UInt8]
        /// The entries behind its newest signed head, which no reader has seen.
        var unseen: [LedgerEntry] = []
    }

    private let former: LedgerPlan
    private let logs: [Former]

    /// Ends every log that is written to; repeated, it changes nothing.
    ///
    /// - Parameter service: the service's name.
    init(_ plan: LedgerPlan, of service: String, in store: any Store) throws(StoreError) {
        former = plan
        logs = try plan.logs.map { log throws(StoreError) in
            try Self.end(log, origin: plan.origin(of: log, of: service), in: store)
        }
    }

    private static func end(_ log: Int64, origin: String, in store: any Store) throws(StoreError) -> Former {
        let (head, note) = try store.transaction { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET ended = 1 WHERE log = $1", .integer(log))
            guard let head = try LogHead.read(log, transaction), let size = head.signed else {
                return (try LogHead.read(log, transaction), nil as [UInt8]?)
            }
            return (head, try transaction.note(covering: size, of: log))
        }
        var former = Former(log: log, origin: origin, outbox: head?.outbox ?? 0, size: 0, root: MerkleTree.emptyRoot)
        if let note {
            guard let checkpoint = (try? AuditNote(reading: note))?.checkpoint else { throw .damaged }
            former = Former(
                log: log,
                origin: checkpoint.origin,
                outbox: former.outbox,
                size: checkpoint.size,
                root: checkpoint.root
            )
        }
        var index = former.size
        while let head, index < head.size {
            let end = min(head.size, index + LogWalk.width)
            let leaves = try store.reading { transaction throws(StoreError) in
                try transaction.leaves(of: log, from: index, to: end)
            }
            for leaf in leaves {
                if case .entry(let entry)? = (try? AuditLeaf.read(leaf))?.content, entry.isOfOutbox {
                    former.unseen.append(entry)
                }
            }
            index = end
        }
        return former
    }
}

extension LogSuccession {
    /// Begins the next logs, in a transaction on the tables that lie with the accounts: each outbox gets the former head,
    /// what the former log did not get before its readers, and the devices that are listed now.
    func begin(in transaction: any StoreTransaction) throws(StoreError) {
        guard try LedgerPlan.read(transaction) == former else { throw .conflict }
        for log in logs {
            let number = log.log + Int64(former.count)
            try Outbox.begin(number, transaction)
            try Outbox.put(
                .restored(formerOrigin: log.origin, size: log.size, root: log.root),
                for: number,
                transaction
            )
            for entry in log.unseen { try carry(entry, to: number, transaction) }
            var last: Int64? = log.outbox
            while let taken = last {
                let waiting = try Outbox.entries(of: log.log, behind: taken, transaction)
                for (_, entry) in waiting { try carry(entry, to: number, transaction) }
                last = waiting.last?.number
            }
            try transaction.run("DELETE FROM outbox WHERE log = $1", .integer(log.log))
        }
        try AuditLedger.putListedDevices(former.next, transaction)
        try former.next.write(transaction)
    }

    /// Puts an entry into the next log's outbox, unless the list of devices says the same.
    private func carry(
        _ entry: LedgerEntry,
        to log: Int64,
        _ transaction: any StoreTransaction
    ) throws(StoreError) {
        if case .deviceEnrolled(let device, _, _) = entry {
            let row = try transaction.row(
                "SELECT 1 FROM devices WHERE device_id = $1 AND revoked_at IS NULL",
                .blob(device.bytes)
            )
            guard row == nil else { return }
        }
        try Outbox.put(entry, for: log, transaction)
    }
}
