public import ThumbturnCrypto
public import ThumbturnRules

/// A backup that was opened with its recovery key to export from; nothing is written, and no vault is made.
///
/// It needs no more of the file than what it gives: what is whole opens, wherever else the file was damaged. The same holds of
/// a vault's own file, where that has a recovery key. Its master key is in memory for as long as it lives.
public struct OpenedBackup: ~Copyable {
    /// Every wallet in it, by what opens.
    public let inventory: WalletInventory

    private let found: WalletScan
    private let key: MasterKey
    private let vault: Identifier

    /// Opens a backup, or a vault's file that nobody has open.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - typed: the recovery key in any case, with or without its dashes.
    /// - Throws: `.recoveryKeyMalformed`, `.vaultMissing`, `.vaultUnsafe` for what is no plain file, `.vaultDamaged` where
    ///   nothing is in it that a recovery key could open, `.strongFactorRefused`, or why the file can't be read.
    public init(at path: String, recoveryKey typed: borrowing SecretBytes) throws(VaultError) {
        let secret = SlotSecret.recovery(try RecoveryKey.parse(typed))
        let scan = try RowScan(path)
        let slot = try Self.slot(in: scan, openedBy: secret)
        let vault = slot.vault
        guard let key = try slot.open(with: secret) else { throw VaultError(.strongFactorRefused) }
        var counting = WalletInventory.Counting()
        var found = WalletScan(scan, of: vault)
        for number in 0..<found.pageCount { found.look(at: number, key: key, into: &counting) }
        self.found = found
        inventory = counting.inventory(
            of: found.head.map { Int($0.walletCount) },
            isAuthentic: found.isAuthentic,
            unreadPages: found.unreadPages
        )
        self.key = key
        self.vault = vault
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
        guard let row = try found.row(of: id) else {
            throw VaultError(inventory.damaged.contains { $0.id == id } ? .vaultTampered : .walletMissing)
        }
        guard let opened = key.open(row, vault: vault), opened.summary.id == id else {
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
        var fault: VaultError?
        for number in 0..<scan.pageCount {
            let page: [UInt8]
            do throws(VaultError) { page = try scan.page(number) } catch {
                fault = error  // The slot may lie in another page.
                continue
            }
            for slot in scan.recoverySlots(in: page) {
                isThere = true
                if try slot.open(with: secret) != nil { return slot }
            }
        }
        if let fault { throw fault }
        throw VaultError(isThere ? .strongFactorRefused : .vaultDamaged)
    }
}
