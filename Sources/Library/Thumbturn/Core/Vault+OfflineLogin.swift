import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Stored only if the policy allows it, sealed under the device secret of the slot that it opens: it is useless in a
// copy of the file, and beside a slot that was resealed.
extension Vault {
    /// Returns the login stored for this slot, if any.
    func offlineLogin(for slot: SlotRecord) async throws(VaultError) -> OfflineLogin? {
        // Ignore a stored login that may be rolled back: after a newer epoch, when the service is silent or has revoked
        // this device. A head that the ledger does not name could set its own limit for that silence.
        guard state.headStanding == .named, state.head.policy.allowsOfflinePassword,
            state.policyEpoch == state.head.policyEpoch,
            !state.head.policy.isUnheard(state.context(at: now)),
            let box = try store.offlineLogin(),
            let opened = try await open(box, .offlineLogin(state.head.policyEpoch), slot)
        else { return nil }
        return opened.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe try? OfflineLogin(Array($0)) } }
    }

    /// Stores a login's data, if the policy allows it and it is not stored yet.
    func keepOfflineLogin(_ login: OfflineLogin?, for slot: SlotRecord, in turn: borrowing Turn)
        async throws(VaultError)
    {
        guard state.head.policy.allowsOfflinePassword, let login, try await offlineLogin(for: slot) != login else {
            return
        }
        let plaintext = try translating { () throws(CryptoError) in try login.plaintext }
        let secret = unsafe SecretBytes(copying: ContiguousArray(plaintext).span.bytes)
        guard let box = try await seal(secret, .offlineLogin(state.head.policyEpoch), slot) else { return }
        try store.setOfflineLogin(box)
    }

    /// Deletes the offline login: the password may have changed, or the service has been silent for too long
    /// (F-107-09).
    func forgetOfflineLogin(in turn: borrowing Turn) throws(VaultError) {
        guard state.head.account != nil, try store.offlineLogin() != nil else { return }
        try store.removeOfflineLogin()
        try store.eraseDeleted()
    }
}
