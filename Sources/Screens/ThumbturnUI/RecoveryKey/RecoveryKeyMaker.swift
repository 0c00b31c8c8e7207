import ThumbturnCrypto
import ThumbturnRules

/// Makes a recovery key and has it typed back: what the screens share that need one.
@MainActor final class RecoveryKeyMaker {
    private let vault: any RecoveryKeyVault
    /// The key while its owner writes it down.
    private var key: HeldSecret?
    /// Proves the owner again once the key is typed back.
    private var proof: OwnerProof?

    init(_ vault: any RecoveryKeyVault) { self.vault = vault }

    /// Makes a key, and keeps it to be shown.
    ///
    /// - Parameter isCurrent: whether nothing has ended what was begun.
    /// - Returns: whether the key may be shown.
    func make(by proof: OwnerProof, while isCurrent: @MainActor () -> Bool) async throws(VaultError) -> Bool {
        let authorization = try await vault.authorize(by: proof)
        guard isCurrent() else { return false }
        let made = HeldSecret(try await vault.makeRecoveryKey(authorization))
        // A cover or a lock may have come first (A36, A37).
        guard isCurrent() else { return false }
        (key, self.proof) = (made, proof)
        return true
    }

    /// Proves the owner, who has a key that was shown before.
    ///
    /// - Returns: whether the key may be asked for.
    func vouch(by proof: OwnerProof, while isCurrent: @MainActor () -> Bool) async throws(VaultError) -> Bool {
        _ = try await vault.authorize(by: proof)
        guard isCurrent() else { return false }
        self.proof = proof
        return true
    }

    /// Lends the key while it is shown, as ASCII; nil if none is.
    func withKey<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result? { try key?.bytes.withBytes(body) }

    /// Wipes the key, which the owner has written down.
    func keyIsWritten() { key = nil }

    /// Checks the key that was typed back, with a new proof: writing a key down takes longer than a proof is valid.
    ///
    /// - Returns: whether the key was confirmed.
    func takeBack(_ typed: borrowing SecretBytes, while isCurrent: @MainActor () -> Bool) async throws(VaultError)
        -> Bool
    {
        guard let proof else { throw VaultError(.authorizationExpired) }
        let authorization = try await vault.authorize(by: proof)
        guard isCurrent() else { return false }
        try await vault.confirmRecoveryKey(typed, authorization)
        wipe()
        return true
    }

    /// Keeps a key to be shown, for a preview.
    func hold(_ key: borrowing SecretBytes) { self.key = HeldSecret(key.copy()) }

    /// Wipes the key, and what proves the owner.
    func wipe() { (key, proof) = (nil, nil) }
}

extension ErrorCode {
    /// Whether a recovery key that was typed back can be typed again after this refusal.
    var allowsKeyAgain: Bool { self == .strongFactorRefused || self == .recoveryKeyMalformed }
}
