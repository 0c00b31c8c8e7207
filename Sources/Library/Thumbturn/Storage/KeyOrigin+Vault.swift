package import ThumbturnBase
import ThumbturnDevice
package import ThumbturnRules

extension KeyOrigin {
    /// Reads the origin from the vault in `folder`.
    ///
    /// - Throws: as `Vault.open` does for what can't be read.
    package init(ofVaultIn folder: String) throws(VaultError) {
        let found = try FoundVault(in: folder)
        self = found.origin
    }

    fileprivate init(_ contents: VaultStore.Contents) {
        // Prefer a slot with an item on the device: it opens only where it was made, while the head opens nothing. A
        // recovery slot may name the device that a backup came from.
        let stored = contents.head.flatMap { try? Head(parsing: $0.body) }
        let all = contents.slotRecords(listedBy: stored)
        let kept = all.filter { $0.kind != .recovery }
        let slots = kept.filter { $0.kind != .biometric } + kept.filter { $0.kind == .biometric }
        let (device, vault): (DeviceKind?, Identifier?)
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
        let items = named.isEmpty ? contents.leftovers.map(\.item) : named
        self.init(device: device, items: items, vault: vault)
    }
}

/// A vault's file, open and read once, before the device with its keys is known.
package struct FoundVault: ~Copyable {
    let folder: String
    let store: VaultStore
    /// That device, according to the file.
    package let origin: KeyOrigin

    /// Opens the vault's file in `folder`.
    ///
    /// - Throws: as `Vault.open` does for what can't be read.
    package init(in folder: String, vfs: String? = nil) throws(VaultError) {
        let store = try VaultStore(openingIn: folder, vfs: vfs)
        let origin = try KeyOrigin(store.contents())
        (self.folder, self.store, self.origin) = (folder, store, origin)
    }
}
