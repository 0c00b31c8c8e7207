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
    ///   - folder: made when it is missing, in a folder that exists; it must be this user's alone.
    ///   - device: the device that is to guard it.
    ///   - secret: the PIN or password, UTF-8.
    ///   - policy: the rules; they stay as they are made.
    ///   - biometrics: the owner's consent to enable them; nil skips.
    ///   - configuration: what an app may choose.
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
        try await turnOnFolder { () async throws(VaultError) -> StrongAuthorization in
            try await lookAtEmptyFolder()
            let session = try await begin(with: .make(), secret: secret) { change, _ in change.record(.vaultCreated) }
            return try authorization(by: .localSecret, in: session.id)
        }
    }

    /// Looks at a folder that is to become a vault, under the lock: another process may have made one meanwhile (A38).
    ///
    /// - Parameter counts: whether guesses at a former app's PIN go on being counted.
    func lookAtEmptyFolder(counts: Bool = false) async throws(VaultError) {
        outside.contents = try Self.nothing(in: store)
        seenBefore = nil
        removePartials()
        let counting = counts ? nil : try await endCounting()
        await purgeLeftovers()
        // It goes first: once there is a vault, nobody's word deletes another one's device secret (A25).
        if let counting, outside.contents.leftovers.contains(where: { $0.item == counting }) {
            throw VaultError(.storageUnavailable, "what counted the guesses at a former PIN")
        }
        outside.capability = await device.prompt.capability()
    }

    private static func nothing(in store: VaultStore) throws(VaultError) -> VaultStore.Contents {
        let contents = try store.contents()
        guard contents.head == nil, contents.hasNoSlots else { throw VaultError(.vaultExists) }
        return contents
    }

    /// Writes the first state of a vault around a master key, in one transaction.
    ///
    /// That is a local slot with a device secret of its own, the head, the ledger on another one, and what `fill` and `rows`
    /// add. The vault is unlocked afterwards.
    func begin(
        with masterKey: consuming MasterKey,
        secret: borrowing SecretBytes,
        fill: (inout Change, Session) throws(VaultError) -> Void = { _, _ in },
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) -> Session {
        try checkStrength(of: secret)
        let session = newSession(masterKey)
        let proof = try await withNewLedger(Ledger(founding: session.vault)) { (item, ledger) throws(VaultError) in
            self.outside.ledger = ledger
            return try await self.withLocalSlot(secret, on: item, for: session) { (slot) throws(VaultError) in
                try await self.found(session, self.outside.head, with: [slot], fill: fill, rows: rows)
            }
        }
        candidate = session
        apply(machine.handle(.vaultMade(proof)))
        publish()
        return session
    }

    /// Writes the first state of a key: the ways in, a head, the ledger that stands here, and what `fill` and `rows` add.
    ///
    /// - Returns: the proof that the first of the slots opens, read back after the commit.
    func found(
        _ session: Session,
        _ head: Head,
        with slots: [PreparedSlot],
        fill: (inout Change, Session) throws(VaultError) -> Void,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) -> UnlockProof {
        let now = device.clock()
        var change = change(founding: head)
        change.head.installation = try await currentInstallation()
        change.ledger.lastStrongAuthentication = now
        change.ledger.lastUse = now
        for slot in slots { try change.add(slot) }
        try fill(&change, session)
        try await commit(change, for: session, rows: rows)
        outside.condition = .ready
        guard let first = slots.first else { throw VaultError(.keyMissing) }
        return try first.verify(store.slotRecord(first.record.id), opens: session)
    }
}
