import ThumbturnCrypto
import ThumbturnRules

/// What wallets there are, in the order of their ids, each with the digest of its row.
///
/// The head holds its hash, so that no wallet can be removed, added, or put back to an older state unnoticed. It is
/// verified on first use in a session, not at the unlock.
struct WalletIndex: Equatable {
    struct Entry: Equatable {
        let id: Identifier
        var digest: SHA256.Digest

        init(id: Identifier, digest: SHA256.Digest) {
            (self.id, self.digest) = (id, digest)
        }

        init(_ record: WalletRecord) { self.init(id: record.id, digest: record.digest) }
    }

    private(set) var entries: [Entry]

    static let empty = WalletIndex(entries: [])

    /// Takes entries in any order.
    init(entries: [Entry]) {
        self.entries = entries.sorted { $0.id.precedes($1.id) }
    }

    /// Takes entries in the order of their ids, each once.
    init(ordered entries: [Entry]) { self.entries = entries }

    var count: Int { entries.count }

    /// SHA-256 over a label and every id and digest.
    var hash: [UInt8] {
        var hasher = SHA256.Hasher()
        hasher.update(Array("thumbturn.v1.wallet-index".utf8))
        // Many at once, for to begin with a few bytes costs as much as to digest them.
        var words: [UInt64] = []
        words.reserveCapacity(6 * 512)
        for entry in entries {
            if words.count == 6 * 512 { hasher.update(taking: &words) }
            words.append(entry.id.high.bigEndian)
            words.append(entry.id.low.bigEndian)
            entry.digest.append(to: &words)
        }
        hasher.update(taking: &words)
        return hasher.finalize()
    }

    /// Whether a head names these wallets, as they are.
    func isNamed(by head: Head) -> Bool { count == Int(head.walletCount) && hash == head.walletIndexHash }

    func contains(_ id: Identifier) -> Bool { position(of: id) != nil }

    /// Adds rows that it does not know.
    mutating func add(_ new: [Entry]) { self = WalletIndex(entries: entries + new) }

    /// Adds a row, or takes its new digest.
    mutating func set(_ record: WalletRecord) {
        if let position = position(of: record.id) {
            entries[position].digest = record.digest
        } else {
            let position = insertion(of: record.id)
            entries.insert(Entry(record), at: position)
        }
    }

    mutating func remove(_ id: Identifier) {
        if let position = position(of: id) { entries.remove(at: position) }
    }

    /// Whether `record` is the row that the index knows.
    func vouches(for record: WalletRecord) -> Bool {
        guard let position = position(of: record.id) else { return false }
        return entries[position].digest == record.digest
    }

    private func position(of id: Identifier) -> Int? {
        let position = insertion(of: id)
        return position < entries.count && entries[position].id == id ? position : nil
    }

    private func insertion(of id: Identifier) -> Int {
        var range = 0..<entries.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = entries[middle].id.precedes(id) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension SHA256.Hasher {
    fileprivate mutating func update(taking words: inout [UInt64]) {
        unsafe words.withUnsafeBytes { unsafe update($0.bytes) }
        words.removeAll(keepingCapacity: true)
    }
}

extension Identifier {
    /// The order of their bytes.
    func precedes(_ other: Identifier) -> Bool { (high, low) < (other.high, other.low) }
}
