public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

extension Vault {
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
    ///   - folder: made when it is missing; it must be this user's alone.
    ///   - secret: the PIN or password, UTF-8.
    ///   - policy: the rules.
    ///   - biometrics: the owner's consent to enable them; nil skips.
    /// - Throws: `.vaultExists`, `.accountRequired`, what `LocalSecretRules` finds, or why storage failed; then there is no vault.
    public static func create(
        in folder: String,
        device: Device,
        secret: borrowing SecretBytes,
        policy: VaultPolicy = .wallet,
        biometrics: BiometricConsent? = nil,
        configuration: VaultConfiguration = VaultConfiguration()
    ) async throws(VaultError) -> Creation {
        guard policy.strongFactor == .localSecret else { throw VaultError(.accountRequired) }
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

    /// Makes the files of a vault with nothing in them, or takes over what an unfinished making or erasing left.
    static func make(
        in folder: String,
        device: Device,
        policy: VaultPolicy,
        configuration: VaultConfiguration
    ) async throws(VaultError) -> Vault {
        let store: VaultStore
        do {
            store = try VaultStore(openingIn: folder, vfs: configuration.vfs)
        } catch  where error.code == .vaultMissing || error.code == .vaultDamaged {
            store = try VaultStore(creatingIn: folder, vfs: configuration.vfs)
        }
        let contents = try nothing(in: store)
        var outside = try Outside(reading: contents, device: device)
        outside.head = Head(
            vault: .make(),
            key: .make(),
            device: device.kind,
            installation: Identifier(high: 0, low: 0),
            policy: policy
        )
        return try Vault(
            folder: folder,
            device: device,
            configuration: configuration,
            store: store,
            outside: outside
        )
    }

    private func initialize(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await exclusively()
        defer { endExclusively() }
        try requireNothing()
        await purgeLeftovers()
        outside.capability = await device.prompt.capability()
        let session = try await begin(with: .make(), secret: secret)
        record(.vaultCreated)
        return StrongAuthorization(slot: .localSecret, session: session.id, at: device.clock())
    }

    /// Looks once more, under the lock, that nobody made a vault here meanwhile (A38).
    func requireNothing() throws(VaultError) { _ = try Self.nothing(in: store) }

    private static func nothing(in store: VaultStore) throws(VaultError) -> VaultStore.Contents {
        let contents = try store.contents()
        guard contents.head == nil, contents.slots.isEmpty else { throw VaultError(.vaultExists) }
        return contents
    }

    /// Writes the first state of a vault around a master key, in one transaction.
    ///
    /// That is a local slot with a device secret of its own, the head, the ledger, and what `fill` and `rows` add. The vault
    /// is unlocked afterwards.
    func begin(
        with masterKey: consuming MasterKey,
        secret: borrowing SecretBytes,
        fill: (inout Change, Session) throws(VaultError) -> Void = { _, _ in },
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) -> Session {
        try checkStrength(of: secret)
        let now = device.clock()
        outside.head.installation = try await currentInstallation()
        let session = newSession(masterKey)
        var ledger = Ledger(vault: outside.head.vault, sequence: 0)
        ledger.lastStrongAuthentication = now
        ledger.lastUse = now
        var change = Change(head: outside.head, ledger: ledger)
        let item = try await makeDeviceSecret(of: session.vault)
        let slot: PreparedSlot
        do {
            slot = try await prepareLocalSlot(secret, item: item, for: session)
            try change.add(slot)
            try fill(&change, session)
            try await adoptLedgerKey(item)
            try await commit(change, for: session, rows: rows)
        } catch {
            if outside.head.slots.isEmpty { await discard(VaultStore.Leftover(item: item)) }
            throw error
        }
        outside.condition = .ready
        let proof = try slot.verify(store.slotRecord(slot.record.id), opens: session)
        candidate = session
        apply(machine.handle(.vaultMade(proof)))
        publish()
        return session
    }
}
