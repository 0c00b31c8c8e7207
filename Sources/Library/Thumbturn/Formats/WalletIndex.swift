import ThumbturnCrypto
import ThumbturnRules

/// The list of all wallets: 64 buckets by the first six bits of their tags, each with a digest of its rows.
///
/// The head has the hash of these digests, so no wallet can be removed, added or rolled back unnoticed. A wallet, or
/// the absence of a name, is verified with the rows of one bucket: some 1,600 of 100,000. The digests are stored only to
/// save time: if they are damaged, all rows are read.
struct WalletIndex: Equatable {
    /// One row of a bucket.
    struct Entry: Equatable {
        let tag: Identifier
        let id: Identifier
        let digest: SHA256.Digest

        init(tag: Identifier, id: Identifier, digest: SHA256.Digest) {
            (self.tag, self.id, self.digest) = (tag, id, digest)
        }

        init(_ record: WalletRecord) { self.init(tag: record.tag, id: record.id, digest: record.digest) }
    }

    /// Their digests fit into one page: a damaged chain of pages would let a write free others.
    static let bucketCount = 64
    /// From how many wallets on reading all rows costs less than reading each one's bucket.
    static let mostReadAlone = 16
    static let empty = WalletIndex(entries: [])

    private(set) var count: Int
    private var digests: [SHA256.Digest]
    /// The sorted rows of each bucket that was read.
    private var buckets: [[Entry]?]

    /// Creates an index of all rows, in any order.
    init(entries: [Entry]) {
        var buckets = [[Entry]](repeating: [], count: Self.bucketCount)
        for entry in entries { buckets[entry.tag.bucket].append(entry) }
        var digester = Digester()
        digests = []
        digests.reserveCapacity(Self.bucketCount)
        for place in buckets.indices {
            buckets[place].sort { $0.precedes($1) }
            digests.append(digester.digest(of: buckets[place]))
        }
        (self.buckets, count) = (buckets, entries.count)
    }

    /// Creates an index from the stored digests, which the head must confirm.
    ///
    /// - Returns: nil for bytes of another length.
    init?(stored bytes: [UInt8], count: UInt32) {
        guard bytes.count == Self.bucketCount * SHA256.byteCount else { return nil }
        digests = unsafe bytes.withUnsafeBytes { bytes in
            (0..<Self.bucketCount).map { place in
                let start = place * SHA256.byteCount
                return unsafe SHA256.Digest(bytes.bytes.extracting(start..<start + SHA256.byteCount))
            }
        }
        var digester = Digester()
        let ofNothing = digester.digest(of: [])
        buckets = digests.map { $0 == ofNothing ? [] : nil }
        self.count = Int(count)
    }

    /// The stored form of the digests.
    var bytes: [UInt8] { unsafe words.withUnsafeBytes { unsafe Array($0) } }

    /// SHA-256 over a label and the digests.
    var hash: [UInt8] {
        var hasher = SHA256.Hasher()
        hasher.update(Array("thumbturn.v1.wallet-index".utf8))
        unsafe words.withUnsafeBytes { unsafe hasher.update($0.bytes) }
        return hasher.finalize()
    }

    private var words: [UInt64] {
        var words: [UInt64] = []
        words.reserveCapacity(4 * Self.bucketCount)
        for digest in digests { digest.append(to: &words) }
        return words
    }

    /// Whether the rows of every bucket are known.
    var isWhole: Bool { buckets.allSatisfy { $0 != nil } }

    func knows(_ bucket: Int) -> Bool { buckets[bucket] != nil }

    /// Accepts the rows of a bucket.
    ///
    /// - Returns: false when they do not match the bucket's digest.
    mutating func learn(_ entries: [Entry], in bucket: Int) -> Bool {
        var digester = Digester()
        let entries = entries.sorted { $0.precedes($1) }
        guard digester.digest(of: entries) == digests[bucket] else { return false }
        buckets[bucket] = entries
        return true
    }

    /// Returns the wallets with a tag, whose bucket must be known.
    func wallets(of tag: Identifier) -> [Identifier] {
        entries(in: tag.bucket).filter { $0.isCalled(by: tag) }.map(\.id)
    }

    /// Returns whether a known bucket contains a wallet; says nothing about unknown buckets.
    func contains(_ id: Identifier) -> Bool { buckets.contains { bucket in bucket?.contains { $0.id == id } == true } }

    /// Returns whether `record` is a row that the index knows.
    func vouches(for record: WalletRecord) -> Bool {
        guard let bucket = buckets[record.tag.bucket] else { return false }
        let entry = Entry(record)
        var range = bucket.indices
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            if bucket[middle] == entry { return true }
            range = bucket[middle].precedes(entry) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// Adds new rows, whose buckets must be known.
    mutating func add(_ new: [Entry]) {
        for (place, entries) in Dictionary(grouping: new, by: \.tag.bucket) {
            set((self.entries(in: place) + entries).sorted { $0.precedes($1) }, in: place)
        }
        count += new.count
    }

    /// Removes the row of a wallet, whose bucket must be known.
    mutating func remove(_ record: WalletRecord) {
        let place = record.tag.bucket
        let entries = entries(in: place)
        let left = entries.filter { $0.id != record.id }
        set(left, in: place)
        count -= entries.count - left.count
    }

    /// Returns the buckets that differ from another index.
    func buckets(unlike other: WalletIndex) -> [Int] { digests.indices.filter { digests[$0] != other.digests[$0] } }

    private func entries(in bucket: Int) -> [Entry] {
        guard let entries = buckets[bucket] else { preconditionFailure("a bucket that was not read") }
        return entries
    }

    private mutating func set(_ entries: [Entry], in bucket: Int) {
        var digester = Digester()
        digests[bucket] = digester.digest(of: entries)
        buckets[bucket] = entries
    }

    /// SHA-256 over the digests of a bucket's rows, in order.
    private struct Digester: ~Copyable {
        private var hasher = SHA256.Hasher()
        private var words: [UInt64] = []

        mutating func digest(of entries: [Entry]) -> SHA256.Digest {
            words.removeAll(keepingCapacity: true)
            for entry in entries { entry.digest.append(to: &words) }
            return unsafe words.withUnsafeBytes { unsafe hasher.digest(of: $0.bytes) }
        }
    }
}

extension WalletIndex.Entry {
    fileprivate func isCalled(by name: Identifier) -> Bool { (tag.high, tag.low) == (name.high, name.low) }

    /// Orders by tag, and by id when names share a tag.
    fileprivate func precedes(_ other: Self) -> Bool {
        (tag.high, tag.low, id.high, id.low) < (other.tag.high, other.tag.low, other.id.high, other.id.low)
    }
}

extension Identifier {
    var bucket: Int { Int(high >> 58) }
}
