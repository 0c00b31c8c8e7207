import ThumbturnBase
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

extension Vault {
    /// Opens the vault in `folder`, locked.
    ///
    /// - Parameters:
    ///   - folder: the path of the vault's folder.
    ///   - device: the device it was made on.
    ///   - configuration: the app's choices.
    /// - Throws: `.vaultMissing`, `.vaultDamaged`, `.vaultNewer`, `.vaultUnsafe`, `.deviceMismatch`, `.diskFull`,
    ///   `.storageUnavailable`, `.busy`. A missing key is not an error but a condition of the snapshot.
    public static func open(
        in folder: String,
        device: Device,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> Vault {
        let store = try VaultStore(openingIn: folder, vfs: configuration.vfs)
        let vault = try unseen(store, in: folder, device: device, configuration: configuration)
        try await vault.lookFirst()
        return vault
    }

    /// Opens a vault that was found and read.
    ///
    /// An account's service is asked before the first look whether anything changed, so that an answer that comes now
    /// counts as contact (F-107-09).
    ///
    /// - Parameter asking: receives the account whose password opens the vault, unverified, and the key that proves the
    ///   answer; returns nil when there was no answer.
    package static func open(
        _ found: consuming sending FoundVault,
        device: Device,
        configuration: VaultConfiguration = VaultConfiguration(),
        asking: (AccountContact) async -> ServiceAnswer?
    ) async throws(VaultError) -> Vault {
        let folder = found.folder
        let vault = try unseen(found.store, in: folder, device: device, configuration: configuration)
        var answer: AccountAnswer?
        if let contact = await vault.storedContact {
            answer = await asking(contact).map { AccountAnswer($0, of: contact.account) }
        }
        try await vault.lookFirst(hearing: answer)
        return vault
    }

    /// The contact in the currently stored state.
    private var storedContact: AccountContact? {
        get async {
            let state = tolerating { () throws(VaultError) in
                try LockedState(reading: store.contents(), on: device.kind)
            }
            guard let state else { return nil }
            return await contact(in: state)
        }
    }

    private static func unseen(
        _ store: sending VaultStore,
        in folder: String,
        device: Device,
        configuration: VaultConfiguration
    ) throws(VaultError) -> Vault {
        try Vault(
            folder: folder,
            device: device,
            configuration: configuration,
            store: store,
            state: LockedState(reading: VaultStore.Contents(), on: device.kind)
        )
    }

    /// Looks at vault and device for the first time.
    private func lookFirst(hearing answer: AccountAnswer? = nil) async throws(VaultError) {
        try await turnOnFolder(asksSensor: configuration.asksSensor) { (turn) async throws(VaultError) in
            // Remove what a crash left incomplete; the vault objects of other processes handle their own.
            removePartials()
            try await lookAround(hearing: answer, in: turn)
            // A vault whose creation or erase was interrupted, with nothing left to delete, is no vault. A ledger
            // without a vault counts guesses at a former app's PIN, and is no reset either.
            guard state.condition != .resetPending || (!state.contents.leftovers.isEmpty && bookkeeper.stored == nil)
            else { throw VaultError(.vaultMissing) }
        }
    }

    /// Looks at vault and device again.
    ///
    /// - Throws: why vault or device could not be read.
    public func refresh() async throws(VaultError) -> VaultSnapshot {
        try await turn(asksSensor: true) { (turn) async throws(VaultError) in
            publish()
        }
        return snapshot
    }

    /// Closes the vault's files; the vault can't be used afterwards.
    public func close() async {
        await lock()
        await taskLock.enter()
        store.close()
        taskLock.leave()
    }

    /// A new vault, and whether biometrics were enabled.
    public struct Creation: Sendable {
        /// The vault, unlocked.
        public let vault: Vault
        /// Why biometrics could not be enabled; nil when they were, or were skipped.
        ///
        /// The vault has its PIN in any case.
        public let biometricsFailure: VaultError?
    }

    /// Creates a vault in `folder` with its PIN slot, and then, in a second transaction, the biometric slot (B-02).
    ///
    /// - Parameters:
    ///   - folder: created if missing, in an existing folder; it must be private to this user.
    ///   - device: the device that will guard the vault.
    ///   - secret: the PIN or password, UTF-8.
    ///   - policy: the rules, until `setPolicy` changes them.
    ///   - biometrics: the owner's consent to enable them; nil skips.
    ///   - configuration: the app's choices.
    /// - Throws: `.vaultExists`, `.accountRequired`, what `LocalSecretRules` finds, or why storage failed; then there
    ///   is no vault.
    public static func create(
        in folder: String,
        device: Device,
        secret: borrowing SecretBytes,
        policy: VaultPolicy = .wallet,
        biometrics: BiometricConsent? = nil,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> Creation {
        guard policy.strongFactor == .localSecret else { throw VaultError(.accountRequired) }
        // Report a weak secret first, before the device's assurance.
        if device.weakness(of: secret) == nil { try requireTrust(in: device, under: policy) }
        let vault = try await make(in: folder, device: device, policy: policy, configuration: configuration)
        let authorization = try await vault.initialize(with: secret)
        guard let biometrics else { return Creation(vault: vault, biometricsFailure: nil) }
        do {
            try await vault.enableBiometrics(biometrics, authorization)
            return Creation(vault: vault, biometricsFailure: nil)
        } catch {
            return Creation(vault: vault, biometricsFailure: error)
        }
    }

    private func initialize(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await turnOnFolder(asksSensor: configuration.asksSensor) {
            (turn) async throws(VaultError) -> StrongAuthorization in
            try await lookAtEmptyFolder(in: turn)
            let session = try await begin(with: .make(), secret: secret, in: turn) { change, _ in
                change.record(.vaultCreated)
            }
            return try authorization(by: .localSecret, in: session.id)
        }
    }
}
