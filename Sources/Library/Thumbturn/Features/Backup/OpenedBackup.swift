public import ThumbturnCrypto
public import ThumbturnRules

/// A backup that was opened with its recovery key for exporting; writes nothing and creates no vault.
///
/// Opens every intact wallet, even if the rest of the file is damaged. Also opens a vault's own file that has a
/// recovery key, including the log beside it, both as of one instant. The master key stays in memory for the lifetime
/// of this value.
public struct OpenedBackup: ~Copyable {
    /// Every wallet in the backup: which open, and which do not.
    public let inventory: WalletInventory

    private let found: WalletScan
    private let key: MasterKey
    private let vault: Identifier

    /// Opens a backup, or a vault's file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - typed: the recovery key in upper or lower case, with or without its dashes.
    /// - Throws: `.recoveryKeyMalformed`, `.vaultMissing`, `.vaultUnsafe` for a path that is no plain file,
    ///   `.vaultDamaged` when it contains nothing that a recovery key could open, `.strongFactorRefused`, or why the
    ///   file can't be read.
    public init(at path: String, recoveryKey typed: borrowing SecretBytes) throws(VaultError) {
        try self.init(at: path, recoveryKey: typed, openingSecrets: false)
    }

    /// Opens a backup, or a vault's file.
    ///
    /// - Parameter opensAll: whether to open every secret, even when the file is intact.
    package init(
        at path: String,
        recoveryKey typed: borrowing SecretBytes,
        openingSecrets opensAll: Bool
    ) throws(VaultError) {
        let secret = SlotSecret.recovery(try RecoveryKey.parse(typed))
        let image = try DatabaseImage(path)
        let alone = try image.scanWithoutLog()
        guard image.hasCommits else {
            try self.init(alone, isLogLost: image.isLogDamaged, by: secret, openingSecrets: opensAll)
            return
        }
        let whole = try image.scan()
        let takesLog = try Self.takesLog(of: image, whole, over: alone, openedBy: secret)
        let isLogLost = !takesLog || image.isLogDamaged
        try self.init(takesLog ? whole : alone, isLogLost: isLogLost, by: secret, openingSecrets: opensAll)
    }

    private init(
        _ scan: RowScan,
        isLogLost: Bool,
        by secret: borrowing SlotSecret,
        openingSecrets opensAll: Bool = false
    ) throws(VaultError) {
        let slot = try Self.slot(in: scan, openedBy: secret)
        let vault = slot.vault
        guard let key = try slot.open(with: secret) else { throw VaultError(.strongFactorRefused) }
        var found = WalletScan(scan, of: vault)
        var inventory: WalletInventory
        if !opensAll, let summaries = found.summaries(key: key) {
            inventory = WalletInventory(isAuthentic: true)
            inventory.wallets = summaries.sorted { $0.precedes($1) }
        } else {
            found = WalletScan(scan, of: vault)
            inventory = found.inventory(key: key)
        }
        self.found = found
        inventory.isLogLost = isLogLost
        self.inventory = inventory
        self.key = key
        self.vault = vault
    }

    /// Returns whether the log belongs to the file: another file's log may be intact too, and would hide this file's
    /// pages.
    ///
    /// If no page of the log names the file's vault, it is used if everything is authentic with it. A log that does
    /// name the vault, but is older than the file or leaves none of the head under which the file is authentic, was
    /// planted. Otherwise the log's own head decides which keys still open.
    private static func takesLog(
        of image: DatabaseImage,
        _ whole: RowScan,
        over alone: RowScan,
        openedBy secret: borrowing SlotSecret
    ) throws(VaultError) -> Bool {
        let generation = authenticGeneration(of: whole, openedBy: secret)
        guard try !image.logMayBeForeign else { return generation != nil }
        guard let former = authenticGeneration(of: alone, openedBy: secret) else { return true }
        if let generation { return generation >= former }
        let vault = try slot(in: alone, openedBy: secret).vault
        for number in 0..<whole.pageCount {
            guard try whole.heads(in: whole.page(number), of: vault).isEmpty else { return true }
        }
        return false
    }

    /// Returns the head's generation if the file has everything that the head names; otherwise nil.
    static func authenticGeneration(of scan: RowScan, openedBy secret: borrowing SlotSecret) -> UInt64? {
        do throws(VaultError) {
            let opened = try OpenedBackup(scan, isLogLost: false, by: secret)
            return opened.inventory.isAuthentic ? opened.found.head?.generation : nil
        } catch {
            return nil
        }
    }

    /// Lends a wallet's secret in the form that the owner would write down.
    ///
    /// - Parameters:
    ///   - id: the wallet.
    ///   - body: receives the secret as UTF-8, or as the opaque bytes, with the wallet's summary; the secret is
    ///     zeroised when it returns.
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

    /// Returns the first slot that the recovery key opens; trying all slots is safe, since the key has 256 bits.
    private static func slot(in scan: RowScan, openedBy secret: borrowing SlotSecret) throws(VaultError) -> SlotRecord {
        var isThere = false
        var fault: VaultError?
        for number in 0..<scan.pageCount {
            let page: [UInt8]
            do throws(VaultError) { page = try scan.page(number) } catch {
                fault = error  // The slot may be in another page.
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
