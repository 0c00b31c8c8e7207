import ThumbturnCrypto
import ThumbturnRules

/// An opened vault: the master key and the keys derived from it, until it is forgotten.
///
/// A transition may keep a session while the device is busy. Locking erases the keys in place: they are zeroised at
/// once, whichever call still has the session, and its next use throws `.locked` (K-02, A36).
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

        /// Returns the tag that finds a wallet by its name.
        borrowing func tag(of name: WalletName) -> [UInt8] { HMACSHA256.tag(name.folded, key: tags) }

        borrowing func mac(_ message: [UInt8]) -> [UInt8] { HMACSHA256.tag(message, key: manifest) }

        borrowing func verify(_ mac: [UInt8], of message: [UInt8]) throws(CryptoError) {
            try HMACSHA256.verify(mac, of: message, key: manifest)
        }
    }

    let vault: Identifier
    /// The id of the master key.
    let key: Identifier
    /// Random, so that an authorization belongs to this session only.
    let id = Identifier.make()
    var scope = SessionScope.exportOnly
    /// Whether the PIN or password that opened the session is long enough for the device's current assurance.
    var secretSuffices = false
    /// Whether the stored head was edited, so that nothing in it governs the session.
    var isBesideTampering = false
    var lastActivity: ClockReading
    /// Whether using the session updates no dates: only this device has checked the password that opened it (F-107-05).
    var isUndated = false
    /// The account's policy epoch that the service stated at the login that opened the session.
    var policyEpoch: UInt64?
    /// The wallets under the head of `generation`, as far as verified, and what their labels say once all were opened.
    var index: KnownWallets?
    /// The rows read during the unlock, until they are checked against the head.
    var ahead: WalletReading?
    /// The wallets found in the file of a damaged vault.
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

    /// Whether the keys are zeroised.
    var isForgotten: Bool { keys == nil }

    /// Zeroises the keys.
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

    /// Returns the tag that finds a wallet by its name.
    ///
    /// - Throws: `.locked` once the session was forgotten.
    func tag(of name: WalletName) throws(VaultError) -> Identifier {
        guard let mac = keys?.tag(of: name), let tag = Identifier(bytes: Array(mac.prefix(16))) else {
            throw VaultError(.locked)
        }
        return tag
    }

    /// Returns a head with its MAC, which proves that this vault wrote it.
    func tagged(_ head: Head) throws(VaultError) -> VaultStore.TaggedRow {
        let body = head.bytes
        guard let mac = keys?.mac(Head.macInput(body)) else { throw VaultError(.locked) }
        return VaultStore.TaggedRow(body: body, mac: mac)
    }

    /// Returns the vault's MAC of a message that starts with its own label.
    func tag(of message: [UInt8]) throws(VaultError) -> [UInt8] {
        guard let mac = keys?.mac(message) else { throw VaultError(.locked) }
        return mac
    }

    /// Returns whether this vault made a MAC for a message.
    func vouches(for mac: [UInt8], of message: [UInt8]) -> Bool {
        guard keys != nil else { return false }
        do {
            try keys?.verify(mac, of: message)
            return true
        } catch {
            return false
        }
    }

    /// Returns a stored head, if it and every slot it lists are as the vault wrote them.
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

/// The wallets that a head names, as far as a session has verified them.
struct KnownWallets {
    let hash: [UInt8]
    let entries: WalletIndex
    /// What their labels say, once all of them were opened.
    let summaries: [WalletSummary]?

    init(_ entries: WalletIndex, summaries: [WalletSummary]? = nil) {
        (self.entries, self.summaries) = (entries, summaries)
        hash = entries.hash
    }
}

/// A head that a session has verified: only such a head can be changed.
struct VerifiedHead {
    let head: Head
    /// The head's row.
    let row: VaultStore.TaggedRow

    fileprivate init(head: Head, row: VaultStore.TaggedRow) { (self.head, self.row) = (head, row) }
}

extension Head {
    /// The label keeps a head's MAC from being used for another message.
    static func macInput(_ body: [UInt8]) -> [UInt8] { Array("thumbturn.v1.head".utf8) + body }
}
