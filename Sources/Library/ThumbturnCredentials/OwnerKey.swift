import ThumbturnBase
import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// 32 random bytes of an app's own behind `CredentialProtection.ownerPresence`: any finger or face, or the device's
/// passcode; on this device only.
///
/// For an app that encrypts its own data and wants no whole vault. There is no PIN and no recovery key: the bytes end with
/// the device's passcode, and no backup has them, so encrypt with them only what can be had again. They are lent to a
/// closure, one prompt for each call, and wiped after it. Not on Linux, where no device accepts a passcode: `make` throws
/// `.credentialsUnavailable`.
public actor OwnerKey {
    /// The number of bytes.
    public static let byteCount = 32

    private let vault: CredentialVault<RawSecret>
    /// Each call locks behind itself, so one comes after the other.
    private let turns = TaskLock()

    private init(_ vault: CredentialVault<RawSecret>) { self.vault = vault }

    /// Opens the key called `name` in `folder`, without a prompt; there need not be one.
    ///
    /// - Parameters:
    ///   - name: distinguishes several keys, and credentials, in one folder.
    ///   - folder: a folder only for credentials; its parent must exist.
    ///   - device: the device that guards it.
    ///   - tolerated: as for `CredentialVault`.
    /// - Throws: as `CredentialVault.open`.
    public static func open(
        named name: CredentialName,
        in folder: String,
        device: Device,
        tolerated: @escaping @Sendable (VaultError) -> Void = { _ in }
    ) async throws(VaultError) -> OwnerKey {
        let vault = try await CredentialVault<RawSecret>.open(
            named: name,
            in: folder,
            device: device,
            coding: RawSecret.coding(byteCount: byteCount),
            guardedBy: .ownerPresence,
            tolerated: tolerated
        )
        return OwnerKey(vault)
    }

    /// Whether there is a key, whether or not it can be read now.
    public var isStored: Bool { get async { await vault.snapshot.protection != nil } }

    /// Draws the bytes and stores them.
    ///
    /// - Parameter prompt: shown once, to prove that the bytes can be read back.
    /// - Throws: `.credentialsLockedAlreadyStored` when there is a key, `.credentialsUnavailable` on a device without a
    ///   passcode, `.credentialsNotStored`, `.protectionDropped`, how the prompt ended, or why storage failed; then
    ///   nothing is stored.
    public func make(_ prompt: PromptText) async throws(VaultError) {
        await turns.enter()
        defer { turns.leave() }
        let key = RawSecret(HeldSecret(.random(byteCount: Self.byteCount)))
        try await vault.enableSecureVaultWithBiometrics(saving: key, prompt)
        await forget()
    }

    /// Lends the bytes after one prompt.
    ///
    /// - Throws: `.credentialsMissing`, `.biometricsChanged` when the passcode was removed and the bytes with it,
    ///   `.credentialsNotRead`, how the prompt ended, why storage failed, or what `body` throws.
    public func withBytes<Result>(
        _ prompt: PromptText,
        _ body: @Sendable (RawSpan) throws -> Result
    ) async throws -> Result {
        await turns.enter()
        defer { turns.leave() }
        let key = try await vault.unlockWithBiometrics(prompt)
        await forget()
        return try key.held.bytes.withBytes(body)
    }

    /// Deletes the bytes, without a prompt.
    ///
    /// - Throws: why storage failed.
    public func erase() async throws(VaultError) {
        await turns.enter()
        defer { turns.leave() }
        try await vault.reset()
    }

    /// Closes the files.
    public func close() async { await vault.close() }

    /// A key never stays readable between two calls.
    private func forget() async { try? await vault.lock() }
}
