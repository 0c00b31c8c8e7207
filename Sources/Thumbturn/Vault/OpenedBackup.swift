public import ThumbturnCrypto
public import ThumbturnRules

/// A backup that was opened with its recovery key to export from; nothing is written, and no vault is made.
///
/// It needs no more of the file than what it gives: what is whole opens, wherever else the file was damaged. The same holds of
/// a vault's own file, where that has a recovery key. Its master key is in memory for as long as it lives.
public struct OpenedBackup: ~Copyable {
    /// Every wallet in it, by what opens.
    public let inventory: WalletInventory

    private let scan: RowScan
    private let key: MasterKey
    private let vault: Identifier
    /// Where each wallet lies, or what was pieced together of it.
    private let places: [Identifier: Place]

    private static let mostPieced = 256

    private enum Place {
        case row(RowScan.Place)
        case pieces(StoredWallet)
    }

    /// Opens a backup, or a vault's file that nobody has open.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - typed: the recovery key in any case, with or without its dashes.
    /// - Throws: `.recoveryKeyMalformed`, `.vaultMissing`, `.vaultUnsafe` for what is no plain file, `.vaultDamaged` where nothing
    ///   is in it that a recovery key could open, `.strongFactorRefused`, or why the file can't be read.
    public init(at path: String, recoveryKey typed: borrowing SecretBytes) throws(VaultError) {
        let secret = SlotSecret.recovery(try RecoveryKey.parse(typed))
        let scan = try RowScan(path)
        let slot = try Self.slot(in: scan, openedBy: secret)
        let vault = slot.vault
        guard let key = try slot.open(with: secret) else { throw VaultError(.strongFactorRefused) }
        var counting = WalletInventory.Counting()
        var places: [Identifier: Place] = [:]
        var head: Head?
        var digests: [WalletIndex.Entry] = []
        var (pieced, chains) = (0, 0)
        for number in 0..<scan.pageCount {
            let page = try scan.page(number)
            if head == nil {
                for stored in scan.heads(in: page, of: vault) { head = head ?? key.verifiedHead(stored, of: vault) }
            }
            var opened: Set<Int> = []
            for offset in scan.wallets(in: page) {
                let place = RowScan.Place(page: number, offset: offset)
                let cell = try scan.wallet(at: place) { local in
                    guard chains < Self.mostPieced, Self.isWallet(local, of: vault, key: key) else { return false }
                    chains += 1
                    return true
                }
                guard let cell, Self.isWallet(cell.row, of: vault, key: key) else { continue }
                if let record = cell.row.record {
                    digests.append(WalletIndex.Entry(id: record.id, digest: record.digest))
                }
                guard let id = counting.take(cell.row, key: key, vault: vault) else { continue }
                places[id] = .row(place)
                chains = 0  // Only what leads nowhere is counted.
                opened.insert(cell.secretStart)
            }
            // The sizes of its columns may be what was changed. Of more than a few that is no accident.
            for start in scan.secrets(in: page, of: vault) where !opened.contains(start) && pieced < Self.mostPieced {
                pieced += 1
                guard let row = key.pieceTogether(page, at: start, vault: vault) else { continue }
                if let id = counting.take(row, key: key, vault: vault) { places[id] = .pieces(row) }
            }
        }
        let index = WalletIndex(entries: digests)
        let isAuthentic = head.map { $0.walletIndexHash == index.hash && Int($0.walletCount) == index.count } ?? false
        inventory = counting.inventory(of: head.map { Int($0.walletCount) }, isAuthentic: isAuthentic)
        self.scan = scan
        self.key = key
        self.vault = vault
        self.places = places
    }

    /// Lends a wallet's secret as its owner would write it down.
    ///
    /// - Parameters:
    ///   - id: which wallet.
    ///   - body: lent the secret as UTF-8, or as the opaque bytes, with what is known of the wallet; what it was lent is zeroised
    ///     when it returns.
    /// - Throws: `.walletMissing`, `.vaultTampered`, why the file can't be read, or what `body` throws.
    public borrowing func exportWallet<Result>(
        _ id: Identifier,
        _ body: (WalletSummary, RawSpan) throws -> Result
    ) throws -> Result {
        let row: StoredWallet?
        switch places[id] {
        case .row(let place)?: row = try scan.wallet(at: place)?.row
        case .pieces(let pieces)?: row = pieces
        case nil: throw VaultError(inventory.damaged.contains { $0.id == id } ? .vaultTampered : .walletMissing)
        }
        guard let row, let opened = key.open(row, vault: vault), opened.summary.id == id else {
            throw VaultError(.vaultTampered)
        }
        return try opened.lend(body)
    }

    /// The first slot that the recovery key opens; it has 256 bits, so nobody guesses it by trying them all.
    private static func slot(
        in scan: RowScan,
        openedBy secret: borrowing SlotSecret
    ) throws(VaultError) -> SlotRecord {
        var isThere = false
        for number in 0..<scan.pageCount {
            for slot in scan.recoverySlots(in: try scan.page(number)) {
                isThere = true
                if try slot.open(with: secret) != nil { return slot }
            }
        }
        throw VaultError(isThere ? .strongFactorRefused : .vaultDamaged)
    }

    /// Whether a record is of a wallet at all: other bytes may look like one.
    private static func isWallet(_ row: StoredWallet, of vault: Identifier, key: borrowing MasterKey) -> Bool {
        row.secret.starts(with: WalletRecord.beginning(in: vault)) || key.label(of: row, vault: vault) != nil
            || key.open(row, vault: vault) != nil
    }
}

extension MasterKey {
    /// The head in a row, if it is as the vault wrote it.
    fileprivate borrowing func verifiedHead(_ stored: VaultStore.Authenticated, of vault: Identifier) -> Head? {
        let key = manifestKey(of: vault)
        guard (try? HMACSHA256.verify(stored.mac, of: Head.macInput(stored.body), key: key)) != nil else { return nil }
        return try? Head(parsing: stored.body)
    }

    /// A row of which the sizes of its columns were lost: each that there may be is tried, and what opens is right.
    ///
    /// - Parameter start: where in the page the secret begins; one that has its end in another page is out of reach.
    /// - Returns: nil when nothing opens.
    fileprivate borrowing func pieceTogether(_ page: [UInt8], at start: Int, vault: Identifier) -> StoredWallet? {
        let rest = Array(page[start...])
        guard let id = WalletRecord.wallet(namedIn: rest) else { return nil }
        var label: [UInt8] = []
        var kinds = WalletKind.allCases
        let key = labelKey(of: vault)
        for length in stride(from: 1, through: min(start, WalletRecord.maximumSealedName), by: 1) {
            let record = WalletRecord(id: id, label: Array(page[start - length..<start]), secret: [])
            guard let summary = try? record.summary(key: key, vault: vault) else { continue }
            (label, kinds) = (record.label, [summary.kind])
            break
        }
        guard let size = size(ofSecretIn: rest, kinds: kinds, wallet: id, vault: vault) else { return nil }
        return StoredWallet(id: id.bytes, label: label, secret: Array(rest.prefix(size)))
    }
}
