import ThumbturnCrypto
import ThumbturnRules

/// A wallet's row from a file that may be damaged.
struct StoredWallet {
    let id: [UInt8]
    let tag: Identifier?
    let label: [UInt8]
    let secret: [UInt8]

    /// Creates a row; a column that is not bytes counts as empty.
    init(id: [UInt8]?, tag: [UInt8]?, label: [UInt8]?, secret: [UInt8]?) {
        (self.id, self.label, self.secret) = (id ?? [], label ?? [], secret ?? [])
        self.tag = tag.flatMap { Identifier(bytes: $0) }
    }

    /// The row in the vault's own form; nil for another shape.
    var record: WalletRecord? {
        guard let id = Identifier(bytes: id), let tag, label.count <= WalletRecord.maximumSealedName,
            secret.count <= WalletRecord.maximumSealedSecret
        else { return nil }
        return WalletRecord(id: id, tag: tag, label: label, secret: secret)
    }

    /// The ids that the row may have: that of its id column, and that in its secret.
    var ids: [Identifier] {
        let named = WalletRecord.wallet(namedIn: secret)
        return [Identifier(bytes: id), named].compactMap { $0 }.reduce(into: []) { ids, id in
            if !ids.contains(id) { ids.append(id) }
        }
    }
}

/// A wallet opened for one call.
struct OpenedWallet: ~Copyable {
    let summary: WalletSummary
    let secret: SecretBytes

    /// Lends the secret in the form that the owner would write down: words, hexadecimal digits, or the bytes (K-05).
    consuming func lend<Result>(_ body: (WalletSummary, RawSpan) throws -> Result) throws -> Result {
        let summary = summary
        switch summary.kind {
        case .mnemonic: return try Mnemonic.text(of: secret).withBytes { text in try body(summary, text) }
        case .privateKey: return try PrivateKey.text(of: secret).withBytes { text in try body(summary, text) }
        case .opaque: return try secret.withBytes { bytes in try body(summary, bytes) }
        }
    }
}

extension MasterKey {
    /// Opens a row as far as it is intact: its id and the header of its secret can each be restored from the other.
    ///
    /// Envelopes authenticate vault, wallet and kind, so a secret that opens is the one that was sealed.
    ///
    /// - Returns: nil when its secret does not open.
    borrowing func open(_ row: StoredWallet, vault: Identifier) -> OpenedWallet? {
        let key = labelKey(of: vault)
        for id in row.ids {
            let record = WalletRecord(mending: row, as: id, vault: vault)
            let label = try? record.summary(key: key, vault: vault)
            guard let summary = label ?? record.guess(self, vault: vault) else { continue }
            if let secret = try? open(record.secret, kind: summary.kind, wallet: id, vault: vault) {
                return OpenedWallet(summary: summary, secret: secret)
            }
        }
        return nil
    }

    /// Returns what a row's label says, regardless of its secret; nil when it does not open.
    borrowing func label(of row: StoredWallet, vault: Identifier) -> WalletSummary? {
        let key = labelKey(of: vault)
        for id in row.ids {
            let record = WalletRecord(mending: row, as: id, vault: vault)
            if let summary = try? record.summary(key: key, vault: vault) { return summary }
        }
        return nil
    }
}

extension WalletRecord {
    /// Creates the row as it must be if it is the wallet `id` of `vault`: the header has no other content, so it may be
    /// damaged.
    fileprivate init(mending row: StoredWallet, as id: Identifier, vault: Identifier) {
        let header = Self.header(wallet: id, vault: vault)
        self.init(id: id, tag: row.tag ?? id, label: row.label, secret: header + row.secret.dropFirst(header.count))
    }

    /// Returns a summary for a wallet with a damaged label: the kind whose envelope opens, and the id as name.
    func guess(_ masterKey: borrowing MasterKey, vault: Identifier) -> WalletSummary? {
        for kind in WalletKind.allCases {
            guard (try? masterKey.open(secret, kind: kind, wallet: id, vault: vault)) != nil else { continue }
            return WalletSummary(id: id, name: WalletName(stored: id.text), kind: kind, createdAt: .zero)
        }
        return nil
    }
}
