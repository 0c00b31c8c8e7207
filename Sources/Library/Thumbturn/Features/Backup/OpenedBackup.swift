public import ThumbturnCrypto
public import ThumbturnRules

/// A backup that was opened with its recovery key to export from; nothing is written, and no vault is made.
///
/// It needs no more of the file than what it gives: what is whole opens, wherever else the file was damaged. The same holds of
/// a vault's own file, where that has a recovery key: it is read with the log beside it, as both stood at one instant. Its master
/// key is in memory for as long as it lives.
public struct OpenedBackup: ~Copyable {
    /// Every wallet in it, by what opens.
    public let inventory: WalletInventory

    private let found: WalletScan
    private let key: MasterKey
    private let vault: Identifier

    /// Opens a backup, or a vault's file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - typed: the recovery key in any case, with or without its dashes.
    /// - Throws: `.recoveryKeyMalformed`, `.vaultMissing`, `.vaultUnsafe` for what is no plain file, `.vaultDamaged` where
    ///   nothing is in it that a recovery key could open, `.strongFactorRefused`, or why the file can't be read.
    public init(at path: String, recoveryKey typed: borrowing SecretBytes) throws(VaultError) {
        try self.init(at: path, recoveryKey: typed, openingSecrets: false)
    }

    /// The same.
    ///
    /// - Parameter opensAll: whether each secret is opened, also where the file is whole.
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
            inventory.wallets = summaries.sorted { $0.name.text < $1.name.text }
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

    /// Whether a log is known to be the file's: another one is whole too, and hides the pages of this one.
    ///
    /// Where no page of it names the file's vault, it counts where all is authentic with it. One that does, and is older than
    /// the file, or leaves none of the head that the file is authentic under, was put there. Else its head says itself which
    /// keys still open.
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

    /// The generation of the head where the file has all that this names; nil else.
    static func authenticGeneration(
        of scan: RowScan,
        openedBy secret: borrowing SlotSecret
    ) -> UInt64? {
        do throws(VaultError) {
            let opened = try OpenedBackup(scan, isLogLost: false, by: secret)
            return opened.inventory.isAuthentic ? opened.found.head?.generation : nil
        } catch {
            return nil
        }
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
