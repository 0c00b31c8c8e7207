public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// The secret of a new wallet, as the owner provides it.
public enum WalletSecret: ~Copyable, Sendable {
    /// A new BIP-39 mnemonic of this many words.
    case newMnemonic(words: Mnemonic.WordCount)
    /// An English BIP-39 mnemonic, UTF-8.
    case mnemonic(SecretBytes)
    /// A private key of 32 bytes as hexadecimal text.
    case privateKey(SecretBytes)
    /// Any bytes, from 1 byte to 1 MiB.
    case opaque(SecretBytes)
}

/// One of several wallets to import together.
package struct WalletImport: ~Copyable, Sendable {
    let name: WalletName
    let secret: WalletSecret

    /// Creates an import of a secret under a name.
    package init(name: WalletName, secret: consuming WalletSecret) {
        self.name = name
        self.secret = secret
    }
}

extension Vault {
    /// Adds a wallet: a new mnemonic, or a secret that the owner provides.
    ///
    /// - Throws: `.nameTaken`, what is wrong with the secret, `.locked`, `.exportOnly`, or why storage failed.
    @discardableResult
    public func addWallet(
        named name: WalletName,
        _ secret: consuming WalletSecret
    ) async throws(VaultError) -> WalletSummary {
        var item: WalletImport? = WalletImport(name: name, secret: secret)
        let added = try await addWallets { () throws(VaultError) in item.take() }
        guard let summary = added.first else { throw VaultError(.storageUnavailable) }
        return summary
    }

    /// Adds wallets one after the other in one transaction: all or none.
    ///
    /// - Parameter next: called until it returns nil; each secret is sealed at once and not kept.
    /// - Throws: as `addWallet(named:_:)`, and what `next` throws; then none was added.
    @discardableResult
    package func addWallets(
        _ next: sending () throws(VaultError) -> WalletImport?
    ) async throws(VaultError) -> [WalletSummary] {
        try await turn { (turn) async throws(VaultError) -> [WalletSummary] in
            let session = try openSession(in: turn)
            var taken: TakenNames = [:]
            let draft = WalletDraft(in: folder)
            var added: [WalletSummary] = []
            while let item = try next() {
                try claim(item.name, in: &taken, for: session)
                let (record, summary) = try seal(item, for: session)
                try draft.append(record)
                added.append(summary)
            }
            guard !added.isEmpty else { return [] }
            var change = try change(by: session)
            change.bring(draft, into: try verifiedIndex(for: session, of: draft.entries.map(\.tag)))
            try await commit(change, for: session, in: turn)
            return added
        }
    }

    /// Returns every wallet that opens, sorted by name.
    ///
    /// - Throws: `.locked`, `.vaultTampered`, or why storage failed.
    public func wallets() async throws(VaultError) -> [WalletSummary] {
        try await turn { (turn) async throws(VaultError) -> [WalletSummary] in
            let session = try openSession(.exportOnly, in: turn)
            if session.scope == .full {
                return try verifiedWallets(for: session, isFresh: true).summaries
            }
            return try whatOpens(for: session).sorted { $0.precedes($1) }
        }
    }

    /// Returns the wallet with a name; reads only the rows that may have it.
    ///
    /// - Returns: nil when there is none.
    /// - Throws: as above.
    package func wallet(named name: WalletName) async throws(VaultError) -> WalletSummary? {
        try await turn { (turn) async throws(VaultError) -> WalletSummary? in
            let session = try openSession(.exportOnly, in: turn)
            guard session.scope == .full else { return try whatOpens(for: session).first { $0.name == name } }
            return try wallet(named: name, for: session)
        }
    }

    private func wallet(named name: WalletName, for session: Session) throws(VaultError) -> WalletSummary? {
        try wallets(ofTag: session.tag(of: name), for: session).first { $0.name == name }
    }

    /// Returns the wallets that open despite other damage; the id replaces a label that does not open, if the secret
    /// opens.
    private func whatOpens(for session: Session) throws(VaultError) -> some Collection<WalletSummary> {
        var found: [Identifier: WalletSummary] = [:]
        try session.withMasterKey { (key) throws(VaultError) in
            try store.forEachStoredWallet { row in
                guard
                    let summary = key.label(of: row, vault: session.vault)
                        ?? key.open(row, vault: session.vault)?.summary
                else { return }
                if found[summary.id]?.isLabelled != true { found[summary.id] = summary }
            }
        }
        return found.values
    }

    /// Returns the wallets whose names share a tag, usually one.
    private func wallets(ofTag tag: Identifier, for session: Session) throws(VaultError) -> [WalletSummary] {
        let ids = try verifiedIndex(for: session, of: [tag]).wallets(of: tag)
        guard !ids.isEmpty else { return [] }
        return try withCleanStack { () throws(VaultError) in
            var labels = try session.labels()
            var wallets: [WalletSummary] = []
            for id in ids { wallets.append(try labels.open(verifiedRecord(id, for: session).record.label, of: id)) }
            return wallets
        }
    }

    /// The names in use, by their tags, for the tags that a change has asked for.
    private typealias TakenNames = [Identifier: Set<WalletName>]

    /// Reserves a name that no wallet has.
    ///
    /// - Throws: `.nameTaken`, and why the rows can't be verified.
    private func claim(_ name: WalletName, in taken: inout TakenNames, for session: Session) throws(VaultError) {
        let tag = try session.tag(of: name)
        if taken[tag] == nil { taken[tag] = Set(try wallets(ofTag: tag, for: session).map(\.name)) }
        guard taken[tag]?.insert(name).inserted == true else { throw VaultError(.nameTaken) }
    }

    /// Renames a wallet.
    ///
    /// - Throws: `.walletMissing`, `.nameTaken`, `.locked`, `.exportOnly`, `.vaultTampered`, or why storage failed.
    public func renameWallet(_ id: Identifier, to name: WalletName) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let session = try openSession(in: turn)
            var record = try verifiedRecord(id, for: session).record
            let tag = try session.tag(of: name)
            guard try !wallets(ofTag: tag, for: session).contains(where: { $0.name == name && $0.id != id }) else {
                throw VaultError(.nameTaken)
            }
            let old = try session.withLabelKey { (key) throws(VaultError) in
                try record.summary(key: key, vault: session.vault)
            }
            var index = try verifiedIndex(for: session, of: [record.tag, tag])
            index.remove(record)
            record.tag = tag
            record.label = try session.seal(WalletSummary(id: id, name: name, kind: old.kind, createdAt: old.createdAt))
            index.add([WalletIndex.Entry(record)])
            var change = try change(by: session)
            change.list(index, changing: id)
            try await commit(change, for: session, in: turn) { [record] () throws(VaultError) in
                try store.rename(record)
            }
        }
    }

    /// Deletes a wallet and its secret permanently.
    ///
    /// - Parameters:
    ///   - id: the wallet.
    ///   - authorization: the strong factor, entered just now (A61).
    /// - Throws: `.walletMissing`, `.authorizationExpired`, `.locked`, `.exportOnly`, or why storage failed.
    public func deleteWallet(
        _ id: Identifier,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let session = try openSession(authorization, in: turn)
            var (record, index) = try verifiedRecord(id, for: session)
            index.remove(record)
            var change = try change(by: session)
            change.list(index, changing: id)
            change.record(.walletDeleted)
            endErase(in: &change.head)
            try await commit(change, for: session, in: turn) { () throws(VaultError) in
                try store.removeWallet(id)
            }
            try eraseDeleted(in: turn)
        }
    }

    /// Returns all wallets, one by one: which open, and which do not.
    ///
    /// If head and rows are as the vault wrote them, this is `wallets()`. Otherwise it opens each secret once, the
    /// session may only export from then on, and a damaged wallet does not affect the others.
    ///
    /// - Throws: `.locked`, or why storage failed.
    public func inventory() async throws(VaultError) -> WalletInventory {
        try await turn { (turn) async throws(VaultError) -> WalletInventory in
            return try await takeInventory(for: openSession(.exportOnly, in: turn))
        }
    }

    /// Returns the inventory of some wallets: if each is found by its name, reads no other rows.
    ///
    /// - Throws: as above.
    package func inventory(of names: [WalletName]) async throws(VaultError) -> WalletInventory {
        try await turn { (turn) async throws(VaultError) -> WalletInventory in
            let session = try openSession(.exportOnly, in: turn)
            if let some = try someWallets(named: names, for: session) { return some }
            return try await takeInventory(for: session)
        }
    }

    private func someWallets(named names: [WalletName], for session: Session) throws(VaultError) -> WalletInventory? {
        guard session.scope == .full, isAuthentic(for: session), names.count <= WalletIndex.mostReadAlone else {
            return nil
        }
        var inventory = WalletInventory(isAuthentic: true)
        for name in names {
            do throws(VaultError) {
                guard let wallet = try wallet(named: name, for: session) else { return nil }
                inventory.wallets.append(wallet)
            } catch {
                // Fall back to the full inventory, which isolates the damage.
                guard error.code == .vaultDamaged || error.code == .vaultTampered else { throw error }
                configuration.tolerated(error)
                return nil
            }
        }
        return inventory
    }

    /// Returns the inventory after opening every secret, even when head and rows are as the vault wrote them.
    ///
    /// - Throws: as above.
    package func checkWallets() async throws(VaultError) -> WalletInventory {
        try await turn { (turn) async throws(VaultError) -> WalletInventory in
            return try await takeInventory(for: openSession(.exportOnly, in: turn), openingSecrets: true)
        }
    }

    private func seal(
        _ item: borrowing WalletImport,
        for session: Session
    ) throws(VaultError) -> (WalletRecord, WalletSummary) {
        try seal(item.secret.canonical(), item.secret.kind, named: item.name, for: session)
    }

    /// Seals a secret in its stored form.
    func seal(
        _ secret: borrowing SecretBytes,
        _ kind: WalletKind,
        named name: WalletName,
        for session: Session
    ) throws(VaultError) -> (WalletRecord, WalletSummary) {
        let id = Identifier.make()
        let summary = WalletSummary(id: id, name: name, kind: kind, createdAt: device.clock().wall)
        let sealed = try session.withMasterKey { (key) throws(VaultError) in
            try secret.withBytes { (bytes) throws(VaultError) in
                try key.seal(bytes, kind: kind, wallet: id, vault: session.vault)
            }
        }
        let tag = try session.tag(of: name)
        return (WalletRecord(id: id, tag: tag, label: try session.seal(summary), secret: sealed), summary)
    }
}

extension Session {
    /// Seals the label of a wallet.
    func seal(_ summary: WalletSummary) throws(VaultError) -> [UInt8] {
        try withLabelKey { (key) throws(VaultError) in try WalletRecord.seal(summary, key: key, vault: vault) }
    }
}

extension WalletSecret {
    fileprivate var kind: WalletKind {
        switch self {
        case .newMnemonic: .mnemonic
        case .mnemonic: .mnemonic
        case .privateKey: .privateKey
        case .opaque: .opaque
        }
    }

    /// Checks the secret and returns the bytes to seal.
    fileprivate borrowing func canonical() throws(VaultError) -> SecretBytes {
        switch self {
        case .newMnemonic(let words): return Mnemonic.makeEntropy(words: words)
        case .mnemonic(let text): return try Mnemonic.entropy(of: text)
        case .privateKey(let text): return try PrivateKey.key(of: text)
        case .opaque(let bytes):
            guard 1...WalletRecord.maximumSecret ~= bytes.byteCount else { throw VaultError(.secretSizeWrong) }
            return bytes.copy()
        }
    }
}
