import ThumbturnCrypto
import ThumbturnRules

/// The wallets in a file under a master key, even if the rest of the file is damaged.
///
/// Scans page by page, so that the session can be locked in between. Skips unreadable pages.
struct WalletScan {
    private let scan: RowScan
    private let vault: Identifier
    /// The bytes that every sealed secret of the vault starts with.
    private let prefix: [UInt8]
    /// Where each wallet lies, or what was pieced together of it.
    private var places: [Identifier: Place] = [:]
    /// The head, if authentic.
    private(set) var head: Head?
    /// Whether there is any head, authentic or not.
    private(set) var hasHead = false
    private var digests: [WalletIndex.Entry] = []
    // Limits: more than a few of each is no accident, and costs the owner time.
    private var pieced = 0
    private var strange = 0
    private var wastedBytes = 0
    /// How many pages could not be read.
    private(set) var unreadPages = 0

    private static let mostPieced = 16
    private static let mostWastedBytes = 1 << 26
    private static let mostStrange = 4_096

    private enum Place {
        case row(RowScan.Place)
        case pieces(StoredWallet)
    }

    init(_ scan: RowScan, of vault: Identifier) {
        (self.scan, self.vault, prefix) = (scan, vault, WalletRecord.prefix(in: vault))
    }

    var pageCount: Int { scan.pageCount }

    /// Whether the rows found are those that the head names.
    var isAuthentic: Bool { head?.names(WalletIndex(entries: digests)) ?? false }

    /// Opens all wallets in the file.
    mutating func inventory(key: borrowing MasterKey) -> WalletInventory {
        var counting = WalletInventory.Counting()
        for number in 0..<pageCount { look(at: number, key: key, into: &counting) }
        var inventory = counting.inventory(
            of: head.map { Int($0.walletCount) },
            isAuthentic: isAuthentic,
            unreadPages: unreadPages
        )
        inventory.isHeadMissing = !hasHead
        return inventory
    }

    /// Opens the wallets in a page.
    ///
    /// - Parameter counting: receives each wallet that it does not know yet.
    mutating func look(at number: Int, key: borrowing MasterKey, into counting: inout WalletInventory.Counting) {
        guard let page = try? scan.page(number) else {
            unreadPages += 1
            return
        }
        if head == nil {
            for stored in scan.heads(in: page, of: vault) {
                hasHead = true
                head = head ?? key.verifiedHead(stored, of: vault)
            }
        }
        var opened: Set<Int> = []
        for offset in scan.wallets(in: page) {
            let place = RowScan.Place(page: number, offset: offset)
            guard let start = take(page, place, key: key, into: &counting) else { continue }
            opened.insert(start)
        }
        // The stored sizes of the columns may be what was damaged.
        for start in scan.secrets(in: page, prefix: prefix)
        where !opened.contains(start) && pieced < Self.mostPieced {
            guard let row = key.pieceTogether(page, at: start, vault: vault),
                let wallet = counting.take(row, key: key, vault: vault), !wallet.isKnown
            else {
                pieced += 1
                continue
            }
            places[wallet.id] = .pieces(row)
        }
    }

    /// Returns what every label says, if the file is intact: its rows match an authentic head, and no other bytes in it
    /// may be a wallet.
    ///
    /// Head and digests then vouch for each row, and no secret is opened.
    ///
    /// - Returns: nil when anything differs or can't be read; use `look` then.
    mutating func summaries(key: borrowing MasterKey) -> [WalletSummary]? {
        var digester = WalletRecord.Digester()
        var records: [(id: Identifier, label: [UInt8])] = []
        for number in 0..<pageCount {
            guard let page = try? scan.page(number) else { return nil }
            if head == nil {
                for stored in scan.heads(in: page, of: vault) { head = head ?? key.verifiedHead(stored, of: vault) }
            }
            var starts: Set<Int> = []
            for offset in scan.wallets(in: page) {
                // In an intact file each page belongs to at most one chain.
                let mayFollow = wastedBytes <= pageCount * page.count
                guard let cell = scan.wallet(in: page, at: offset, where: { _ in mayFollow }) else { return nil }
                guard cell.row.secret.starts(with: prefix) else {
                    strange += 1
                    guard strange < Self.mostStrange, !Self.isWallet(cell.row, of: vault, key: key) else { return nil }
                    continue
                }
                guard let record = cell.row.record else { return nil }
                if cell.spills { wastedBytes += record.secret.count }
                digests.append(WalletIndex.Entry(tag: record.tag, id: record.id, digest: record.digest(by: &digester)))
                records.append((id: record.id, label: record.label))
                places[record.id] = .row(RowScan.Place(page: number, offset: offset))
                starts.insert(cell.secretStart)
            }
            guard scan.secrets(in: page, prefix: prefix).allSatisfy(starts.contains) else { return nil }
        }
        guard isAuthentic, places.count == records.count else { return nil }
        let labelKey = key.labelKey(of: vault)
        return try? withCleanStack { () throws(VaultError) in
            var labels = try WalletRecord.Labels(key: labelKey, of: vault)
            var summaries: [WalletSummary] = []
            summaries.reserveCapacity(records.count)
            for (id, label) in records { summaries.append(try labels.open(label, of: id)) }
            return summaries
        }
    }

    /// Opens the record at a place, if it is a wallet's.
    ///
    /// - Returns: the secret's offset in the page, for a wallet that opens.
    private mutating func take(
        _ page: [UInt8],
        _ place: RowScan.Place,
        key: borrowing MasterKey,
        into counting: inout WalletInventory.Counting
    ) -> Int? {
        guard let local = scan.wallet(in: page, at: place.offset, where: { _ in false }) else { return nil }
        // Use the id in the secret: the row's id may have been changed.
        if let id = WalletRecord.wallet(namedIn: local.row.secret), counting.knows(id) { return local.secretStart }
        guard strange < Self.mostStrange else { return nil }
        guard Self.isWallet(local.row, of: vault, key: key) else {
            strange += 1
            return nil
        }
        // Limit how many bytes are followed in vain.
        let follows = wastedBytes < Self.mostWastedBytes
        guard let cell = scan.wallet(in: page, at: place.offset, where: { _ in follows }) else { return nil }
        if let record = cell.row.record { digests.append(WalletIndex.Entry(record)) }
        guard let wallet = counting.take(cell.row, key: key, vault: vault) else {
            strange += 1
            wastedBytes += cell.row.secret.count
            return nil
        }
        places[wallet.id] = .row(place)
        return cell.secretStart
    }

    /// Returns the row of a found wallet.
    ///
    /// - Throws: why its page can't be read any more.
    func row(of id: Identifier) throws(VaultError) -> StoredWallet? {
        switch places[id] {
        case .row(let place)?: try scan.wallet(at: place)?.row
        case .pieces(let pieces)?: pieces
        case nil: nil
        }
    }

    /// Returns whether a record is a wallet's at all: other bytes may look like one.
    private static func isWallet(_ row: StoredWallet, of vault: Identifier, key: borrowing MasterKey) -> Bool {
        row.secret.starts(with: WalletRecord.prefix(in: vault)) || key.label(of: row, vault: vault) != nil
            || key.open(row, vault: vault) != nil
    }
}

extension MasterKey {
    /// Returns the head in a row, if it is as the vault wrote it.
    fileprivate borrowing func verifiedHead(_ stored: VaultStore.TaggedRow, of vault: Identifier) -> Head? {
        let key = manifestKey(of: vault)
        guard (try? HMACSHA256.verify(stored.mac, of: Head.macInput(stored.body), key: key)) != nil else { return nil }
        return try? Head(parsing: stored.body)
    }

    /// Restores a row that lost the sizes of its columns: tries every possible size, and takes the one that opens.
    ///
    /// - Parameter start: the secret's offset in the page; a secret that ends in another page is out of reach.
    /// - Returns: nil when nothing opens.
    fileprivate borrowing func pieceTogether(_ page: [UInt8], at start: Int, vault: Identifier) -> StoredWallet? {
        let rest = Array(page[start...])
        guard let id = WalletRecord.wallet(namedIn: rest) else { return nil }
        var label: [UInt8] = []
        var kinds = WalletKind.allCases
        let key = labelKey(of: vault)
        for length in stride(from: 1, through: min(start, WalletRecord.maximumSealedName), by: 1) {
            let record = WalletRecord(id: id, tag: id, label: Array(page[start - length..<start]), secret: [])
            guard let summary = try? record.summary(key: key, vault: vault) else { continue }
            (label, kinds) = (record.label, [summary.kind])
            break
        }
        guard let size = size(ofSecretIn: rest, kinds: kinds, wallet: id, vault: vault) else { return nil }
        return StoredWallet(id: id.bytes, tag: nil, label: label, secret: Array(rest.prefix(size)))
    }
}
