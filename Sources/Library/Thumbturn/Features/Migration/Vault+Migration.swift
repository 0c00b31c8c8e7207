public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// Taking over what a former app left (seed 001): by its PIN, by biometrics, and what completes that.
extension Vault {
    /// A vault that took a former app's wallet over, and what could not be done besides.
    public struct Migration: Sendable {
        /// The vault, unlocked.
        public let vault: Vault
        /// Why biometrics could not be enabled; nil when they were, or were not asked for.
        public let biometricsFailure: VaultError?
        /// Why something that was to be erased is still there; nil when nothing is, or only what completes the migration.
        ///
        /// `.legacyNotErased` is tried again at each unlock, as far as it needs no prompt, and by `eraseLegacy(_:)`;
        /// `.migrationConflict` is a copy that holds another wallet.
        public let erasureFailure: VaultError?
    }

    /// Makes a vault of a former app's wallet, by its PIN (K-06).
    ///
    /// A new key, the wallet sealed under it, and the former PIN as the vault's, in one transaction; then biometrics where they
    /// are wanted; then what the former app left is erased. Whatever ends it early leaves what opened the wallet before, or the
    /// vault.
    ///
    /// - Parameters:
    ///   - folder: where the vault is to be; there must be none, and its parent exists.
    ///   - device: the device that is to guard it.
    ///   - secret: the PIN or password of the former app, UTF-8.
    ///   - newSecret: what the vault gets instead where `LocalSecretRules` refuses the former one; nil keeps it.
    ///   - biometrics: the owner's consent to enable them.
    ///   - prompt: for a mnemonic that the former app kept behind biometrics, which is compared before it is erased; nil leaves
    ///     it.
    ///   - configuration: says in `legacy` where the wallet is.
    /// - Throws: `.legacyMissing`, `.legacyMalformed`, `.legacyVersionUnknown`, `.legacySecretRefused`, `.legacyChecksumWrong`,
    ///   `.attemptDelayed` with the time to wait, `.vaultExists`, `.assuranceTooLow` for a simulated device where the policy
    ///   allows none, what is wrong with the PIN, or why storage failed. Then
    ///   nothing of the former app was touched.
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
        // A guess at a plain file is counted by nobody, and a wrong one leaves not even an empty folder.
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

    /// Makes a vault of a former app's wallet, by a finger or face (K-07).
    ///
    /// One prompt reads the mnemonic, or the PIN that opens it. Where something is sealed under a PIN, the vault is half migrated
    /// then: biometrics alone open it, what is sealed stays as the other way in, and only what is behind biometrics is erased.
    /// A PIN that was itself behind biometrics completes it at once. Where nothing is sealed, `newSecret` and biometrics both
    /// open it at once.
    ///
    /// - Parameters:
    ///   - folder: where the vault is to be; there must be none, and its parent exists.
    ///   - device: the device that is to guard it.
    ///   - prompt: the words on the system's prompt.
    ///   - newSecret: the vault's first PIN or password, for a former app that sealed nothing under one: K-10 wants one before
    ///     biometrics may be the way in. Where something is sealed under a PIN it is not used: no finger sets a new PIN (C15).
    ///     A PIN
    ///     that the former app only compared is unknown here: ask for it before.
    ///   - configuration: says in `legacy` where the wallet is.
    /// - Throws: `.legacyMissing`, `.migrationIncomplete` where a first PIN is needed, why biometrics can't be used or did not
    ///   recognise anybody, what is wrong with the wallet, `.vaultExists`, or why storage failed. Then nothing of the former app
    ///   was touched.
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

    /// Completes a half migrated vault with the former PIN (K-08); `unlock(with:)` does it too, with the prompt of
    /// `LegacyMigration`.
    ///
    /// The vault's key goes under the PIN as well, and biometrics stay. It is behind them: where the vault is locked, the PIN
    /// is proved first, which lifts what the policy asks it for, and then a finger or face is asked for. Where none can ever
    /// open it, since the enrolled set is another or the device is, a new key takes its place, and biometrics are off until
    /// they are enabled again.
    ///
    /// - Parameters:
    ///   - secret: the PIN or password of the former app.
    ///   - newSecret: what the vault gets instead where `LocalSecretRules` refuses the former one; nil keeps it.
    ///   - name: takes the former wallet in beside the vault's where they are two, and calls it so; nil refuses that. It needs
    ///     the vault's key, so the finger.
    ///   - prompt: shown where the vault is locked and the PIN is right; nil shows none.
    ///   - withoutBiometrics: whether a new key is to take the place of the vault's where the PIN alone is given: what the owner
    ///     agreed to after being told that biometrics will be off, and can be enabled again.
    /// - Throws: `.migrationNeedsBiometrics` where the PIN was right and nobody's finger or face was recognised,
    ///   `.legacyAlreadyMigrated` where nothing is left to complete, `.migrationConflict` where the former copy holds
    ///   another wallet than the vault (both stay where they are), `.legacyMissing`, and what `unlock(with:)` throws.
    @discardableResult
    public func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes? = nil,
        keepingBothAs name: WalletName? = nil,
        prompt: PromptText? = nil,
        withoutBiometrics: Bool = false
    ) async throws(VaultError) -> StrongAuthorization {
        // A lock that comes while the prompt is up wins over the PIN too (A36).
        let attempt = newAttempt()
        let wish = Completion(otherName: name, prompt: prompt, takesNewKey: withoutBiometrics)
        return try await turn(asksSensor: prompt != nil) { () async throws(VaultError) -> StrongAuthorization in
            guard state.migration == .half else { throw VaultError(.legacyAlreadyMigrated) }
            guard secret.byteCount > 0 else { throw VaultError(.strongFactorRefused) }
            switch newSecret {
            case .some(let pin): return try await complete(with: secret, pin: pin, wish, in: attempt)
            case .none: return try await complete(with: secret, pin: secret, wish, in: attempt)
            }
        }
    }

    /// Erases what the former app left, as far as the vault holds it; each unlock tries it too, without a prompt, and so never
    /// erases a mnemonic behind biometrics that nobody compared.
    ///
    /// - Parameter prompt: for a mnemonic behind biometrics, which is compared before it is erased.
    /// - Throws: `.legacyNotErased`, `.migrationConflict` where a copy holds another wallet (it is kept), `.locked`.
    public func eraseLegacy(_ prompt: PromptText? = nil) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            guard let migration = configuration.legacy else { return }
            try await eraseFormer(migration, prompt)
        }
    }

    private func erasureFailure(madeOf source: [UInt8]? = nil, _ prompt: PromptText?) async -> VaultError? {
        guard let migration = configuration.legacy else { return nil }
        do throws(VaultError) {
            try await turn { () async throws(VaultError) in
                try await eraseFormer(migration, madeOf: source, prompt)
            }
            return nil
        } catch {
            return error
        }
    }
}
