import ThumbturnBase
import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A vault for credentials that can be fetched again, such as tokens and passwords, in the five states of seed 004.
///
/// Not for a wallet: losing the biometrics may lose the credentials. So wallet secrets are not `Codable`, and can't be
/// stored here. Every change is one transaction: it leaves the former state with its credentials, or the new ones
/// (V-05). `CredentialHandle` is the same vault with its states as types.
///
/// Several objects, in several processes, may use one folder. Calls of one object run one after the other; only `lock`
/// does not wait.
public actor CredentialVault<Credentials: Codable & Sendable> {
    let name: CredentialName
    let device: Device
    let coding: CredentialCoding<Credentials>
    /// What a prompt accepts for what this vault stores behind one.
    let guardedBy: CredentialProtection
    let store: CredentialStore
    let processLock: ProcessLock
    let taskLock = TaskLock()
    /// Receives the faults that do not fail a call.
    let tolerated: @Sendable (VaultError) -> Void

    var machine = CredentialVaultMachine()
    /// The stored record when it was last read.
    var record: CredentialRecord?
    var condition = CredentialSnapshot.Condition.reachable
    /// The sensor's capability at the last check; unavailable until the first one.
    var capability = BiometricCapability(
        biometryType: .none,
        reasonIfUnavailable: .temporarilyUnavailable,
        assurance: .simulated
    )
    var leftBehind = 0
    /// The key released by a prompt; non-nil exactly in the state `biometricsSecured`.
    var key: ReleasedKey?
    /// The number of calls of `lock` and `close`, whether there was something to lock or not.
    private(set) var lockCount: UInt64 = 0
    private var watchers = Watchers<CredentialSnapshot>()
    private var lastTold: CredentialSnapshot?

    private init(
        _ name: CredentialName,
        _ device: Device,
        _ coding: CredentialCoding<Credentials>,
        _ guardedBy: CredentialProtection,
        _ store: CredentialStore,
        _ processLock: ProcessLock,
        _ tolerated: @escaping @Sendable (VaultError) -> Void
    ) {
        self.name = name
        self.device = device
        self.coding = coding
        self.guardedBy = guardedBy
        self.store = store
        self.processLock = processLock
        self.tolerated = tolerated
    }

    deinit { watchers.finish() }

    /// Opens the credentials called `name` in `folder`, without a prompt.
    ///
    /// - Parameters:
    ///   - coding: encodes and decodes the credentials.
    ///   - guardedBy: what a prompt accepts for what is stored behind one from now on.
    ///   - vfs: another VFS of SQLite; tests pass a faulty one.
    ///   - asksSensor: whether to check the sensor, so that the first snapshot has its capability; requests that need a
    ///     finger check it themselves.
    ///   - leavesDevice: whether `device` replaces one that is gone. Its leftovers then stay recorded until the next
    ///     change, because `device` would report them absent.
    package static func open(
        named name: CredentialName,
        in folder: String,
        device: Device,
        coding: CredentialCoding<Credentials>,
        guardedBy: CredentialProtection = .biometrics,
        vfs: String? = nil,
        asksSensor: Bool = true,
        leavesDevice: Bool = false,
        tolerated: @escaping @Sendable (VaultError) -> Void = { _ in }
    ) async throws(VaultError) -> CredentialVault {
        let vault = try openUnseen(named: name, in: folder, device: device, coding, guardedBy, vfs: vfs, tolerated)
        if asksSensor { await vault.lookAtSensor() }
        if leavesDevice { try await vault.look() } else { try await vault.lookAndPurge() }
        return vault
    }

    /// Opens the file without reading it.
    static func openUnseen(
        named name: CredentialName,
        in folder: String,
        device: Device,
        _ coding: CredentialCoding<Credentials>,
        _ guardedBy: CredentialProtection = .biometrics,
        vfs: String? = nil,
        _ tolerated: @escaping @Sendable (VaultError) -> Void
    ) throws(VaultError) -> CredentialVault {
        let store = try CredentialStore(in: folder, vfs: vfs)
        let processLock = try ProcessLock(in: folder)
        return CredentialVault(name, device, coding, guardedBy, store, processLock, tolerated)
    }

    /// Closes the vault's files and forgets the key; the vault can't be used afterwards.
    public func close() async {
        lockCount &+= 1
        apply(machine.handle(.keyLost))
        await taskLock.enter()
        // A call in progress may have released a key meanwhile.
        apply(machine.handle(.keyLost))
        store.close()
        taskLock.leave()
    }

    /// The items that a reset deletes: that of the stored credentials, and the leftovers.
    package var ownItems: [ItemName] {
        get throws(VaultError) { (record.map { [$0.item] } ?? []) + (try store.leftovers()) }
    }

    /// The state for an interface.
    public var snapshot: CredentialSnapshot {
        CredentialSnapshot(
            state: machine.state,
            protection: protection,
            condition: condition,
            capability: capability,
            assurance: protection.map { device.store.assurance(of: $0.access) },
            leftBehind: leftBehind
        )
    }

    private var protection: CredentialProtection? {
        guard machine.stored == .biometrics, let record, record.protection != .keychain else { return machine.stored }
        return record.protection
    }

    /// Streams each snapshot that differs from the previous one, starting with the present one.
    public func snapshots() -> AsyncStream<CredentialSnapshot> {
        lastTold = snapshot
        return watchers.add(snapshot) { [weak self] number in
            Task { [weak self] in await self?.forget(watcher: number) }
        }
    }

    private func forget(watcher number: UInt64) { watchers.remove(number) }

    func publish() {
        guard !watchers.isEmpty, snapshot != lastTold else { return }
        lastTold = snapshot
        watchers.tell(snapshot)
    }

    /// Reads the state of vault and device again; call it at each return to the foreground (C22).
    ///
    /// Also deletes what earlier calls could not delete, unless another process is working.
    ///
    /// - Throws: why the vault or the device could not be read.
    @discardableResult
    public func refresh() async throws(VaultError) -> CredentialSnapshot {
        await taskLock.enter()
        defer { taskLock.leave() }
        await lookAtSensor()
        try await lookAndPurge()
        return snapshot
    }

    private func lookAndPurge() async throws(VaultError) {
        try await look()
        if try processLock.tryAcquire() {
            await purge()
            processLock.release()
        }
    }
}

// The transitions of V-03, under the names of seed 004. Each throws the refusal of a state that lacks it (V-04).
extension CredentialVault {
    /// Stores credentials without biometrics: `ready` or `unavailable` → `keychainSecured`.
    ///
    /// - Throws: `.credentialsAlreadyPlain`, `.credentialsAlreadySecured`, `.credentialsLockedAlreadyStored`,
    ///   `.credentialsNotStored`, `.secretSizeWrong`, `.protectionDropped`, or why storage failed.
    public func enableKeychainVault(saving credentials: Credentials) async throws(VaultError) {
        try await change(.enableKeychainVault, to: encoded(credentials))
    }

    /// Stores credentials behind the enrolled biometrics: `ready` → `biometricsSecured`.
    ///
    /// - Parameters:
    ///   - credentials: encoded to 1 MiB at most.
    ///   - prompt: shown once, to prove that the stored key can be read back.
    /// - Throws: `.credentialsUnavailable`, `.credentialsNeedUpgrade`, `.credentialsAlreadySecured`,
    ///   `.credentialsLockedAlreadyStored`, `.credentialsNotStored`, `.secretSizeWrong`, `.protectionDropped`, how the prompt
    ///   ended, or why storage failed.
    public func enableSecureVaultWithBiometrics(
        saving credentials: Credentials,
        _ prompt: PromptText
    ) async throws(VaultError) {
        try await change(.enableSecureVaultWithBiometrics, to: encoded(credentials), prompt)
    }

    private func encoded(_ credentials: Credentials) throws(VaultError) -> SecretBytes {
        let encoded = try coding.encode(credentials)
        guard encoded.byteCount <= CredentialRecord.maximumEncoded else { throw VaultError(.secretSizeWrong) }
        return encoded
    }

    /// Moves the stored credentials behind the enrolled biometrics: `keychainSecured` → `biometricsSecured`.
    ///
    /// - Parameter prompt: shown once, to prove that the stored key can be read back.
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsAlreadySecured`,
    ///   `.credentialsLockedAlreadyStored`, `.credentialsNotRead`, `.credentialsNotStored`, `.protectionDropped`, how the
    ///   prompt ended, or why storage failed.
    public func upgradeKeychainWithBiometrics(_ prompt: PromptText) async throws(VaultError) {
        try await change(.upgradeKeychainWithBiometrics, prompt)
    }

    /// Removes the biometrics from the stored credentials: `biometricsSecured` → `keychainSecured`.
    ///
    /// - Parameter prompt: asks for the owner, unless a prompt released the credentials in the last 60 seconds.
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsPlain`, `.credentialsLocked`,
    ///   `.credentialsNotStored`, `.protectionDropped`, how the prompt ended, or why storage failed.
    public func downgradeBiometricsToKeychain(_ prompt: PromptText) async throws(VaultError) {
        try await change(.downgradeBiometricsToKeychain, prompt)
    }

    /// Deletes the stored credentials: `biometricsSecured` → `ready`.
    ///
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsPlain`, `.credentialsLocked`, or why
    ///   storage failed. A key that could not be deleted yet is no failure: it opens nothing, and `leftBehind` counts it.
    public func disableBiometricsSecureVault() async throws(VaultError) {
        try await change(.disableBiometricsSecureVault)
    }

    /// Makes the credentials unreadable until the next prompt: `biometricsSecured` → `locked`.
    ///
    /// It does not wait, and takes precedence over a call in progress, which ends locked or refused. Only a downgrade
    /// in progress still completes as its owner asked: the credentials are then readable without a prompt.
    ///
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsPlain`, `.credentialsAlreadyLocked`.
    public func lock() throws(VaultError) {
        lockCount &+= 1
        try obey(machine.handle(.requested(.lock)))
    }

    /// Shows one prompt and reads the credentials: `locked` → `biometricsSecured`.
    ///
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsNotLocked`, `.credentialsLocked` when
    ///   the vault was locked meanwhile, `.biometricsChanged` when they are lost, `.credentialsNotRead`, how the prompt
    ///   ended, or why storage failed.
    public func unlockWithBiometrics(_ prompt: PromptText) async throws(VaultError) -> Credentials {
        try await read(.unlockWithBiometrics, prompt)
    }

    /// Reads the credentials without a prompt, in `keychainSecured` and `biometricsSecured`.
    ///
    /// - Throws: `.credentialsMissing`, `.credentialsLocked`, `.credentialsNotRead`, `.biometricsChanged`, or why storage
    ///   failed.
    public func credentials() async throws(VaultError) -> Credentials { try await read(.read) }

    /// Asks for the owner, by biometrics or the device's passcode; unlocks nothing (INV-107-01).
    ///
    /// If the system has locked the biometrics, its passcode makes them usable again.
    ///
    /// - Throws: how the prompt ended.
    public func reauthenticateOwner(_ prompt: PromptText) async throws(VaultError) {
        try await ask(.reauthenticateOwner, prompt)
    }

    /// Deletes the stored credentials in any state, without a prompt: any state → `ready` or `unavailable`.
    ///
    /// - Throws: why storage failed. A key that could not be deleted yet is no failure: it opens nothing, and `leftBehind`
    ///   counts it.
    public func reset() async throws(VaultError) { try await change(.reset) }
}
