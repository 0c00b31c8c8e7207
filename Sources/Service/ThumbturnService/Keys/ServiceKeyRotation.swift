/// Puts a new service key in the place of the former, while the service goes on.
///
/// 1. The file gets the new key behind the former: both open.
/// 2. The database names the new one, and from then on it alone seals (`ServiceKeys.sealer`).
/// 3. Every row is sealed anew.
/// 4. The file forgets the former.
///
/// Cut off anywhere, it is taken up where it was by the next call. Where instances have files of their own, the new key is added
/// (`ServiceKeyFile.add`) and the file handed to each before the second step: one that does not know the key that seals answers
/// that it is not available.
package struct ServiceKeyRotation {
    /// What a rotation did.
    package struct Report: Equatable, Sendable {
        /// The key that seals now.
        package let identifier: ServiceKeyIdentifier
        /// In how many rows values were sealed anew.
        package let sealed: Int
        /// In how many rows a value does not open, because somebody changed or moved it.
        ///
        /// The former key is kept then, for an operator to look.
        package let refused: Int
    }

    private let file: ServiceKeyFile
    private let store: any Store
    private let batch: Int64

    /// - Parameter batch: how many rows one transaction seals anew.
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

    /// The key to rotate to: a new one, but where one was added already, or an earlier rotation has not ended, the file's newest.
    private func target(from former: ServiceKeyIdentifier) throws(ServiceKeyError) -> ServiceKeyIdentifier {
        let names = try file.identifiers()
        guard names.contains(former) else { throw .absent }
        if names.count > 1, let newest = names.last { return newest }
        return try file.add()
    }

    private func sealAll(
        with keys: ServiceKeys,
        _ newest: ServiceKeyIdentifier
    ) throws(StoreError) -> Report {
        // A transaction that is tried again counts again; so rows are counted by what they are.
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

/// What a rotation failed of; the next one takes it up.
package enum ServiceKeyRotationError: Error, Equatable, Sendable {
    case file(ServiceKeyError)
    case store(StoreError)
}

extension SealedRows.Row {
    /// Its cells sealed anew, in their order.
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
