import ThumbturnCrypto
import ThumbturnRules

// A key for the app's own store.
extension Vault {
    /// Lends a key of the app's own, derived from the vault's master key, while the session is open (K-02).
    ///
    /// For data that stay where the app has them: they open when the vault does. Seal them with an authenticated cipher
    /// and a nonce for each box; never store or log the key. Each label has its own key, and none opens anything of the
    /// vault.
    ///
    /// The key is the same after a change of the PIN, of biometrics or of the mode, and in a vault restored from a backup.
    /// `rekey` makes a new one, and so does a migration completed without biometrics: open the data under the former key
    /// first, and seal them again afterwards. A reset makes the data unreadable.
    ///
    /// - Parameters:
    ///   - label: names the purpose, 1 to 64 printable ASCII characters, such as `com.example.wallet/settings`. It is no
    ///     secret, and must not change.
    ///   - body: receives 32 bytes: HKDF-SHA256 of the master key. They are zeroised when it returns.
    /// - Throws: `.usage` for another label, `.locked`, `.exportOnly`, `.olderCopy`, `.migrationIncomplete`, why storage
    ///   failed, or what `body` throws.
    public func withDerivedKey<Result: Sendable>(
        _ label: String,
        _ body: @Sendable (RawSpan) throws -> Result
    ) async throws -> Result {
        let bytes = Array(label.utf8)
        guard 1...64 ~= bytes.count, bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw VaultError(.usage, "a label has 1 to 64 printable ASCII characters")
        }
        return try await lendingTurn { (turn) async throws -> Result in
            let session = try openSession(in: turn)
            let key = try session.withMasterKey { (master) throws(VaultError) in
                master.derive("app-key", context: session.vault.bytes + bytes, salt: [])
            }
            return try key.withBytes(body)
        }
    }
}
