import ThumbturnCrypto
import ThumbturnRules

/// An opened vault: the master key and what derives from it, until it is forgotten.
///
/// A transition may hold a session while the device is busy. Locking forgets the keys in place, so that they are zeroised
/// at once whoever still holds the session, and its next use throws `.locked` (K-02, A36).
final class Session {
    private struct Keys: ~Copyable {
        let master: MasterKey
        let manifest: SecretBytes
        let labels: SecretBytes
        let tags: SecretBytes

        borrowing func lendMaster<Result: ~Copyable>(
            to body: (borrowing MasterKey) throws(VaultError) -> Result
        ) throws(VaultError) -> Result {
            try body(master)
        }

        borrowing func lendLabels<Result: ~Copyable>(
            to body: (borrowing SecretBytes) throws(VaultError) -> Result
        ) throws(VaultError) -> Result {
            try body(labels)
        }

        /// What a wallet of a name is found by.
        borrowing func tag(of name: WalletName) -> [UInt8] { HMACSHA256.tag(name.folded, key: tags) }

        borrowing func mac(_ message: [UInt8]) -> [UInt8] { HMACSHA256.tag(message, key: manifest) }

        borrowing func verify(_ mac: [UInt8], of message: [UInt8]) throws(CryptoError) {
            try HMACSHA256.verify(mac, of: message, key: manifest)
        }
    }

    let vault: Identifier
    /// The master key's name.
    let key: Identifier
    /// Drawn anew, so that an authorisation belongs to this session and to no other vault's.
    let id = Identifier.make()
    var scope = SessionScope.exportOnly
    /// Whether the PIN or password that opened it is long enough for what the device is worth now.
    var secretSuffices = false
    /// Whether the head beside it was changed, so that nothing which that says rules the session.
    var isBesideTampering = false
    var lastActivity: ClockReading
    /// Whether its use dates nothing: nobody but this device heard the password that opened it (F-107-05).
    var isUndated = false
    /// The account's epoch, as the service said it to the login that opened the session.
    var policyEpoch: UInt64?
    /// The wallets as the head of `generation` names them, as far as they were verified, and what their labels say where all were
    /// opened.
    var index: (generation: UInt64, entries: WalletIndex, summaries: [WalletSummary]?)?
    /// The rows as far as they were read during the unlock, until they are held against the head.
    var ahead: WalletReading?
    /// What was found in the file of a damaged vault.
    var found: WalletScan?
    private var keys: Keys?

    init(masterKey: consuming MasterKey, named key: Identifier, vault: Identifier, at now: ClockReading) {
        let manifestKey = masterKey.manifestKey(of: vault)
        let labelKey = masterKey.labelKey(of: vault)
        let tagKey = masterKey.tagKey(of: vault)
        self.keys = Keys(master: masterKey, manifest: manifestKey, labels: labelKey, tags: tagKey)
        self.vault = vault
        self.key = key
        self.lastActivity = now
    }

    /// Whether the keys were zeroised.
    var isForgotten: Bool { keys == nil }

    /// Zeroises the keys now.
    func forget() {
        keys = nil
        index = nil
        ahead = nil
        found = nil
    }

    /// Lends the master key.
    ///
    /// - Throws: `.locked` once the session was forgotten, and what `body` throws.
    func withMasterKey<Result: ~Copyable>(
        _ body: (borrowing MasterKey) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        guard let result = try keys?.lendMaster(to: body) else { throw VaultError(.locked) }
        return result
    }

    /// Lends the key that seals every label.
    ///
    /// - Throws: `.locked` once the session was forgotten, and what `body` throws.
    func withLabelKey<Result: ~Copyable>(
        _ body: (borrowing SecretBytes) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        guard let result = try keys?.lendLabels(to: body) else { throw VaultError(.locked) }
        return result
    }

    /// What a wallet of a name is found by.
    ///
    /// - Throws: `.locked` once the session was forgotten.
    func tag(of name: WalletName) throws(VaultError) -> Identifier {
        guard let mac = keys?.tag(of: name), let tag = Identifier(bytes: Array(mac.prefix(16))) else {
            throw VaultError(.locked)
        }
        return tag
    }

    /// A head with its tag, which says that this vault wrote it.
    func tagged(_ head: Head) throws(VaultError) -> VaultStore.TaggedRow {
        let body = head.bytes
        guard let mac = keys?.mac(Head.macInput(body)) else { throw VaultError(.locked) }
        return VaultStore.TaggedRow(body: body, mac: mac)
    }

    /// A tag of this vault's for a message that says in its first bytes what it is.
    func tag(of message: [UInt8]) throws(VaultError) -> [UInt8] {
        guard let mac = keys?.mac(message) else { throw VaultError(.locked) }
        return mac
    }

    /// Whether this vault made a tag for a message.
    func vouches(for mac: [UInt8], of message: [UInt8]) -> Bool {
        guard keys != nil else { return false }
        do {
            try keys?.verify(mac, of: message)
            return true
        } catch {
            return false
        }
    }

    /// A stored head, where that and every slot it lists is as the vault wrote it.
    func verified(_ stored: VaultStore.TaggedRow?, slots: [SlotRecord]) -> VerifiedHead? {
        do {
            guard let stored, keys != nil else { return nil }
            try keys?.verify(stored.mac, of: Head.macInput(stored.body))
            let head = try Head(parsing: stored.body)
            guard head.vault == vault, head.slots.count == slots.count else { return nil }
            for listed in head.slots {
                guard let record = slots.first(where: { $0.id == listed.id }), record.kind == listed.kind,
                    record.key == head.key, SHA256.digest(try record.bytes) == listed.digest
                else { return nil }
            }
            return VerifiedHead(head: head, row: stored)
        } catch {
            return nil
        }
    }
}

/// A head that a session holds for the vault's own: only that can be changed.
struct VerifiedHead {
    let head: Head
    /// As it is stored.
    let row: VaultStore.TaggedRow

    fileprivate init(head: Head, row: VaultStore.TaggedRow) {
        (self.head, self.row) = (head, row)
    }
}

extension Head {
    /// The label keeps a head's MAC from passing for anything else's.
    static func macInput(_ body: [UInt8]) -> [UInt8] { Array("thumbturn.v1.head".utf8) + body }
}
