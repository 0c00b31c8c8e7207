import ThumbturnBase
import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A vault for credentials that can be fetched again, such as tokens and passwords, in the five states of seed 004.
///
/// It is no place for a wallet: losing the biometrics may lose the credentials. So what holds a wallet's secret is not
/// `Codable`, and can't be put in. Every call that changes something is one transaction: the former state and its
/// credentials, or the new ones (V-05). `CredentialHandle` is the same vault with its states as types.
///
/// Several objects, in several processes, may hold one folder. Calls of one object run one after the other; only `lock`
/// waits for nothing.
public actor CredentialVault<Credentials: Codable & Sendable> {
    let name: CredentialName
    let device: Device
    let coding: CredentialCoding<Credentials>
    let store: CredentialStore
    let processLock: ProcessLock
    let taskLock = TaskLock()
    /// Hears of the faults that are no reason to refuse a call.
    let tolerated: @Sendable (VaultError) -> Void

    var machine = CredentialVaultMachine()
    /// What was stored when it was last looked at.
    var record: CredentialRecord?
    var condition = CredentialSnapshot.Condition.reachable
    /// What the last look at the sensor has shown; one that nobody has looked at can't be used.
    var capability = BiometricCapability(
        biometryType: .none,
        reasonIfUnavailable: .temporarilyUnavailable,
        assurance: .simulated
    )
    var leftBehind = 0
    /// What a prompt released; it is there exactly in the state `biometricsSecured`.
    var key: ReleasedKey?
    /// How often somebody locked, whether there was something to lock or not.
    private(set) var lockCount: UInt64 = 0
    private var watchers = Watchers<CredentialSnapshot>()
    private var lastTold: CredentialSnapshot?

    private init(
        _ name: CredentialName,
        _ device: Device,
        _ coding: CredentialCoding<Credentials>,
        _ store: CredentialStore,
        _ processLock: ProcessLock,
        _ tolerated: @escaping @Sendable (VaultError) -> Void
    ) {
        self.name = name
        self.device = device
        self.coding = coding
        self.store = store
        self.processLock = processLock
        self.tolerated = tolerated
    }

    deinit {
        watchers.finish()
    }

    /// Opens the credentials called `name` in `folder`, without a prompt.
    ///
    /// - Parameters:
    ///   - coding: how they become bytes.
    ///   - vfs: another VFS of SQLite: tests put a faulty one here.
    ///   - asksSensor: whether the sensor is looked at, so that the first snapshot tells of it; what wants a finger looks for
    ///     itself.
    ///   - leavesDevice: whether `device` stands in for one that is gone. What is noted to be deleted there stays noted
    ///     then until something is changed: `device` would call it absent.
    package static func open(
        named name: CredentialName,
        in folder: String,
        device: Device,
        coding: CredentialCoding<Credentials>,
        vfs: String? = nil,
        asksSensor: Bool = true,
        leavesDevice: Bool = false,
        tolerated: @escaping @Sendable (VaultError) -> Void = { _ in }
    ) async throws(VaultError) -> CredentialVault {
        let vault = try openUnseen(named: name, in: folder, device: device, coding, vfs: vfs, tolerated)
        if asksSensor { await vault.lookAtSensor() }
        if leavesDevice { try await vault.look() } else { try await vault.lookAndPurge() }
        return vault
    }

    /// Opens the file, and looks at nothing in it.
    static func openUnseen(
        named name: CredentialName,
        in folder: String,
        device: Device,
        _ coding: CredentialCoding<Credentials>,
        vfs: String? = nil,
        _ tolerated: @escaping @Sendable (VaultError) -> Void
    ) throws(VaultError) -> CredentialVault {
        let store = try CredentialStore(in: folder, vfs: vfs)
        let processLock = try ProcessLock(in: folder)
        return CredentialVault(name, device, coding, store, processLock, tolerated)
    }

    /// Closes the vault's files and forgets the key; it is of no use afterwards.
    public func close() async {
        lockCount &+= 1
        apply(machine.handle(.keyLost))
        await taskLock.enter()
        // A call that was under way may have been given it meanwhile.
        apply(machine.handle(.keyLost))
        store.close()
        taskLock.leave()
    }

    /// The items that a reset deletes: the one of what is stored, and the noted ones.
    package var ownItems: [ItemName] {
        get throws(VaultError) { (record.map { [$0.item] } ?? []) + (try store.leftovers()) }
    }

    /// What an interface may know now.
    public var snapshot: CredentialSnapshot {
        CredentialSnapshot(
            state: machine.state,
            protection: machine.stored,
            condition: condition,
            capability: capability,
            assurance: machine.stored.map { device.store.assurance(of: $0.access) },
            leftBehind: leftBehind
        )
    }

    /// Every snapshot that differs from the one before, the present one first.
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

    /// Looks at the vault and the device anew; call it at each return to the foreground (C22).
    ///
    /// What earlier calls could not delete is deleted, unless another process is at work.
    ///
    /// - Throws: why vault or device could not be looked at.
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

// The transitions of V-03, under the names of seed 004. Each throws the refusal of a state that does not have it (V-04).
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
    ///   - prompt: shown once, to prove that what was stored can be read back.
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

    /// Puts what is stored behind the enrolled biometrics: `keychainSecured` → `biometricsSecured`.
    ///
    /// - Parameter prompt: shown once, to prove that what was stored can be read back.
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsAlreadySecured`,
    ///   `.credentialsLockedAlreadyStored`, `.credentialsNotRead`, `.credentialsNotStored`, `.protectionDropped`, how the
    ///   prompt ended, or why storage failed.
    public func upgradeKeychainWithBiometrics(_ prompt: PromptText) async throws(VaultError) {
        try await change(.upgradeKeychainWithBiometrics, prompt)
    }

    /// Takes the biometrics away from what is stored: `biometricsSecured` → `keychainSecured`.
    ///
    /// - Parameter prompt: asks for the owner, unless a prompt released the credentials in the last 60 seconds.
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsPlain`, `.credentialsLocked`,
    ///   `.credentialsNotStored`, `.protectionDropped`, how the prompt ended, or why storage failed.
    public func downgradeBiometricsToKeychain(_ prompt: PromptText) async throws(VaultError) {
        try await change(.downgradeBiometricsToKeychain, prompt)
    }

    /// Deletes what is stored: `biometricsSecured` → `ready`.
    ///
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsPlain`, `.credentialsLocked`, or why
    ///   storage failed. A key that could not be deleted yet is no failure: it opens nothing, and `leftBehind` counts it.
    public func disableBiometricsSecureVault() async throws(VaultError) {
        try await change(.disableBiometricsSecureVault)
    }

    /// Makes the credentials unreadable until the next prompt: `biometricsSecured` → `locked`.
    ///
    /// It waits for nothing, and wins over a call that is under way: that ends locked, or refused. Only a downgrade that has
    /// begun ends as its owner asked: what is stored can be read without a prompt then.
    ///
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsPlain`, `.credentialsAlreadyLocked`.
    public func lock() throws(VaultError) {
        lockCount &+= 1
        try obey(machine.handle(.requested(.lock)))
    }

    /// Shows one prompt and reads the credentials: `locked` → `biometricsSecured`.
    ///
    /// - Throws: `.credentialsUnavailable`, `.credentialsMissing`, `.credentialsNotLocked`, `.credentialsLocked` when
    ///   somebody locked meanwhile, `.biometricsChanged` when they are lost, `.credentialsNotRead`, how the prompt ended, or
    ///   why storage failed.
    public func unlockWithBiometrics(_ prompt: PromptText) async throws(VaultError) -> Credentials {
        try await read(.unlockWithBiometrics, prompt)
    }

    /// Reads the credentials without a prompt, in `keychainSecured` and `biometricsSecured`.
    ///
    /// - Throws: `.credentialsMissing`, `.credentialsLocked`, `.credentialsNotRead`, `.biometricsChanged`, or why storage
    ///   failed.
    public func credentials() async throws(VaultError) -> Credentials {
        try await read(.read)
    }

    /// Asks whether the owner is here, by biometrics or the device's passcode; it unlocks nothing (INV-107-01).
    ///
    /// Where the system locked the biometrics, its passcode makes them usable again.
    ///
    /// - Throws: how the prompt ended.
    public func reauthenticateOwner(_ prompt: PromptText) async throws(VaultError) {
        try await ask(.reauthenticateOwner, prompt)
    }

    /// Deletes what is stored, in whatever state it is, and without a prompt: any state → `ready` or `unavailable`.
    ///
    /// - Throws: why storage failed. A key that could not be deleted yet is no failure: it opens nothing, and `leftBehind`
    ///   counts it.
    public func reset() async throws(VaultError) {
        try await change(.reset)
    }
}
