import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What of the wallets' rows needs no key: the index, and the labels as they are sealed.
///
/// Nobody has verified them; the head says whether the index is the vault's.
struct WalletRows {
    let index: WalletIndex
    private let sealed: SealedLabels

    fileprivate init(index: WalletIndex, labels: SealedLabels) {
        (self.index, sealed) = (index, labels)
    }

    /// Reads all rows; nil where one of them is of another shape than a wallet's, which is one that was changed.
    ///
    /// - Parameter count: about how many there are.
    init?(reading store: VaultStore, about count: UInt32) throws(VaultError) {
        var reading = try WalletReading(of: store, about: count)
        guard let rows = try reading.finish(in: store) else { return nil }
        self = rows
    }

    /// What every label says, in no order.
    ///
    /// - Throws: `.vaultTampered` for a label that does not open.
    func summaries(key: borrowing SecretBytes, vault: Identifier) throws(VaultError) -> [WalletSummary] {
        let count = sealed.rows.count
        // Fewer are open in less time than a thread takes to start.
        guard count >= 2_048 else { return try sealed.open(0..<count, key: key, vault: vault) }
        let half = LabelsAside(sealed, count / 2..<count, key: key.copy(), vault: vault)
        var summaries = try beside(half.open) {
        } _: { () throws(VaultError) in
            try sealed.open(0..<count / 2, key: key, vault: vault)
        }
        summaries += try half.summaries()
        return summaries
    }
}

/// Some of the labels, which another core opens.
private final class LabelsAside {
    private let sealed: SealedLabels
    private let range: Range<Int>
    private let key: SecretBytes
    private let vault: Identifier
    private var result: Result<[WalletSummary], VaultError>?

    init(_ sealed: SealedLabels, _ range: Range<Int>, key: consuming SecretBytes, vault: Identifier) {
        (self.sealed, self.range, self.vault) = (sealed, range, vault)
        self.key = key
    }

    func open() {
        do throws(VaultError) { result = .success(try sealed.open(range, key: key, vault: vault)) } catch {
            result = .failure(error)
        }
    }

    /// What they say; where there was no thread they are opened now.
    func summaries() throws(VaultError) -> [WalletSummary] {
        if result == nil { open() }
        return try result?.get() ?? []
    }
}

/// Labels as they are sealed, in the order of the file.
private struct SealedLabels {
    /// Whose each is, with the digest of its row.
    private(set) var rows: [WalletIndex.Entry] = []
    /// One after the other.
    private(set) var bytes = ContiguousArray<UInt8>()
    /// Where each ends.
    private(set) var ends: [Int] = []

    mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count)
        bytes.reserveCapacity(count * 96)
        ends.reserveCapacity(count)
    }

    mutating func append(_ label: RawSpan, of row: WalletIndex.Entry) {
        rows.append(row)
        unsafe label.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        ends.append(bytes.count)
    }

    /// What some of them say.
    ///
    /// - Throws: `.vaultTampered` for one that does not open.
    func open(
        _ range: Range<Int>,
        key: borrowing SecretBytes,
        vault: Identifier
    ) throws(VaultError) -> [WalletSummary] {
        try withCleanStack { () throws(VaultError) in
            var opening = try WalletRecord.Labels(key: key, of: vault)
            var summaries: [WalletSummary] = []
            summaries.reserveCapacity(range.count)
            let all = unsafe bytes.span.bytes
            var start = range.lowerBound > 0 ? ends[range.lowerBound - 1] : 0
            for place in range {
                summaries.append(try opening.open(all.extracting(start..<ends[place]), of: rows[place].id))
                start = ends[place]
            }
            return summaries
        }
    }
}

/// A reading of all wallets' rows, as they lie in the file, which is read once: it may rest between any two of them.
///
/// It needs no key, and verifies nothing.
struct WalletReading {
    /// What the file was when it began.
    private let version: Int64
    private var labels = SealedLabels()
    /// The number of the last row.
    private var last = Int64.min
    private var isAtEnd = false

    /// Begins one, and reads nothing yet.
    ///
    /// - Parameter count: about how many there are.
    init(of store: VaultStore, about count: UInt32) throws(VaultError) {
        version = try store.contentVersion()
        // A head that nobody has verified may name any number.
        let expected = Int(min(count, 1 << 16))
        labels.reserve(expected)
    }

    /// How many rows were read.
    var count: Int { labels.rows.count }

    /// Whether no other connection has committed anything since; what its own vault wrote, the head tells.
    func isOfNow(in store: VaultStore) throws(VaultError) -> Bool { try store.contentVersion() == version }

    /// Reads on, each row whole.
    ///
    /// - Parameters:
    ///   - most: how many rows there may be in the end.
    ///   - isOver: asked before the first row, and then at times; ends it.
    /// - Throws: `.vaultDamaged` for a row of another shape than a wallet's, and why the file can't be read; what was read until
    ///   then stands.
    mutating func read(
        from store: VaultStore,
        atMost most: Int = .max,
        until isOver: () -> Bool = { false }
    ) throws(VaultError) {
        guard !isAtEnd else { return }
        var digester = WalletRecord.Digester()
        var isPaused = false
        // Asked for each row it would cost as much as the row's digest.
        var untilAsked = 1
        try store.scanWallets(behind: last) { row, id, tag, label, secret in
            untilAsked -= 1
            if untilAsked == 0 {
                untilAsked = 32
                isPaused = isOver()
            }
            guard !isPaused, labels.rows.count < most else {
                isPaused = true
                return false
            }
            let digest = digester.digest(of: id, tag: tag, label: label, secret: secret)
            labels.append(label, of: WalletIndex.Entry(tag: tag, id: id, digest: digest))
            last = row
            return true
        }
        isAtEnd = !isPaused
    }

    /// Reads the rest.
    ///
    /// - Returns: nil where a row is of another shape than a wallet's.
    mutating func finish(in store: VaultStore) throws(VaultError) -> WalletRows? {
        do throws(VaultError) {
            try read(from: store)
            return WalletRows(index: WalletIndex(entries: labels.rows), labels: labels)
        } catch  where error.code == .vaultDamaged {
            return nil
        }
    }
}

/// The rows of a vault's wallets, read while its PIN is stretched.
///
/// Nobody has verified the head then: what it says of their number is a bound, and no more.
final class WalletsAhead {
    /// Fewer are read in less time than a thread takes to start.
    static let least: UInt32 = 256
    /// More are no common vault's, and would cost memory before anybody needs them.
    static let most: UInt32 = 131_072

    /// As far as it came; nil where it did not begin, or where a row is no wallet's.
    private(set) var reading: WalletReading?
    private let count: UInt32
    private let lock = Lock()
    private var isStopped = false

    /// - Parameter count: how many wallets the head names.
    init(count: UInt32) { self.count = count }

    /// Whether reading them ahead is worth a thread.
    var isWorthwhile: Bool { count >= Self.least }

    /// Reads them, until it is told to stop; of what fails nobody is told, for whoever needs the rows reads on.
    func read(from store: VaultStore) {
        guard var begun = try? WalletReading(of: store, about: count) else { return }
        do throws(VaultError) {
            try begun.read(from: store, atMost: Int(min(count, Self.most))) { lock.withLock { isStopped } }
        } catch {
            guard error.code != .vaultDamaged else { return }
        }
        reading = begun
    }

    /// Ends the reading, from another thread: between two rows, or in the middle of a query.
    func stop(_ store: VaultStore) {
        lock.withLock { isStopped = true }
        store.interrupt()
    }
}
