/// Replaces the service key while the service keeps running.
///
/// 1. The file gets the new key after the former: both can open values.
/// 2. The database names the new key, which alone seals from then on (`ServiceKeys.sealer`).
/// 3. Every row is sealed anew.
/// 4. The former key is removed from the file.
///
/// If it is interrupted, the next call continues it. If instances have separate files, add the new key
/// (`ServiceKeyFile.add`) and copy the file to each of them before the second step: an instance without the sealing key
/// answers that it is unavailable.
package struct ServiceKeyRotation {
    /// The result of a rotation.
    package struct Report: Equatable, Sendable {
        /// The current sealing key.
        package let identifier: ServiceKeyIdentifier
        /// The number of rows that were sealed anew.
        package let sealed: Int
        /// The number of rows with a value that does not open, because it was changed or moved.
        ///
        /// The former key is then kept, so that an operator can investigate.
        package let refused: Int
    }

    private let file: ServiceKeyFile
    private let store: any Store
    private let batch: Int64

    /// - Parameter batch: the number of rows sealed anew per transaction.
    package init(of file: ServiceKeyFile, in store: any Store, batch: Int64 = 100) {
        self.file = file
        self.store = store
        self.batch = batch
    }

    package func run() throws(ServiceKeyRotationError) -> Report {
        let former = try stored { () throws(StoreError) in
            try store.reading { transaction throws(StoreError) in try sealing(in: transaction) }
        }
        let newest = try filed { () throws(ServiceKeyError) in try target(from: former) }
        let keys = try filed { () throws(ServiceKeyError) in try ServiceKeys(file) }
        try stored { () throws(StoreError) in
            try store.transaction { transaction throws(StoreError) in
                let statement: StaticString = "UPDATE keys SET value = $1 WHERE purpose = 'sealing'"
                try transaction.run(statement, .blob(newest.bytes))
            }
        }
        let report = try stored { () throws(StoreError) in try sealAll(with: keys, newest) }
        if report.refused == 0 { try filed { () throws(ServiceKeyError) in try file.keepOnly(newest) } }
        return report
    }

    private func sealing(in transaction: any StoreTransaction) throws(StoreError) -> ServiceKeyIdentifier {
        let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'sealing'")
        guard let row, let identifier = ServiceKeyIdentifier(try row.blob(0)) else { throw .damaged }
        return identifier
    }

    /// Returns the key to rotate to: the file's newest if one was already added or an earlier rotation was interrupted,
    /// else a new one.
    private func target(from former: ServiceKeyIdentifier) throws(ServiceKeyError) -> ServiceKeyIdentifier {
        let names = try file.identifiers()
        guard names.contains(former) else { throw .absent }
        if names.count > 1, let newest = names.last { return newest }
        return try file.add()
    }

    private func sealAll(with keys: ServiceKeys, _ newest: ServiceKeyIdentifier) throws(StoreError) -> Report {
        // A retried transaction visits rows again, so collect their identifiers instead of counting.
        var sealed = Set<[UInt8]>()
        var refused = Set<[UInt8]>()
        try SealedRows(batch: batch, store: store).forEach { transaction, row throws(StoreError) in
            let boxes = row.cells.compactMap(\.box)
            guard boxes.contains(where: { !$0.starts(with: newest.bytes) }) else { return }
            let sealer = try keys.sealer(in: transaction)
            do throws(StoreError) {
                try row.write(transaction, try row.sealed(by: sealer, keys))
                sealed.insert(row.identifier)
            } catch {
                guard error == .tampered || error == .keyMissing else { throw error }
                refused.insert(row.identifier)
            }
        }
        return Report(identifier: newest, sealed: sealed.count, refused: refused.count)
    }

    private func stored<Result>(_ call: () throws(StoreError) -> Result) throws(ServiceKeyRotationError) -> Result {
        do throws(StoreError) { return try call() } catch { throw .store(error) }
    }

    private func filed<Result>(_ call: () throws(ServiceKeyError) -> Result) throws(ServiceKeyRotationError) -> Result {
        do throws(ServiceKeyError) { return try call() } catch { throw .file(error) }
    }
}

/// Why a rotation failed; the next call continues it.
package enum ServiceKeyRotationError: Error, Equatable, Sendable {
    case file(ServiceKeyError)
    case store(StoreError)
}

extension SealedRows.Row {
    /// Returns its cells sealed anew, in order.
    fileprivate func sealed(by sealer: Sealer, _ keys: ServiceKeys) throws(StoreError) -> [StoreValue] {
        var values: [StoreValue] = []
        for (cell, box) in cells {
            guard let box else {
                values.append(.null)
                continue
            }
            values.append(.blob(try sealer.seal(try keys.open(box, cell), cell)))
        }
        return values
    }
}
