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
    ///   - configuration: what an app may choose.
    /// - Throws: `.vaultMissing`, `.vaultDamaged`, `.vaultNewer`, `.vaultUnsafe`, `.deviceMismatch`, `.diskFull`,
    ///   `.storageUnavailable`, `.busy`. A missing key is no error here but a condition of the snapshot.
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

    /// The same for a vault that was found and read, whose service, where it is an account's, is asked before the first look
    /// whether all is as it was, so that a word which comes now is no silence (F-107-09).
    ///
    /// - Parameter asking: given the account whose password opens the vault, which nobody has verified, and what proves the
    ///   answer; nil where there was none.
    package static func open(
        _ found: consuming sending FoundVault,
        device: Device,
        configuration: VaultConfiguration = VaultConfiguration(),
        asking: (AccountContact) async -> ServerWord?
    ) async throws(VaultError) -> Vault {
        let folder = found.folder
        let vault = try unseen(found.store, in: folder, device: device, configuration: configuration)
        var word: (ServerWord, VaultAccount)?
        if let contact = await vault.storedContact { word = await asking(contact).map { ($0, contact.account) } }
        try await vault.lookFirst(hearing: word)
        return vault
    }

    /// What is stored now.
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
    private func lookFirst(hearing word: (ServerWord, VaultAccount)? = nil) async throws(VaultError) {
        try await turnOnFolder(asksSensor: configuration.asksSensor) { () async throws(VaultError) in
            // What a crash left half made; the vault objects of other processes look after their own.
            removePartials()
            try await lookAround(hearing: word)
            // What was being made or erased, and has nothing left to delete, is no vault. A ledger without one counts guesses at
            // a former app's PIN, and is no reset either.
            guard state.condition != .resetPending || (!state.contents.leftovers.isEmpty && bookkeeper.stored == nil)
            else { throw VaultError(.vaultMissing) }
        }
    }

    /// Looks at the vault and the device anew.
    ///
    /// - Throws: why vault or device could not be looked at.
    public func refresh() async throws(VaultError) -> VaultSnapshot {
        try await turn(asksSensor: true) { () async throws(VaultError) in
            publish()
        }
        return snapshot
    }

    /// Closes the vault's files; it is of no use afterwards.
    public func close() async {
        await lock()
        await taskLock.enter()
        store.close()
        taskLock.leave()
    }

    /// A vault that was just made, and whether biometrics came along.
    public struct Creation: Sendable {
        /// The vault, unlocked.
        public let vault: Vault
        /// Why biometrics could not be enabled; nil when they were, or were skipped.
        ///
        /// The vault has its PIN all the same.
        public let biometricsFailure: VaultError?
    }

    /// Makes a vault in `folder` with its PIN slot, and then, in a transaction of its own, the biometric slot (B-02).
    ///
    /// - Parameters:
    ///   - folder: made when it is missing, in a folder that exists; it must be this user's alone.
    ///   - device: the device that is to guard it.
    ///   - secret: the PIN or password, UTF-8.
    ///   - policy: the rules, until `setPolicy` changes them.
    ///   - biometrics: the owner's consent to enable them; nil skips.
    ///   - configuration: what an app may choose.
    /// - Throws: `.vaultExists`, `.accountRequired`, what `LocalSecretRules` finds, or why storage failed; then there is no
    ///   vault.
    public static func create(
        in folder: String,
        device: Device,
        secret: borrowing SecretBytes,
        policy: VaultPolicy = .wallet,
        biometrics: BiometricConsent? = nil,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> Creation {
        guard policy.strongFactor == .localSecret else { throw VaultError(.accountRequired) }
        // A secret that no device takes is told as that.
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
            () async throws(VaultError) -> StrongAuthorization in
            try await lookAtEmptyFolder()
            let session = try await begin(with: .make(), secret: secret) { change, _ in change.record(.vaultCreated) }
            return try authorization(by: .localSecret, in: session.id)
        }
    }
}
