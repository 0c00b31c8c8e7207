import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The key that proves the service's answers to this device, from its last login: only this device can read it, even
// locked.
extension Vault {
    /// The details for asking the account's service; nil when no account's password opens the vault.
    package var contact: AccountContact? {
        get async { await contact(in: known) }
    }

    /// Returns the contact for a state that no look has checked yet.
    func contact(in state: LockedState) async -> AccountContact? {
        guard let account = state.account else { return nil }
        let key = await tolerating { () async throws(VaultError) -> HeldSecret? in
            guard let slot = state.slot(.password), let box = try store.contactKey() else { return nil }
            guard let key = try await open(box, .contactKey(account.device), slot) else { return nil }
            return HeldSecret(key)
        }
        return AccountContact(account: account, key: key ?? nil)
    }

    /// Stores the key of a login; if that fails, no answer can be proved until the next login.
    func keepContactKey(_ key: HeldSecret?, for slot: SlotRecord, in turn: borrowing Turn) async throws(VaultError) {
        guard let key, let device = state.head.account?.device,
            let box = try await seal(key.bytes, .contactKey(device), slot)
        else { return }
        try store.setContactKey(box)
    }

    /// The sealed key of the last login.
    package var keptContactKey: [UInt8]? { tolerating { () throws(VaultError) in try store.contactKey() } ?? nil }

    /// Stores what a login returned, sealed for the slot of its password.
    func keep(_ login: OfflineLogin?, _ key: HeldSecret?, in turn: borrowing Turn) async {
        guard let slot = state.slot(.password) else { return }
        await tolerating { () async throws(VaultError) in try await keepOfflineLogin(login, for: slot, in: turn) }
        await tolerating { () async throws(VaultError) in try await keepContactKey(key, for: slot, in: turn) }
    }
}
