public import ThumbturnCrypto
package import ThumbturnDevice
public import ThumbturnRules

// The vault's side of seed 002's orchestrator contract.
extension Vault {
    /// Proves the PIN or password, then turns biometrics on (F-107-02).
    ///
    /// - Throws: `.wrongSecretForEnabling` (ERR-107-010) when the secret is wrong, which counts as an attempt.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        with secret: borrowing SecretBytes
    ) async throws(VaultError) {
        let authorization: StrongAuthorization
        do throws(VaultError) {
            authorization = try await unlock(with: secret)
        } catch  where error.code == .strongFactorRefused {
            throw VaultError(.wrongSecretForEnabling)
        }
        try await enableBiometrics(consent, authorization)
    }

    /// Returns this vault's policy decision for a context.
    package func decision(for context: UnlockPolicyContext) -> UnlockDecision {
        state.head.policy.decision(for: context)
    }

    /// Returns the biometric slot's envelope and item, and the account, if there is one; nil when there is no slot.
    ///
    /// - Throws: why vault or device could not be read.
    package func biometricEnvelope() async throws(VaultError) -> (
        box: [UInt8], item: ItemName, installation: Identifier, createdAt: Milliseconds, user: Identifier?
    )? {
        _ = try await refresh()
        guard let slot = state.biometricSlot, let item = slot.item else { return nil }
        return (slot.box, item, state.head.installation, slot.createdAt, state.account?.userID)
    }
}
