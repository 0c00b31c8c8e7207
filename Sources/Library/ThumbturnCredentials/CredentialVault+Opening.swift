#if !WITHOUT_FOUNDATION
import ThumbturnBase
public import ThumbturnDevice
public import ThumbturnRules

// How an app opens credentials: as JSON, which is Foundation's.
extension CredentialVault {
    /// Opens the credentials called `name` in `folder`, without a prompt; there need not be any.
    ///
    /// - Parameters:
    ///   - name: keeps several credentials of one folder apart.
    ///   - folder: a folder for credentials alone; its parent exists.
    ///   - device: the device that keeps their keys.
    ///   - tolerated: hears, for a log, of each fault that was no reason to refuse a call: what was to be looked at or cleaned up
    ///     is tried again at the next one. It must not call the vault.
    /// - Throws: `.vaultDamaged`, `.vaultNewer`, `.vaultUnsafe`, `.deviceMismatch`, `.diskFull`, `.storageUnavailable`.
    ///   What can't be read is never taken for nothing.
    public static func open(
        named name: CredentialName,
        in folder: String,
        device: Device,
        tolerated: @escaping @Sendable (VaultError) -> Void = { _ in }
    ) async throws(VaultError) -> CredentialVault {
        try await open(named: name, in: folder, device: device, coding: .json, tolerated: tolerated)
    }

    /// Deletes what is stored under `name` where `open` throws `.vaultDamaged`; then it opens, with nothing in it.
    ///
    /// Where the whole file is damaged, every credential of the folder goes. Their items can't be named any more then, and
    /// stay: random bytes that open nothing.
    ///
    /// - Throws: why storage failed, or `.busy`; what is not damaged is erased as by `reset()`.
    public static func reset(
        named name: CredentialName,
        in folder: String,
        device: Device
    ) async throws(VaultError) {
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
    /// Opens credentials, as `CredentialVault.open(named:in:device:tolerated:)` does, for a handle alone.
    public static func open(
        named name: CredentialName,
        in folder: String,
        device: Device
    ) async throws(VaultError) -> AnyCredentialHandle {
        await AnyCredentialHandle(try await CredentialVault.open(named: name, in: folder, device: device))
    }
}
#endif
