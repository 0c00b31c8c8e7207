import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// What proves the service's answers to this device, of its last login: readable while the vault is locked, by this device alone.
extension Vault {
    /// What the account's service is asked with; nil where no account's password opens the vault.
    package var contact: AccountContact? {
        get async { await contact(in: known) }
    }

    /// The same of a vault that nobody has looked at yet.
    func contact(in state: LockedState) async -> AccountContact? {
        guard let account = state.account else { return nil }
        let key = await tolerating { () async throws(VaultError) -> HeldSecret? in
            guard let slot = state.slot(.password), let box = try store.contactKey() else { return nil }
            guard let key = try await open(box, .contactKey(account.device), slot) else { return nil }
            return HeldSecret(key)
        }
        return AccountContact(account: account, key: key ?? nil)
    }

    /// Keeps the key of a login; where that fails, no answer is proved until the next one.
    func keepContactKey(_ key: HeldSecret?, for slot: SlotRecord) async throws(VaultError) {
        guard let key, let device = state.head.account?.device,
            let box = try await seal(key.bytes, .contactKey(device), slot)
        else { return }
        try store.setContactKey(box)
    }

    /// The key of the last login as it is kept, sealed.
    package var keptContactKey: [UInt8]? {
        tolerating { () throws(VaultError) in try store.contactKey() } ?? nil
    }

    /// Puts back what was kept before a login by which the service listed no device: it proves its answers as before.
    package func putBack(contactKey box: [UInt8]?) async {
        guard let box else { return }
        await tolerating { () async throws(VaultError) in
            try await turn { () async throws(VaultError) in try store.setContactKey(box) }
        }
    }

    /// Keeps what a login brought beside the slot of its password.
    func keep(_ login: OfflineLogin?, _ key: HeldSecret?) async {
        guard let slot = state.slot(.password) else { return }
        await tolerating { () async throws(VaultError) in try await keepOfflineLogin(login, for: slot) }
        await tolerating { () async throws(VaultError) in try await keepContactKey(key, for: slot) }
    }
}
