package import ThumbturnDevice
package import ThumbturnRules

/// On which device something that is stored was made, by what its rows say; nobody has verified them.
///
/// It only tells where to look for the keys: on the wrong device nothing opens.
package struct KeyOrigin: Hashable, Sendable {
    /// The kind of device; nil for a vault that was being made or erased.
    package let device: DeviceKind?
    /// Its items in the secure store, the PIN's device secret first: one vault may have left others on another device.
    package let items: [ItemName]
    /// What the names of all its items begin with; nil where nothing is left to tell.
    package let vault: Identifier?

    /// Looks at the vault in `folder`.
    ///
    /// - Throws: as `Vault.open` does for what can't be read.
    package init(ofVaultIn folder: String) throws(VaultError) {
        let store = try VaultStore(openingIn: folder, vfs: nil)
        defer { store.close() }
        let contents = try store.contents()
        // A slot that the device keeps a part of comes first: it opens only where it was made, while nothing opens with the head.
        // A recovery slot may be of the device that a backup came from.
        let stored = contents.head.flatMap { try? Head(parsing: $0.body) }
        let all = contents.slotRecords(listedBy: stored)
        let kept = all.filter { $0.kind != .recovery }
        let slots = kept.filter { $0.kind != .biometric } + kept.filter { $0.kind == .biometric }
        if let slot = slots.first {
            (device, vault) = (slot.device, slot.vault)
        } else if let stored {
            (device, vault) = (stored.device, stored.vault)
        } else if let slot = all.first {
            (device, vault) = (slot.device, slot.vault)
        } else {
            (device, vault) = (nil, contents.leftovers.lazy.compactMap(\.item.vault).first)
        }
        let named = slots.flatMap(\.items)
        items = named.isEmpty ? contents.leftovers.map(\.item) : named
    }

    /// Looks at what is stored under a name in `folder`; nil where there is nothing.
    package init?(of name: CredentialName, in folder: String) throws(VaultError) {
        let store = try CredentialStore(in: folder, vfs: nil)
        defer { store.close() }
        guard let record = try store.record(named: name) else { return nil }
        (device, items, vault) = (record.device, [record.item], record.item.vault)
    }
}
