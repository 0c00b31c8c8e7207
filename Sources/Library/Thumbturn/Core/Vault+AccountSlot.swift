import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The slot of an account's password, and the key that identifies the device to the service.
extension Vault {
    /// Creates a signing key for this device; it is kept until a commit names it or this object is released.
    func makeDeviceKey(of vault: Identifier, in turn: borrowing Turn) async throws(VaultError) -> AccountDevice {
        let name = ItemName(vault: vault, purpose: .deviceKey, unique: .make())
        try store.addLeftover(name)
        keptItems.insert(name)
        do throws(DeviceRefusal) {
            let publicKey = try await device.store.makeDeviceKey(name)
            return AccountDevice(id: .make(), key: name, publicKey: publicKey)
        } catch {
            keptItems.remove(name)
            await discard(VaultStore.Leftover(item: name), in: turn)
            throw VaultError(error, at: .errand("device key"))
        }
    }

    /// Seals a new slot around the session's key, under the account's newest key and an existing device secret.
    func prepareAccountSlot(
        _ keys: borrowing AccountKeys,
        item: ItemName,
        for session: Session
    ) async throws(VaultError) -> PreparedSlot {
        let blank = blankSlot(.password, for: session, item: item, accountKey: keys.newest)
        guard let secret = try await accountSecret(of: blank, from: keys) else {
            throw VaultError(.storageUnavailable, "the device contradicts itself")
        }
        return try PreparedSlot(
            blank,
            for: session,
            under: .account(secret),
            assurance: device.store.assurance(of: .deviceOnly)
        )
    }

    /// Returns the secret that opens a slot: the account key that the slot names, and the device's share; nil when the
    /// device has lost its secret.
    ///
    /// - Throws: `.accountKeyMissing` when the envelope has no such key.
    func accountSecret(
        of slot: SlotRecord,
        from keys: borrowing AccountKeys
    ) async throws(VaultError) -> AccountSecret? {
        guard let name = slot.accountKey, let key = keys.key(name) else { throw VaultError(.accountKeyMissing) }
        guard let item = slot.item, let share = try await device.use(item, on: slot.shareInput) else { return nil }
        // A shorter share would silently leave the device out of the key.
        guard share.byteCount == Self.shareByteCount else {
            throw VaultError(.storageUnavailable, "the device contradicts itself")
        }
        return AccountSecret(key: key, deviceShare: share)
    }
}
