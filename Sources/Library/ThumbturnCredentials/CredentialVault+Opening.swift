#if !WITHOUT_FOUNDATION
import ThumbturnBase
public import ThumbturnDevice
public import ThumbturnRules

// Opening credentials in an app: as JSON, which needs Foundation.
extension CredentialVault {
    /// Opens the credentials called `name` in `folder`, without a prompt; there need not be any.
    ///
    /// - Parameters:
    ///   - name: distinguishes several credentials in one folder.
    ///   - folder: a folder only for credentials; its parent must exist.
    ///   - device: the device that stores their keys.
    ///   - guardedBy: what a prompt accepts for what is stored behind one from now on: the enrolled biometrics, or with
    ///     `.ownerPresence` any finger or face or the device's passcode, which also works without a sensor, and never on
    ///     Linux. With `.keychain` nothing is stored behind a prompt. What is stored already keeps its protection.
    ///   - tolerated: receives, for a log, each fault that did not fail a call: the check or cleanup is repeated at the
    ///     next call. It must not call the vault.
    /// - Throws: `.vaultDamaged`, `.vaultNewer`, `.vaultUnsafe`, `.deviceMismatch`, `.diskFull`, `.storageUnavailable`.
    /// Unreadable data is never treated as missing.
    public static func open(
        named name: CredentialName,
        in folder: String,
        device: Device,
        guardedBy: CredentialProtection = .biometrics,
        tolerated: @escaping @Sendable (VaultError) -> Void = { _ in }
    ) async throws(VaultError) -> CredentialVault {
        try await open(
            named: name,
            in: folder,
            device: device,
            coding: .json,
            guardedBy: guardedBy,
            tolerated: tolerated
        )
    }

    /// Deletes what is stored under `name` if `open` throws `.vaultDamaged`; afterwards it opens, empty.
    ///
    /// If the whole file is damaged, all credentials of the folder are deleted. Their items are then unknown and stay:
    /// random bytes that open nothing.
    ///
    /// - Throws: why storage failed, or `.busy`; undamaged credentials are erased as by `reset()`.
    public static func reset(named name: CredentialName, in folder: String, device: Device) async throws(VaultError) {
        do throws(VaultError) {
            let vault = try openUnseen(named: name, in: folder, device: device, .json) { _ in }
            do throws(VaultError) { try await vault.reset() } catch {
                await vault.close()
                throw error
            }
            await vault.close()
        } catch {
            guard error.code == .vaultDamaged else { throw error }
            let processLock = try ProcessLock(in: folder)
            try await processLock.acquire()
            defer { processLock.release() }
            try CredentialStore.removeDamaged(in: folder)
        }
    }
}

extension AnyCredentialHandle {
    /// Opens credentials as `CredentialVault.open(named:in:device:guardedBy:tolerated:)` does, as a handle.
    public static func open(
        named name: CredentialName,
        in folder: String,
        device: Device
    ) async throws(VaultError) -> AnyCredentialHandle {
        await AnyCredentialHandle(try await CredentialVault.open(named: name, in: folder, device: device))
    }
}
#endif
