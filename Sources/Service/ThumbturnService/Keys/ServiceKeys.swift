internal import Synchronization
package import ThumbturnCrypto

/// The service keys of a process, shared by all its threads.
///
/// The database names the sealing key, and each transaction that seals reads that name (`sealer(in:)`). So after a
/// rotation has changed it, no instance writes under the former key any more, and once all rows are sealed anew that
/// key can be removed. A key added to the file later is read when it is first needed.
package final class ServiceKeys: Sendable {
    private let file: ServiceKeyFile
    private let known: Mutex<[ServiceKeyIdentifier: ServiceKey]>

    /// Reads the keys.
    package init(_ file: ServiceKeyFile) throws(ServiceKeyError) {
        self.file = file
        known = Mutex(Self.byName(try file.load()))
    }

    /// Returns the sealer for this transaction.
    ///
    /// - Throws: `.keyMissing` if the file lacks the key that the database names.
    package func sealer(in transaction: any StoreTransaction) throws(StoreError) -> Sealer {
        let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'sealing'")
        guard let row, let identifier = ServiceKeyIdentifier(try row.blob(0)) else { throw .damaged }
        return Sealer(key: try key(identifier))
    }

    /// Opens a sealed value.
    ///
    /// - Throws: `.tampered` if it was changed or belongs to another cell; `.keyMissing`.
    package func open(_ box: [UInt8], _ cell: SealedCell) throws(StoreError) -> SecretBytes {
        let box = try SealedBox(box)
        return try box.open(cell, with: key(box.identifier))
    }

    func newest() throws(StoreError) -> ServiceKey {
        guard let key = try? file.load().last else { throw .keyMissing }
        return key
    }

    func key(_ identifier: ServiceKeyIdentifier) throws(StoreError) -> ServiceKey {
        if let key = known.withLock({ $0[identifier] }) { return key }
        guard let loaded = try? file.load() else { throw .keyMissing }
        let names = Self.byName(loaded)
        // Keep keys that a rotation has removed from the file: a transaction that started before may still need them.
        known.withLock { known in known.merge(names) { former, _ in former } }
        guard let key = names[identifier] else { throw .keyMissing }
        return key
    }

    private static func byName(_ keys: [ServiceKey]) -> [ServiceKeyIdentifier: ServiceKey] {
        Dictionary(keys.map { ($0.identifier, $0) }) { first, _ in first }
    }
}

/// Seals the values of one transaction; do not keep it longer, or it might seal under a key about to be removed.
package struct Sealer: Sendable {
    let key: ServiceKey

    /// Seals a value for its cell.
    package func seal(_ value: RawSpan, _ cell: SealedCell) throws(StoreError) -> [UInt8] {
        do { return try SealedBox.seal(value, for: cell, under: key) } catch { throw .unavailable }
    }

    /// Seals a secret for its cell.
    package func seal(_ secret: borrowing SecretBytes, _ cell: SealedCell) throws(StoreError) -> [UInt8] {
        try secret.withBytes { bytes throws(StoreError) in try seal(bytes, cell) }
    }

    /// Seals bytes that are not secret by themselves, such as a name or an envelope.
    package func seal(_ bytes: [UInt8], _ cell: SealedCell) throws(StoreError) -> [UInt8] {
        try unsafe bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
            try unsafe seal(UnsafeRawBufferPointer(bytes).bytes, cell)
        }
    }
}
