public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A former app's store of several secrets that need no PIN of its own: words and private keys, each under a name.
///
/// It is only read and erased, never written. Secrets that are sealed under a PIN are a ``LegacyWallet`` each.
public protocol LegacyStore: Sendable {
    /// Adds every secret of the store to `secrets`; the read may show `prompt`.
    ///
    /// Nothing is moved unless all are read, so throw when one can't be.
    ///
    /// - Throws: how the prompt ended, or `.unavailable` when it is unknown what there is.
    func read(_ prompt: PromptText, into secrets: inout LegacySecrets) async throws(DeviceRefusal)

    /// Erases the secret that was read under `name`, without a prompt; does nothing if there is none.
    ///
    /// It is called once the vault has all secrets of that read. What was written since must stay.
    ///
    /// - Parameters:
    ///   - name: the name under which it was read.
    ///   - digest: SHA-256 of the bytes that the read added: erase nothing else.
    /// - Throws: `.unavailable` when it may still exist, `.unclassified` when it was changed since.
    /// - Returns: whether there was one: the trail tells how many were erased.
    func erase(_ name: WalletName, ifStill digest: [UInt8]) async throws(DeviceRefusal) -> Bool
}

/// The secrets of a former store, as they are read.
public struct LegacySecrets: ~Copyable, Sendable {
    struct Entry: Sendable {
        let name: WalletName
        let kind: WalletKind
        /// In the vault's form.
        let secret: HeldSecret
        /// SHA-256 of the secret.
        let digest: [UInt8]
        /// SHA-256 of what was read.
        let source: [UInt8]
    }

    private(set) var entries: [Entry] = []
    /// What is wrong with the first secret that a vault can't take.
    private(set) var fault: VaultError?

    init() {}

    /// Adds a secret, and checks it; one that a vault can't take refuses the whole move.
    ///
    /// - Parameters:
    ///   - secret: as the owner would write it down, UTF-8: the words of a mnemonic, the hexadecimal digits of a private
    ///     key; or any bytes, 1 byte to 1 MiB.
    ///   - kind: what it is.
    ///   - name: its name in the vault, by which the store also erases it.
    public mutating func add(_ secret: borrowing SecretBytes, as kind: WalletKind, named name: WalletName) {
        do throws(VaultError) {
            let bytes = try Self.stored(secret, kind)
            let (digest, source) = (LegacyContents.digest(of: bytes), LegacyContents.digest(of: secret))
            entries.append(Entry(name: name, kind: kind, secret: HeldSecret(bytes), digest: digest, source: source))
        } catch {
            fault = fault ?? error
        }
    }

    /// Returns the form in which a vault stores a secret.
    private static func stored(_ secret: borrowing SecretBytes, _ kind: WalletKind) throws(VaultError) -> SecretBytes {
        switch kind {
        case .mnemonic: return try Mnemonic.entropy(of: secret)
        case .privateKey: return try PrivateKey.key(of: secret)
        case .opaque:
            guard 1...WalletRecord.maximumSecret ~= secret.byteCount else { throw VaultError(.secretSizeWrong) }
            return secret.copy()
        }
    }
}
