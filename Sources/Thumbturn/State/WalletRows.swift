import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What of the wallets' rows needs no key: the index, and the labels as they are sealed.
///
/// Nobody has verified them; the head says whether the index is the vault's.
struct WalletRows {
    let index: WalletIndex
    /// What the file was when they were read.
    private let version: Int64
    /// The sealed labels one after the other, in the order of the file.
    private let labels: ContiguousArray<UInt8>
    /// Whose each label is, and where it ends.
    private let ends: [(id: Identifier, end: Int)]

    /// Reads all rows; nil where one of them is of another shape than a wallet's, which is one that was changed.
    ///
    /// - Parameters:
    ///   - count: about how many there are.
    ///   - isOver: asked at each row, with how many were read before; ends the reading, which is nil then.
    init?(
        reading store: VaultStore,
        about count: UInt32,
        until isOver: (Int) -> Bool = { _ in false }
    ) throws(VaultError) {
        version = try store.contentVersion()
        // A head that nobody has verified may name any number.
        let expected = Int(min(count, 1 << 16))
        var entries: [WalletIndex.Entry] = []
        entries.reserveCapacity(expected)
        var labels = ContiguousArray<UInt8>()
        labels.reserveCapacity(expected * 96)
        var ends: [(id: Identifier, end: Int)] = []
        ends.reserveCapacity(expected)
        var digester = WalletRecord.Digester()
        do throws(VaultError) {
            let order = try store.scanWallets { (id, label, secret) throws(VaultError) in
                guard !isOver(entries.count) else { throw VaultError(.vaultDamaged) }
                entries.append(WalletIndex.Entry(id: id, digest: digester.digest(of: id, label: label, secret: secret)))
                unsafe label.withUnsafeBytes { unsafe labels.append(contentsOf: $0) }
                ends.append((id: id, end: labels.count))
            }
            index = WalletIndex(entries: order.map { entries[$0] })
            (self.labels, self.ends) = (labels, ends)
        } catch  where error.code == .vaultDamaged {
            return nil
        }
    }

    /// Whether no other connection has committed anything since; what its own vault wrote, the head tells.
    func isOfNow(in store: VaultStore) throws(VaultError) -> Bool { try store.contentVersion() == version }

    /// What every label says, in no order.
    ///
    /// - Throws: `.vaultTampered` for a label that does not open.
    func summaries(key: borrowing SecretBytes, vault: Identifier) throws(VaultError) -> [WalletSummary] {
        try withCleanStack { () throws(VaultError) in
            var opening = try WalletRecord.Labels(key: key, of: vault)
            var summaries: [WalletSummary] = []
            summaries.reserveCapacity(ends.count)
            let bytes = unsafe labels.span.bytes
            var start = 0
            for (id, end) in ends {
                summaries.append(try opening.open(bytes.extracting(start..<end), of: id))
                start = end
            }
            return summaries
        }
    }
}

/// The rows of a vault's wallets, read while its PIN is stretched.
///
/// Nobody has verified the head then: what it says of their number is a bound, and no more.
final class WalletsAhead {
    /// Fewer are read in less time than a thread takes to start; more are no common vault's, and cost memory.
    static let counts: ClosedRange<UInt32> = 256...131_072

    /// Nil where there was no time for all of them, or there are more than the head says.
    private(set) var rows: WalletRows?
    private let count: UInt32
    private let lock = Lock()
    private var isStopped = false

    /// - Parameter count: how many wallets the head names.
    init(count: UInt32) { self.count = count }

    /// Whether reading them ahead is worth a thread.
    var isWorthwhile: Bool { Self.counts.contains(count) }

    /// Reads them; of what fails nobody is told, for whoever needs the rows reads them again.
    func read(from store: VaultStore) {
        rows = try? WalletRows(reading: store, about: count) { read in
            read >= count || lock.withLock { isStopped }
        }
    }

    /// Ends the reading, from another thread: between two rows, or in the middle of a query.
    func stop(_ store: VaultStore) {
        lock.withLock { isStopped = true }
        store.interrupt()
    }
}
