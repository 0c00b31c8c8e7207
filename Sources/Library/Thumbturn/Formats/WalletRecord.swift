import ThumbturnBase
package import ThumbturnCrypto
public import ThumbturnRules

/// What is known of a wallet besides its secret.
///
/// Only an unlocked vault reveals it.
public struct WalletSummary: Hashable, Sendable {
    /// The wallet's permanent id.
    public let id: Identifier
    /// The wallet's name, chosen by the owner.
    public let name: WalletName
    /// The kind of its secret.
    public let kind: WalletKind
    /// When it was added to the vault, in milliseconds since 1970.
    public let createdAt: Milliseconds

    /// Whether it stands before another one in a list.
    func precedes(_ other: WalletSummary) -> Bool { name.text < other.name.text }
}

/// One stored wallet: its label and its secret, sealed separately (K-01).
struct WalletRecord: Equatable {
    static let format: UInt8 = 1
    static let saltByteCount = 32
    /// The longest secret: 1 MiB.
    static let maximumSecret = 1 << 20
    static let maximumSealedName = 512
    static let maximumSealedSecret = maximumSecret + 256

    let id: Identifier
    /// Finds the wallet by its name: 16 bytes of HMAC-SHA256 under the key for tags; see `WalletName.folded`.
    var tag: Identifier
    /// Name, kind and date, sealed under the key for labels.
    var label: [UInt8]
    /// A header in the clear, a salt, and the sealed secret.
    var secret: [UInt8]

    var digest: SHA256.Digest {
        var digester = Digester()
        return digest(by: &digester)
    }

    /// Computes the digest with a digester that is shared between rows.
    func digest(by digester: inout Digester) -> SHA256.Digest {
        unsafe label.withUnsafeBytes { label in
            unsafe secret.withUnsafeBytes { secret in
                unsafe digester.digest(of: id, tag: tag, label: label.bytes, secret: secret.bytes)
            }
        }
    }

    /// Computes the digests of many rows.
    struct Digester: ~Copyable {
        private var hasher = SHA256.Hasher()
        /// The input of the last digest: id, tag, and the digests of label and secret.
        private var words: [UInt64] = []

        /// Returns the digest of a row for the wallet index.
        mutating func digest(of id: Identifier, tag: Identifier, label: RawSpan, secret: RawSpan) -> SHA256.Digest {
            words.removeAll(keepingCapacity: true)
            words.append(id.high.bigEndian)
            words.append(id.low.bigEndian)
            words.append(tag.high.bigEndian)
            words.append(tag.low.bigEndian)
            hasher.digest(of: label).append(to: &words)
            hasher.digest(of: secret).append(to: &words)
            return unsafe words.withUnsafeBytes { unsafe hasher.digest(of: $0.bytes) }
        }
    }
}

extension MasterKey {
    /// Derives the key that seals every label; each box has a random nonce and is bound to its wallet.
    borrowing func labelKey(of vault: Identifier) -> SecretBytes {
        derive("wallet-label", context: vault.bytes, salt: [])
    }

    /// Derives the key of the tags by which wallets are found.
    borrowing func tagKey(of vault: Identifier) -> SecretBytes { derive("wallet-tag", context: vault.bytes, salt: []) }

    /// Derives the key that authenticates the head.
    borrowing func manifestKey(of vault: Identifier) -> SecretBytes {
        derive("manifest", context: vault.bytes, salt: [])
    }

    /// Seals one secret under its own key: HKDF with a random salt, so that a repeated nonce does no harm (A60).
    package borrowing func seal(
        _ secret: RawSpan,
        kind: WalletKind,
        wallet: Identifier,
        vault: Identifier
    ) throws(VaultError) -> [UInt8] {
        let salt = RandomBytes.make(WalletRecord.saltByteCount)
        let header = WalletRecord.header(wallet: wallet, vault: vault)
        let key = derive("wallet-key", context: header, salt: salt)
        do {
            let associatedData = header + [kind.rawValue]
            return try AES256GCM.seal(secret, key: key, associatedData: associatedData, prefix: header + salt)
        } catch {
            throw VaultError(error)
        }
    }

    /// Opens one secret.
    ///
    /// - Throws: `.vaultTampered` when it is not the sealed secret of this vault, wallet and kind.
    borrowing func open(
        _ sealed: [UInt8],
        kind: WalletKind,
        wallet: Identifier,
        vault: Identifier
    ) throws(VaultError) -> SecretBytes {
        let header = WalletRecord.header(wallet: wallet, vault: vault)
        let boxStart = header.count + WalletRecord.saltByteCount
        guard sealed.count > boxStart, sealed.starts(with: header) else { throw VaultError(.vaultTampered) }
        let key = derive("wallet-key", context: header, salt: Array(sealed[header.count..<boxStart]))
        do {
            return try AES256GCM.open(Array(sealed[boxStart...]), key: key, associatedData: header + [kind.rawValue])
        } catch {
            throw VaultError(error)
        }
    }
}

extension MasterKey {
    /// Returns the length of the sealed secret at the start of some bytes; nil when no length opens.
    borrowing func size(ofSecretIn bytes: [UInt8], kinds: [WalletKind], wallet: Identifier, vault: Identifier) -> Int? {
        let header = WalletRecord.header(wallet: wallet, vault: vault)
        let start = header.count + WalletRecord.saltByteCount
        guard bytes.count > start else { return nil }
        let key = derive("wallet-key", context: header, salt: Array(bytes[header.count..<start]))
        for end in start + 1...bytes.count {
            let box = Array(bytes[start..<end])
            for kind in kinds
            where (try? AES256GCM.open(box, key: key, associatedData: header + [kind.rawValue])) != nil {
                return end
            }
        }
        return nil
    }
}

extension WalletRecord {
    static let headerByteCount = 34

    static func header(wallet: Identifier, vault: Identifier) -> [UInt8] { prefix(in: vault) + wallet.bytes }

    /// Returns the bytes that every sealed secret of a vault starts with.
    static func prefix(in vault: Identifier) -> [UInt8] {
        var prefix = [format, SlotRecord.suite]
        // Reserve room for what callers append.
        prefix.reserveCapacity(headerByteCount + saltByteCount)
        prefix += vault.bytes
        return prefix
    }

    /// Returns the wallet id in a sealed secret, unverified.
    static func wallet(namedIn secret: [UInt8]) -> Identifier? {
        guard secret.count > headerByteCount else { return nil }
        return Identifier(bytes: Array(secret[18..<headerByteCount]))
    }

    /// Seals a label.
    static func seal(
        _ summary: WalletSummary,
        key: borrowing SecretBytes,
        vault: Identifier
    ) throws(VaultError) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(format)
        writer.writeUInt8(summary.kind.rawValue)
        writer.writeInt64(summary.createdAt.count)
        do {
            try writer.writeString(summary.name.text, maximum: WalletName.mostBytes)
            let label = ContiguousArray(writer.bytes)
            return try unsafe AES256GCM.seal(
                label.span.bytes,
                key: key,
                associatedData: header(wallet: summary.id, vault: vault) + [0]
            )
        } catch {
            throw VaultError(error)
        }
    }

    /// Opens the label.
    func summary(key: borrowing SecretBytes, vault: Identifier) throws(VaultError) -> WalletSummary {
        try withCleanStack { () throws(VaultError) in
            var labels = try Labels(key: key, of: vault)
            return try labels.open(label, of: id)
        }
    }

    /// Opens labels of one vault; the caller wipes the stack afterwards.
    struct Labels: ~Copyable {
        private let opening: AES256GCM.TextOpening
        private var associatedData: [UInt8]

        init(key: borrowing SecretBytes, of vault: Identifier) throws(VaultError) {
            do { opening = try AES256GCM.TextOpening(key: key) } catch { throw VaultError(error) }
            associatedData = header(wallet: Identifier(high: 0, low: 0), vault: vault) + [0]
        }

        /// Opens the label of the wallet `id`.
        mutating func open(_ label: [UInt8], of id: Identifier) throws(VaultError) -> WalletSummary {
            let label = ContiguousArray(label)
            return unsafe try open(label.span.bytes, of: id)
        }

        mutating func open(_ label: RawSpan, of id: Identifier) throws(VaultError) -> WalletSummary {
            unsafe associatedData.withUnsafeMutableBytes { bytes in
                unsafe bytes.storeBytes(of: id.high.bigEndian, toByteOffset: headerByteCount - 16, as: UInt64.self)
                unsafe bytes.storeBytes(of: id.low.bigEndian, toByteOffset: headerByteCount - 8, as: UInt64.self)
            }
            do {
                return try WalletSummary(parsing: opening.open(label, associatedData: associatedData), of: id)
            } catch {
                throw VaultError(.vaultTampered)
            }
        }
    }
}

extension WalletSummary {
    /// Reads an opened label.
    init(parsing label: [UInt8], of id: Identifier) throws(CryptoError) {
        var reader = ByteReader(label)
        guard try reader.readUInt8() == WalletRecord.format else { throw .malformed }
        guard let kind = WalletKind(rawValue: try reader.readUInt8()) else { throw .malformed }
        self.id = id
        self.kind = kind
        createdAt = Milliseconds(try reader.readInt64())
        name = WalletName(stored: try reader.readString(maximum: WalletName.mostBytes))
        try reader.finish()
    }
}
