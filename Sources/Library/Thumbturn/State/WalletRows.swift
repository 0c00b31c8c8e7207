import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The parts of the wallets' rows that need no key: the index, and the sealed labels.
///
/// Unverified; the head decides whether the index is the vault's.
struct WalletRows {
    let index: WalletIndex
    private let sealed: SealedLabels

    fileprivate init(index: WalletIndex, labels: SealedLabels) { (self.index, sealed) = (index, labels) }

    /// Reads all rows; nil when a row does not have a wallet's shape, which means that it was changed.
    ///
    /// - Parameter count: about how many there are.
    init?(reading store: VaultStore, about count: UInt32) throws(VaultError) {
        var reading = try WalletReading(of: store, about: count)
        guard let rows = try reading.finish(in: store) else { return nil }
        self = rows
    }

    /// Returns what every label says, sorted by name.
    ///
    /// - Throws: `.vaultTampered` for a label that does not open.
    func summaries(key: borrowing SecretBytes, vault: Identifier) throws(VaultError) -> [WalletSummary] {
        let count = sealed.rows.count
        // Opening fewer takes less time than starting a thread.
        guard count >= 2_048 else { return try sealed.openSorted(0..<count, key: key, vault: vault) }
        let half = LabelsAside(sealed, count / 2..<count, key: key.copy(), vault: vault)
        let summaries = try beside(half.open) {
        } _: { () throws(VaultError) in
            try sealed.openSorted(0..<count / 2, key: key, vault: vault)
        }
        return Self.merge(summaries, try half.summaries())
    }

    private static func merge(_ first: [WalletSummary], _ second: [WalletSummary]) -> [WalletSummary] {
        var merged: [WalletSummary] = []
        merged.reserveCapacity(first.count + second.count)
        var rest = second[...]
        for wallet in first {
            while let next = rest.first, next.precedes(wallet) { merged.append(rest.removeFirst()) }
            merged.append(wallet)
        }
        return merged + rest
    }
}

/// Some of the labels, to be opened on another core.
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
        do throws(VaultError) { result = .success(try sealed.openSorted(range, key: key, vault: vault)) } catch {
            result = .failure(error)
        }
    }

    /// Returns what the labels say; opens them now if there was no thread.
    func summaries() throws(VaultError) -> [WalletSummary] {
        if result == nil { open() }
        return try result?.get() ?? []
    }
}

/// Sealed labels, in file order.
private struct SealedLabels {
    /// The id, tag and row digest for each label.
    private(set) var rows: [WalletIndex.Entry] = []
    /// The labels, concatenated.
    private(set) var bytes = ContiguousArray<UInt8>()
    /// The end offset of each label.
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

    /// Returns what a range of the labels says, sorted by name.
    ///
    /// - Throws: `.vaultTampered` for one that does not open.
    func openSorted(
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
            summaries.sort { $0.precedes($1) }
            return summaries
        }
    }
}

/// A pass over all wallets' rows in file order, which reads the file once and may pause between any two rows.
///
/// Needs no key, and verifies nothing.
struct WalletReading {
    /// The file's version when the pass began.
    private let version: Int64
    private var labels = SealedLabels()
    /// Where it goes on; there is no row beyond the last number.
    private var next = Int64.min
    private var isAtEnd = false

    /// Starts a pass without reading anything yet.
    ///
    /// - Parameter count: roughly how many rows there are.
    init(of store: VaultStore, about count: UInt32) throws(VaultError) {
        version = try store.contentVersion()
        // An unverified head may state any number.
        let expected = Int(min(count, 1 << 16))
        labels.reserve(expected)
    }

    /// The number of rows read.
    var count: Int { labels.rows.count }

    /// Returns whether no other connection has committed since; the head tells what this vault itself wrote.
    func isOfNow(in store: VaultStore) throws(VaultError) -> Bool { try store.contentVersion() == version }

    /// Continues reading, one whole row at a time.
    ///
    /// - Parameters:
    ///   - most: the maximum number of rows in total.
    ///   - isOver: asked before the first row, and then at intervals; true ends the reading.
    /// - Throws: `.vaultDamaged` for a row without a wallet's shape, and why the file can't be read; rows read before
    ///   that are kept.
    mutating func read(
        from store: VaultStore,
        atMost most: Int = .max,
        until isOver: () -> Bool = { false }
    ) throws(VaultError) {
        guard !isAtEnd else { return }
        var digester = WalletRecord.Digester()
        var isPaused = false
        // Asking for each row would cost as much as the row's digest.
        var untilAsked = 1
        try store.scanWallets(from: next) { row, id, tag, label, secret in
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
            next = row == .max ? row : row + 1
            return true
        }
        isAtEnd = !isPaused
    }

    /// Reads the rest.
    ///
    /// - Returns: nil when a row does not have a wallet's shape.
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
/// The head is not verified at that time: its wallet count is only an upper bound.
final class WalletsAhead {
    /// Reading fewer takes less time than starting a thread.
    static let least: UInt32 = 256
    /// More would be unusual, and cost memory before any call needs them.
    static let most: UInt32 = 131_072

    /// The pass so far; nil when it did not start, or when a row does not have a wallet's shape.
    private(set) var reading: WalletReading?
    private let count: UInt32
    private let lock = Lock()
    private var isStopped = false

    /// Creates the reader without starting it.
    ///
    /// - Parameter count: how many wallets the head names.
    init(count: UInt32) { self.count = count }

    /// Whether reading them ahead is worth a thread.
    var isWorthwhile: Bool { count >= Self.least }

    /// Reads the rows until told to stop; reports no failure, since a call that needs the rows continues the reading.
    func read(from store: VaultStore) {
        guard var begun = try? WalletReading(of: store, about: count) else { return }
        do throws(VaultError) {
            try begun.read(from: store, atMost: Int(min(count, Self.most))) { lock.withLock { isStopped } }
        } catch {
            guard error.code != .vaultDamaged else { return }
        }
        reading = begun
    }

    /// Stops the reading, from another thread: between two rows, or within a query.
    func stop(_ store: VaultStore) {
        lock.withLock { isStopped = true }
        store.interrupt()
    }
}
