public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// Migrating a former app's wallet (seed 001): by its PIN, by biometrics, and completing the latter.
extension Vault {
    /// A vault that a former app's wallet was migrated to, and the steps that failed.
    public struct Migration: Sendable {
        /// The vault, unlocked.
        public let vault: Vault
        /// Why biometrics could not be enabled; nil when they were, or were not asked for.
        public let biometricsFailure: VaultError?
        /// Why data that was to be erased still exists; nil when none does, or only what completes the migration.
        ///
        /// `.legacyNotErased` is retried at each unlock, as far as it needs no prompt, and by `eraseLegacy(_:)`;
        /// `.migrationConflict` means that a copy contains another wallet.
        public let erasureFailure: VaultError?
    }

    /// Creates a vault from a former app's wallet, by its PIN (K-06).
    ///
    /// One transaction writes a new key, the wallet sealed under it, and the former PIN as the vault's; then biometrics
    /// are enabled if requested; then the former app's data is erased. An interruption at any point leaves either what
    /// opened the wallet before, or the vault.
    ///
    /// - Parameters:
    ///   - folder: the folder for the vault; it must not contain one, and its parent must exist.
    ///   - device: the device that will guard the vault.
    ///   - secret: the PIN or password of the former app, UTF-8.
    ///   - newSecret: the vault's secret when `LocalSecretRules` refuses the former one; nil keeps it.
    ///   - biometrics: the owner's consent to enable them.
    ///   - prompt: for a mnemonic that the former app stored behind biometrics, which is compared before it is erased;
    ///     nil keeps it.
    ///   - configuration: names the wallet in `legacy`.
    /// - Throws: `.legacyMissing`, `.legacyMalformed`, `.legacyVersionUnknown`, `.legacySecretRefused`,
    ///   `.legacyChecksumWrong`, `.attemptDelayed` with the time to wait, `.vaultExists`, `.assuranceTooLow` for a
    ///   simulated device when the policy allows none, what is wrong with the PIN, or why storage failed. Then the
    ///   former app's data is untouched.
    public static func migrate(
        in folder: String,
        device: Device,
        secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes? = nil,
        biometrics: BiometricConsent? = nil,
        prompt: PromptText? = nil,
        configuration: VaultConfiguration
    ) async throws(VaultError) -> Migration {
        let former = try await LegacyContents.require(configuration.legacy)
        let policy = former.migration.policy
        guard policy.strongFactor == .localSecret else { throw VaultError(.accountRequired) }
        try requireTrust(in: device, under: policy)
        // Guesses at a plain file are not counted, and a wrong one must not even leave an empty folder.
        let known = former.migration.wallet.countsGuesses ? nil : HeldSecret(try former.open(with: secret))
        let vault = try await make(in: folder, device: device, policy: policy, configuration: configuration)
        let authorization: StrongAuthorization
        switch consume newSecret {
        case .some(let pin): authorization = try await vault.begin(with: former, known, secret, pin: pin)
        case .none: authorization = try await vault.begin(with: former, known, secret, pin: secret)
        }
        var biometricsFailure: VaultError?
        if let biometrics {
            do { try await vault.enableBiometrics(biometrics, authorization) } catch { biometricsFailure = error }
        }
        return Migration(
            vault: vault,
            biometricsFailure: biometricsFailure,
            erasureFailure: await vault.erasureFailure(prompt)
        )
    }

    /// Creates a vault from a former app's wallet, by a finger or face (K-07).
    ///
    /// One prompt reads the mnemonic, or the PIN that opens it. If something is sealed under a PIN, the vault is then
    /// half migrated: only biometrics open it, the sealed data stays as the other way in, and only what is behind
    /// biometrics is erased. A PIN that was itself behind biometrics completes the migration at once. If nothing is
    /// sealed, `newSecret` and biometrics both open the vault at once.
    ///
    /// - Parameters:
    ///   - folder: the folder for the vault; it must not contain one, and its parent must exist.
    ///   - device: the device that will guard the vault.
    ///   - prompt: the text on the system's prompt.
    ///   - newSecret: the vault's first PIN or password, for a former app that sealed nothing under one: K-10 requires
    ///     one before biometrics may be the way in. Ignored when something is sealed under a PIN: no finger sets a new
    ///     PIN (C15). A PIN that the former app only compared is unknown here: ask for it first.
    ///   - configuration: names the wallet in `legacy`.
    /// - Throws: `.legacyMissing`, `.migrationIncomplete` when a first PIN is needed, why biometrics can't be used or
    ///   recognised no one, what is wrong with the wallet, `.vaultExists`, or why storage failed. Then the former app's
    ///   data is untouched.
    public static func migrateWithBiometrics(
        in folder: String,
        device: Device,
        prompt: PromptText,
        newSecret: consuming SecretBytes? = nil,
        configuration: VaultConfiguration
    ) async throws(VaultError) -> Migration {
        guard let migration = configuration.legacy, let holds = try await LegacyContents.findBiometric(migration) else {
            throw VaultError(.legacyMissing)
        }
        guard migration.policy.strongFactor == .localSecret else { throw VaultError(.accountRequired) }
        try requireTrust(in: device, under: migration.policy)
        let former = try await LegacyContents.read(migration)
        if former == nil, holds == .pin { throw VaultError(.legacyMissing) }
        let first = former == nil ? HeldSecret(ifAny: newSecret) : nil
        if former == nil, first == nil { throw VaultError(.migrationIncomplete) }
        let vault = try await make(in: folder, device: device, policy: migration.policy, configuration: configuration)
        let source = try await vault.begin(behind: prompt, migration, holds, former, firstPIN: first)
        return Migration(
            vault: vault,
            biometricsFailure: nil,
            erasureFailure: await vault.erasureFailure(madeOf: source, nil)
        )
    }

    /// Completes a half-migrated vault with the former PIN (K-08); `unlock(with:)` does so too, with the prompt of
    /// `LegacyMigration`.
    ///
    /// The vault's key is wrapped under the PIN as well, and biometrics stay. The key is behind biometrics: if the
    /// vault is locked, the PIN is proved first, which satisfies the policy's demand for it, and then a finger or face
    /// is asked for. If none can ever open it, because the enrolled set or the device has changed, a new key replaces
    /// it, and biometrics are off until they are enabled again.
    ///
    /// - Parameters:
    ///   - secret: the PIN or password of the former app.
    ///   - newSecret: the vault's secret when `LocalSecretRules` refuses the former one; nil keeps it.
    ///   - name: the name under which to add the former wallet if the vault has a different one; nil refuses that.
    ///     Adding needs the vault's key, and therefore biometrics.
    ///   - prompt: shown when the vault is locked and the PIN is right; nil shows none.
    ///   - withoutBiometrics: whether to replace the vault's key when only the PIN is given: the owner agreed after
    ///     being told that biometrics will be off, and can be enabled again.
    /// - Throws: `.migrationNeedsBiometrics` when the PIN was right but no finger or face was recognised,
    ///   `.legacyAlreadyMigrated` when there is nothing to complete, `.migrationConflict` when the former copy has a
    ///   different wallet than the vault (both are kept), `.legacyMissing`, and what `unlock(with:)` throws.
    @discardableResult
    public func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes? = nil,
        keepingBothAs name: WalletName? = nil,
        prompt: PromptText? = nil,
        withoutBiometrics: Bool = false
    ) async throws(VaultError) -> StrongAuthorization {
        // A lock during the prompt takes precedence over the PIN too (A36).
        let attempt = newAttempt()
        let wish = Completion(otherName: name, prompt: prompt, takesNewKey: withoutBiometrics)
        return try await turn(asksSensor: prompt != nil) { (turn) async throws(VaultError) -> StrongAuthorization in
            guard state.migration == .half else { throw VaultError(.legacyAlreadyMigrated) }
            guard secret.byteCount > 0 else { throw VaultError(.strongFactorRefused) }
            switch newSecret {
            case .some(let pin): return try await complete(with: secret, pin: pin, wish, for: attempt, in: &turn)
            case .none: return try await complete(with: secret, pin: secret, wish, for: attempt, in: &turn)
            }
        }
    }

    /// Erases the former app's data, as far as the vault has it.
    ///
    /// Each unlock tries this too, without a prompt, and so never erases a mnemonic behind biometrics that was not
    /// compared.
    ///
    /// - Parameter prompt: for a mnemonic behind biometrics, which is compared before it is erased.
    /// - Throws: `.legacyNotErased`, `.migrationConflict` when a copy has a different wallet (it is kept), `.locked`.
    public func eraseLegacy(_ prompt: PromptText? = nil) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            guard let migration = configuration.legacy else { return }
            try await eraseFormer(migration, prompt, in: turn)
        }
    }

    private func erasureFailure(madeOf source: [UInt8]? = nil, _ prompt: PromptText?) async -> VaultError? {
        guard let migration = configuration.legacy else { return nil }
        do throws(VaultError) {
            try await turn { (turn) async throws(VaultError) in
                try await eraseFormer(migration, madeOf: source, prompt, in: turn)
            }
            return nil
        } catch {
            return error
        }
    }
}
