public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// What a new wallet holds, as its owner gives it.
public enum WalletSecret: ~Copyable, Sendable {
    /// A fresh BIP-39 mnemonic of so many words.
    case newMnemonic(words: Mnemonic.WordCount)
    /// An English BIP-39 mnemonic, UTF-8.
    case mnemonic(SecretBytes)
    /// A private key of 32 bytes as hexadecimal text.
    case privateKey(SecretBytes)
    /// Anything of 1 byte to 1 MiB.
    case opaque(SecretBytes)
}

/// One of several wallets to import together.
public struct WalletImport: ~Copyable, Sendable {
    let name: WalletName
    let secret: WalletSecret

    /// Names a secret.
    public init(name: WalletName, secret: consuming WalletSecret) {
        self.name = name
        self.secret = secret
    }
}

extension Vault {
    /// Adds a wallet: a fresh mnemonic, or a secret that its owner has.
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

    /// Adds wallets one after the other in one transaction: all of them or none.
    ///
    /// - Parameter next: called until it answers nil; secrets are sealed as they come and not kept.
    /// - Throws: as `addWallet(named:_:)`, and what `next` throws; then none was added.
    @discardableResult
    public func addWallets(
        _ next: sending () throws(VaultError) -> WalletImport?
    ) async throws(VaultError) -> [WalletSummary] {
        try await enter()
        defer { endExclusively() }
        let session = try openSession()
        var index = try verifiedIndex(for: session)
        var names = Set(try summaries(for: session).map(\.name))
        var records: [WalletRecord] = []
        var added: [WalletSummary] = []
        while let item = try next() {
            guard names.insert(item.name).inserted else { throw VaultError(.nameTaken) }
            let (record, summary) = try seal(item, for: session)
            index.set(record)
            records.append(record)
            added.append(summary)
        }
        guard !records.isEmpty else { return [] }
        try await commitWallets(index, adding: records, for: session)
        return added
    }

    /// Every wallet that opens, by name.
    ///
    /// - Throws: `.locked`, `.vaultTampered`, or why storage failed.
    public func wallets() async throws(VaultError) -> [WalletSummary] {
        try await enter()
        defer { endExclusively() }
        let session = try openSession(.exportOnly)
        if session.scope == .full { _ = try verifiedIndex(for: session) }
        return try summaries(for: session).sorted { $0.name.text < $1.name.text }
    }

    /// Gives a wallet another name.
    ///
    /// - Throws: `.walletMissing`, `.nameTaken`, `.locked`, `.exportOnly`, `.vaultTampered`, or why storage failed.
    public func renameWallet(_ id: Identifier, to name: WalletName) async throws(VaultError) {
        try await enter()
        defer { endExclusively() }
        let session = try openSession()
        var index = try verifiedIndex(for: session)
        let all = try summaries(for: session)
        guard let old = all.first(where: { $0.id == id }), var record = try store.wallet(id) else {
            throw VaultError(.walletMissing)
        }
        guard !all.contains(where: { $0.name == name && $0.id != id }) else { throw VaultError(.nameTaken) }
        let summary = WalletSummary(id: id, name: name, kind: old.kind, createdAt: old.createdAt)
        let label = try session.withMasterKey { (key) throws(VaultError) in
            try WalletRecord.seal(summary, key: key.labelKey(of: session.vault), vault: session.vault)
        }
        record.label = label
        index.set(record)
        try await commitWallets(index, for: session) { () throws(VaultError) in try store.setLabel(label, of: id) }
    }

    /// Deletes a wallet and its secret for ever.
    ///
    /// - Parameters:
    ///   - id: which wallet.
    ///   - authorization: the strong factor, given just now (A61).
    /// - Throws: `.walletMissing`, `.authorizationExpired`, `.locked`, `.exportOnly`, or why storage failed.
    public func deleteWallet(
        _ id: Identifier,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await enter()
        defer { endExclusively() }
        let session = try openSession(authorization)
        var index = try verifiedIndex(for: session)
        guard index.contains(id) else { throw VaultError(.walletMissing) }
        index.remove(id)
        let endsMigration = MigrationMachine(state: outside.migration).handle(.walletDeleted).contains(.finish)
        try await commitWallets(index, endingMigration: endsMigration, for: session) { () throws(VaultError) in
            try store.removeWallet(id)
        }
        try eraseDeleted()
        record(.walletDeleted)
    }

    /// Lends a wallet's secret to `body`, with no further prompt while the session is open (K-02).
    ///
    /// These are the bytes that an export writes down, and whoever has them has the coins: a mnemonic's entropy is its words.
    /// Nothing is asked for but an open session, also one that a finger opened. An app that shows or copies what it is lent
    /// has made an export of it, without the PIN that `exportWallet` asks for; it is for signing, and for nothing that leaves
    /// the app.
    ///
    /// - Parameters:
    ///   - id: which wallet.
    ///   - body: lent the entropy of a mnemonic, the 32 bytes of a private key, or the opaque bytes, with the wallet's
    ///     kind. What it was lent is zeroised when it returns.
    /// - Throws: `.walletMissing`, `.locked`, `.vaultTampered`, why storage failed, or what `body` throws.
    public func withSecret<Result: Sendable>(
        of id: Identifier,
        _ body: @Sendable (WalletKind, RawSpan) throws -> Result
    ) async throws -> Result {
        try await enter()
        defer { endExclusively() }
        let opened = try open(id, in: openSession(.exportOnly))
        return try opened.secret.withBytes { bytes in try body(opened.summary.kind, bytes) }
    }

    /// The same where a finger or face was asked for just now, and not only some minutes ago.
    ///
    /// - Parameters:
    ///   - id: which wallet.
    ///   - authorization: what `unlockWithBiometrics` returned.
    ///   - body: as above.
    /// - Throws: `.authorizationExpired` for one of another session or older than 60 s, and as above.
    public func withSecret<Result: Sendable>(
        of id: Identifier,
        _ authorization: consuming BiometricAuthorization,
        _ body: @Sendable (WalletKind, RawSpan) throws -> Result
    ) async throws -> Result {
        try await enter()
        defer { endExclusively() }
        let opened = try open(id, in: openSession(authorization.authorization, .exportOnly))
        return try opened.secret.withBytes { bytes in try body(opened.summary.kind, bytes) }
    }

    /// Lends a wallet's secret as its owner would write it down: words, hexadecimal digits, or the bytes (K-05).
    ///
    /// - Parameters:
    ///   - id: which wallet.
    ///   - authorization: the strong factor, given just now.
    ///   - body: lent the secret as UTF-8, or as the opaque bytes, with what the vault knows of the wallet. What it was lent
    ///     is zeroised when it returns.
    /// - Throws: `.walletMissing`, `.authorizationExpired`, `.locked`, `.vaultTampered`, why storage failed, or what `body`
    ///   throws.
    public func exportWallet<Result: Sendable>(
        _ id: Identifier,
        _ authorization: consuming StrongAuthorization,
        _ body: @Sendable (WalletSummary, RawSpan) throws -> Result
    ) async throws -> Result {
        try await enter()
        defer { endExclusively() }
        let session = try openSession(authorization, .exportOnly)
        // Finding the vault changed ends the session as a full one, and keeps no coins in.
        if session.scope == .full { _ = try? verifiedIndex(for: session) }
        let opened = try open(id, in: session)
        record(.walletExported)
        switch opened.summary.kind {
        case .mnemonic:
            return try Mnemonic.text(of: opened.secret).withBytes { text in try body(opened.summary, text) }
        case .privateKey:
            return try PrivateKey.text(of: opened.secret).withBytes { text in try body(opened.summary, text) }
        case .opaque:
            return try opened.secret.withBytes { bytes in try body(opened.summary, bytes) }
        }
    }
}

/// A wallet that was opened for one call.
private struct OpenedWallet: ~Copyable {
    let summary: WalletSummary
    let secret: SecretBytes
}

extension Vault {
    /// The index of all wallets, held against the head the first time a session needs it.
    ///
    /// - Throws: `.vaultTampered` when a row was changed, added, removed or put back; the session may only export then.
    func verifiedIndex(for session: Session) throws(VaultError) -> WalletIndex {
        let head = outside.head
        if let index = session.index, index.generation == head.generation { return index.entries }
        var entries: [WalletIndex.Entry] = []
        entries.reserveCapacity(Int(clamping: min(head.walletCount, 1 << 20)))
        try store.forEachWallet { (record) throws(VaultError) in
            entries.append(WalletIndex.Entry(id: record.id, digest: record.digest))
        }
        let index = WalletIndex(entries: entries)
        guard index.hash == head.walletIndexHash, index.count == Int(head.walletCount) else {
            apply(machine.handle(.tamperingFound))
            publish()
            throw VaultError(.vaultTampered)
        }
        session.index = (head.generation, index)
        return index
    }

    /// Writes new rows, and reads each back.
    func insert(_ records: [WalletRecord]) throws(VaultError) {
        for record in records {
            try store.add(record)
            guard try store.wallet(record.id) == record else {
                throw VaultError(.storageUnavailable, "a new wallet can't be read back")
            }
        }
    }

    private func commitWallets(
        _ index: WalletIndex,
        adding records: [WalletRecord] = [],
        endingMigration endsMigration: Bool = false,
        for session: Session,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) {
        var change = noChange
        change.wallets = records
        if endsMigration { change.head.migration = nil }
        change.head.walletCount = UInt32(clamping: index.count)
        change.head.walletIndexHash = index.hash
        try await commit(change, for: session, rows: rows)
        session.index = (outside.head.generation, index)
    }

    /// What every label says.
    ///
    /// In a session that may only export, labels that don't open get a name that says so.
    func summaries(for session: Session) throws(VaultError) -> [WalletSummary] {
        try session.withMasterKey { (masterKey) throws(VaultError) in
            let key = masterKey.labelKey(of: session.vault)
            var summaries: [WalletSummary] = []
            try store.forEachWallet { (record) throws(VaultError) in
                do throws(VaultError) {
                    summaries.append(try record.summary(key: key, vault: session.vault))
                } catch {
                    guard session.scope == .exportOnly else { throw error }
                    guard let summary = record.guess(masterKey, vault: session.vault) else { return }
                    summaries.append(summary)
                }
            }
            return summaries
        }
    }

    private func open(_ id: Identifier, in session: Session) throws(VaultError) -> OpenedWallet {
        let index = session.scope == .full ? try verifiedIndex(for: session) : nil
        guard let record = try store.wallet(id) else { throw VaultError(.walletMissing) }
        if let index, !index.vouches(for: record) { throw VaultError(.vaultTampered) }
        return try session.withMasterKey { (masterKey) throws(VaultError) in
            let label = try? record.summary(key: masterKey.labelKey(of: session.vault), vault: session.vault)
            guard let summary = label ?? record.guess(masterKey, vault: session.vault) else {
                throw VaultError(.vaultTampered)
            }
            let secret = try masterKey.open(record.secret, kind: summary.kind, wallet: id, vault: session.vault)
            return OpenedWallet(summary: summary, secret: secret)
        }
    }

    private func seal(
        _ item: borrowing WalletImport,
        for session: Session
    ) throws(VaultError) -> (WalletRecord, WalletSummary) {
        try seal(item.secret.canonical(), item.secret.kind, named: item.name, for: session)
    }

    /// Seals a secret, as it is kept.
    func seal(
        _ secret: borrowing SecretBytes,
        _ kind: WalletKind,
        named name: WalletName,
        for session: Session
    ) throws(VaultError) -> (WalletRecord, WalletSummary) {
        let id = Identifier.make()
        let summary = WalletSummary(id: id, name: name, kind: kind, createdAt: device.clock().wall)
        return try session.withMasterKey { (key) throws(VaultError) in
            let sealed = try secret.withBytes { (bytes) throws(VaultError) in
                try key.seal(bytes, kind: kind, wallet: id, vault: session.vault)
            }
            let label = try WalletRecord.seal(summary, key: key.labelKey(of: session.vault), vault: session.vault)
            return (WalletRecord(id: id, label: label, secret: sealed), summary)
        }
    }
}

extension WalletRecord {
    /// What can be said of a wallet whose label was damaged: the kind whose envelope opens, and a name made of its id.
    fileprivate func guess(_ masterKey: borrowing MasterKey, vault: Identifier) -> WalletSummary? {
        for kind in WalletKind.allCases {
            guard (try? masterKey.open(secret, kind: kind, wallet: id, vault: vault)) != nil else { continue }
            let name = WalletName(stored: "wallet \(id.text)")
            return WalletSummary(id: id, name: name, kind: kind, createdAt: .zero)
        }
        return nil
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

    /// The bytes that are sealed, checked.
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
