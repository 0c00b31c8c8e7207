import ThumbturnCrypto
import ThumbturnJSON

/// The keys of a service's export: which there are, which of them are trusted, and what they signed.
///
/// That two keys signed one head says nothing of the second: who has that head can add a line of a key of his own. So a
/// later key is trusted because the log itself names it, in an entry that a trusted key signed.
struct LedgerKeyring: Sendable {
    /// The signature that a record carries.
    struct Claim: Equatable, Sendable {
        /// In DER.
        let signature: [UInt8]
        /// 8 hexadecimal digits.
        let keyId: String
    }

    private struct Entry: Sendable {
        let key: AuditKey
        let isPinned: Bool
        /// Whether a checkpoint of this key was read.
        var hasSigned = false
        var isTrusted: Bool
    }

    private let pinned: [[UInt8]]?
    private var entries: [Entry] = []
    /// The places of the keys by their ids.
    private var places: [[UInt8]: Int] = [:]
    /// What entries of the log say of keys, and no checkpoint covers yet.
    private var told: [(keyId: String, publicKeySha256: [UInt8])] = []
    /// The ids that entries of the log name.
    private var named: Set<String> = []

    init(pinned: [[UInt8]]?) { self.pinned = pinned }

    var summary: [LedgerSummary.Key] {
        entries.map {
            LedgerSummary.Key(fingerprint: $0.key.fingerprint, from: $0.key.from, isPinned: $0.isPinned)
        }
    }

    /// Reads the line of a key.
    mutating func take(_ line: [UInt8]) throws(LedgerFinding) {
        guard entries.count < AuditKeys.maximumCount, let content = AuditLine.key.content(of: line),
            let json = try? JSON(strictly: content, depthLimit: 1), let key = try? AuditKey(reading: json),
            key.checkpoint == nil, key.json.canonicalTexts() == content, places[key.keyId] == nil
        else { throw .keyMalformed }
        if let last = entries.last?.key, !last.precedes(key) { throw .keysUnordered }
        let isPinned = pinned?.contains(key.publicKey) ?? false
        places[key.keyId] = entries.count
        entries.append(Entry(key: key, isPinned: isPinned, isTrusted: isPinned))
    }

    /// Ends the keys: one of those that sign first has to be pinned, if any is.
    mutating func end() throws(LedgerFinding) {
        guard let first = entries.first?.key else { throw .keyMalformed }
        let beginning = entries.prefix { $0.key.from == first.from }
        guard pinned != nil else {
            for place in beginning.indices { entries[place].isTrusted = true }
            return
        }
        guard beginning.contains(where: \.isPinned) else { throw .keyUnknown(fingerprint: first.fingerprint) }
    }

    /// Takes note of a key that the log names.
    mutating func tell(of keyId: String, _ publicKeySha256: [UInt8]) {
        told.append((keyId, publicKeySha256))
    }

    /// Verifies the signatures of a checkpoint: each key of the log that has a line signed, and one of them is trusted.
    ///
    /// Lines of other keys, as those for witnesses, mean nothing here.
    ///
    /// - Parameter start: the first leaf that no former checkpoint covers.
    /// - Returns: what each record carries that this is the first checkpoint of: the first line of a key of the log.
    mutating func verify(_ note: AuditNote, from start: UInt64) throws(LedgerFinding) -> Claim {
        var (signer, isTrusted): ((AuditKey, Claim)?, Bool) = (nil, false)
        let (origin, text) = (note.checkpoint.origin, note.checkpoint.text)
        for (keyId, _) in told { named.insert(keyId) }
        for line in note.signatures where line.name.utf8.elementsEqual(origin.utf8) {
            guard let place = places[line.keyId] else {
                let id = String(decoding: TextCode.hexadecimal.encode(line.keyId), as: UTF8.self)
                guard !named.contains(id) else { throw .keyUnlisted(id: id) }
                continue
            }
            let key = entries[place].key
            do throws(CryptoError) {
                try P256.verify(signature: line.bytes, of: text, publicKey: key.publicKey)
            } catch { throw .checkpointUnsigned(from: start) }
            guard entries[place].hasSigned || key.from == note.checkpoint.size else {
                throw .keyElsewhere(fingerprint: key.fingerprint)
            }
            entries[place].hasSigned = true
            isTrusted = isTrusted || entries[place].isTrusted
            signer = signer ?? (key, Claim(signature: line.bytes, keyId: key.id))
        }
        guard let (key, claim) = signer else { throw .checkpointUnsigned(from: start) }
        guard isTrusted else { throw .keyUnnamed(fingerprint: key.fingerprint) }
        return claim
    }

    /// Trusts the keys that the leaves name which a checkpoint covers, once that was verified.
    mutating func settle() {
        for (_, digest) in told {
            for place in entries.indices where entries[place].key.publicKeySha256 == digest {
                entries[place].isTrusted = true
            }
        }
        told.removeAll()
    }

    /// Ends the export: each key signed, and is trusted.
    func finish() throws(LedgerFinding) {
        for entry in entries {
            guard entry.hasSigned else { throw .keyElsewhere(fingerprint: entry.key.fingerprint) }
            guard entry.isTrusted else { throw .keyUnnamed(fingerprint: entry.key.fingerprint) }
        }
    }
}

extension AuditKey {
    var publicKeySha256: [UInt8] { SHA256.digest(publicKey) }

    var fingerprint: String { String(decoding: TextCode.hexadecimal.encode(publicKeySha256), as: UTF8.self) }

    /// Whether a key stands before another in an export.
    func precedes(_ other: AuditKey) -> Bool { (from, id) < (other.from, other.id) }
}
