internal import Synchronization
package import ThumbturnCrypto

/// The service keys of a process, which all its threads share.
///
/// Which of them seals stands in the database, where each transaction that seals reads it (`sealer(in:)`). So when a rotation
/// has changed it, nothing is written any more under the former key, whichever instance writes, and once all rows are sealed
/// anew that key can go. A key that the file got meanwhile is found there when it is met.
package final class ServiceKeys: Sendable {
    private let file: ServiceKeyFile
    private let known: Mutex<[ServiceKeyIdentifier: ServiceKey]>

    /// Reads the keys.
    package init(_ file: ServiceKeyFile) throws(ServiceKeyError) {
        self.file = file
        known = Mutex(Self.byName(try file.load()))
    }

    /// What seals in this transaction.
    ///
    /// - Throws: `.keyMissing` where the file does not hold the key that the database names.
    package func sealer(in transaction: any StoreTransaction) throws(StoreError) -> Sealer {
        let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'sealing'")
        guard let row, let identifier = ServiceKeyIdentifier(try row.blob(0)) else { throw .damaged }
        return Sealer(key: try key(identifier))
    }

    /// Opens a sealed value.
    ///
    /// - Throws: `.tampered` where it was changed or is not of this cell; `.keyMissing`.
    package func open(_ box: [UInt8], _ cell: SealedCell) throws(StoreError) -> SecretBytes {
        let box = try SealedBox(box)
        return try box.open(cell, with: key(box.identifier))
    }

    /// The key that the file got last.
    func newest() throws(StoreError) -> ServiceKey {
        guard let key = try? file.load().last else { throw .keyMissing }
        return key
    }

    func key(_ identifier: ServiceKeyIdentifier) throws(StoreError) -> ServiceKey {
        if let key = known.withLock({ $0[identifier] }) { return key }
        guard let loaded = try? file.load() else { throw .keyMissing }
        let names = Self.byName(loaded)
        // What a rotation took out of the file stays known: a transaction that began before may have yet to open it.
        known.withLock { known in known.merge(names) { former, _ in former } }
        guard let key = names[identifier] else { throw .keyMissing }
        return key
    }

    private static func byName(_ keys: [ServiceKey]) -> [ServiceKeyIdentifier: ServiceKey] {
        Dictionary(keys.map { ($0.identifier, $0) }) { first, _ in first }
    }
}

/// What seals the values of one transaction; kept beyond it, it might seal under a key that is about to go.
package struct Sealer: Sendable {
    let key: ServiceKey

    /// How much longer a sealed value is than what it seals, in bytes.
    package static let overhead = SealedBox.overhead

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
