import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A vault: wallet secrets sealed under one master key, which lies wrapped in slots.
///
/// The rules decide, the device releases a secret, an envelope opens with it, and the vault holds the master key while it
/// is unlocked. Every call that changes something is one transaction: what was there stays, or what was asked for is there.
public actor Vault {
    let folder: String
    let device: Device
    let configuration: VaultConfiguration
    let store: VaultStore
    let processLock: ProcessLock
    var lease = Lease()

    /// What is known without a key; read anew by every call.
    var outside: Outside
    /// While the vault looks around, and after a look that failed: what the last whole one saw.
    var seenBefore: Outside?
    /// What the store's rows said when they were last parsed.
    var lastRead: Outside?
    var machine: UnlockMachine
    /// Whether a biometric slot is being made.
    var isEnabling = false
    /// A slot that was opened, until the rules say what becomes of it.
    var candidate: Session?
    /// The open session.
    ///
    /// `nil` is locked.
    var session: Session?
    /// What is to take the place of the open session, once its key stands.
    var successor: Session?
    /// Says in which order row and anchor of the ledger are written.
    var bookkeeper: LedgerMachine
    /// Authenticates the ledger; from the secret that `ledgerItem` names.
    var ledgerKey: SecretBytes?
    var ledgerItem: ItemName?
    /// The PIN's own device secret, once it was seen to be there.
    var ownSecret: ItemName?
    /// What somebody's lock shuts.
    var door = UnlockAttempt.Door()
    /// The try to open the vault that the rules are being asked about.
    var attempt: UnlockAttempt?
    var isCovered = false
    /// Failed prompts that could not be written yet.
    var uncountedFailures: UInt32 = 0
    /// Whether nothing may be deleted: this device would call absent whatever the notes name on the one that is gone (A25).
    var keepsLeftovers: Bool
    var idleTimer: Task<Void, Never>?
    var watchers = Watchers<VaultSnapshot>()

    init(
        folder: String,
        device: Device,
        configuration: VaultConfiguration,
        store: VaultStore,
        outside: Outside
    ) throws(VaultError) {
        self.folder = folder
        self.device = device
        self.configuration = configuration
        self.keepsLeftovers = configuration.leavesDevice
        self.store = store
        self.processLock = try ProcessLock(in: folder)
        self.outside = outside
        self.bookkeeper = LedgerMachine(vault: outside.head.vault)
        self.machine = UnlockMachine(policy: outside.head.policy)
    }

    deinit {
        idleTimer?.cancel()
        watchers.finish()
    }

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
        let outside = try Outside(reading: store.contents(), device: device)
        let vault = try Vault(
            folder: folder,
            device: device,
            configuration: configuration,
            store: store,
            outside: outside
        )
        try await vault.refreshing()
        // What was being made or erased, and has nothing left to delete, is no vault.
        guard await !vault.isEmpty else { throw VaultError(.vaultMissing) }
        return vault
    }

    /// Locks: zeroises the master key at once.
    ///
    /// An unlock that is under way opens nothing any more (A36).
    public func lock() async {
        await leave(.lockRequested)
    }

    /// Tells the vault that the app left the foreground: it covers the screen, and locks where the policy says so (C17).
    ///
    /// It hears nothing of a system that is about to suspend the app: `followDevice` does.
    public func enterBackground() async { await remember(moveToBackground()) }

    /// Covers, and locks where the policy says so.
    ///
    /// - Returns: when the session, if there was one, was last in use.
    func moveToBackground() -> ClockReading? {
        isCovered = true
        return end(.movedToBackground)
    }

    /// Tells the vault that the app is in the foreground again; capability and enrolment are looked at anew (B-01).
    ///
    /// A session that was idle for too long locks before the cover falls.
    ///
    /// - Throws: why vault or device could not be looked at; the cover has fallen all the same.
    public func enterForeground() async throws(VaultError) {
        try await comeBack(since: uncover())
    }

    /// Locks and uncovers in one step: a cover that comes during a wait is not this call's to lift (A37).
    ///
    /// - Returns: when a session that was idle for too long was last in use.
    func uncover() -> ClockReading? {
        let used = isIdle ? end(.idleLimitPassed) : nil
        isCovered = false
        publish()
        return used
    }

    /// Writes down what `uncover` found, and looks at the device.
    func comeBack(since used: ClockReading?) async throws(VaultError) {
        await remember(used)
        try await refreshing()
    }

    /// Locks a session that was not used for longer than the policy allows; a timer calls it too.
    public func lockIfIdle() async {
        if isIdle { await leave(.idleLimitPassed) }
    }

    /// Whether any key that opens wallets is in memory; for tests, since a snapshot tells it in the owner's words.
    package var holdsKey: Bool { session != nil || candidate != nil || successor != nil }

    /// The items that a reset would delete, by what was last read; nobody has verified that they are this vault's.
    package var ownItems: [ItemName] { outside.ownItems }

    /// The policy of the head, unless a session knows that somebody changed that: then what an editor wrote, say a year without
    /// a lock, rules nothing.
    var policyInForce: VaultPolicy { session?.isBesideTampering == true ? .besideTampering : outside.head.policy }

    var isIdle: Bool {
        guard let session else { return false }
        return policyInForce.sessionIsStale(since: session.lastActivity, at: device.clock())
    }

    /// Looks at the vault and the device anew.
    ///
    /// - Throws: why vault or device could not be looked at.
    public func refresh() async throws(VaultError) -> VaultSnapshot {
        try await refreshing()
        return snapshot
    }

    /// Closes the vault's files; it is of no use afterwards.
    public func close() async {
        await lock()
        await lease.enter()
        store.close()
        lease.leave()
    }

    // The session ends first and without waiting; when the vault was last in use is written after that.
    private func leave(_ event: UnlockMachine.Event) async { await remember(end(event)) }

    /// Ends the session as the rules say; when it was last used, if there was one.
    private func end(_ event: UnlockMachine.Event) -> ClockReading? {
        let used = session?.lastActivity
        let effects = machine.handle(event)
        // A limit that passes is nobody's wish: whoever gives the PIN just then gets in.
        if event != .idleLimitPassed, effects.contains(.eraseKeys) { endAttempts() }
        apply(effects)
        publish()
        return used
    }

    /// Remembers when the vault was last in use, once it is its turn.
    func rememberInTurn(_ used: ClockReading?) async {
        if let used { await writeUse(at: used) }
    }

    func remember(_ used: ClockReading?) async {
        guard let used else { return }
        // Who locks from inside a call that is under way must not wait for that call's end: then it is written afterwards.
        guard lease.isHeld else { return await writeUse(at: used) }
        Task { await writeUse(at: used) }
    }

    private func writeUse(at used: ClockReading) async {
        await lease.enter()
        defer { lease.leave() }
        await tolerating { () async throws(VaultError) in try await recordUse(at: used) }
    }

    /// A ledger without a vault counts guesses at a former app's PIN, and is no reset either.
    private var isEmpty: Bool {
        outside.condition == .resetPending && (outside.contents.leftovers.isEmpty || outside.contents.ledger != nil)
    }

    private func refreshing() async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            publish()
        }
    }
}

// One call at a time: in this object by a lease, across processes by a lock. Locking the vault waits for neither.
extension Vault {
    /// One turn on a vault that is there, as it is now: until `body` ends nobody else reads or changes it.
    func turn<Result: ~Copyable>(
        _ body: () async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await turnOnFolder { () async throws(VaultError) in
            try await lookAround()
            return try await body()
        }
    }

    /// The same for a body that lends something to the app, which may throw anything.
    func lendingTurn<Result: ~Copyable>(_ body: () async throws -> Result) async throws -> Result {
        try await beginTurn()
        defer { endTurn() }
        try await lookAround()
        return try await body()
    }

    /// One turn that may find no vault.
    func turnOnFolder<Result: ~Copyable>(
        _ body: () async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await beginTurn()
        defer { endTurn() }
        return try await body()
    }

    private func beginTurn() async throws(VaultError) {
        await lease.enter()
        do { try await processLock.acquire() } catch {
            lease.leave()
            throw error
        }
    }

    private func endTurn() {
        processLock.release()
        lease.leave()
    }
}

/// Lets one task in at a time, in the order in which they came.
final class Lease {
    private(set) var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter(isolation: isolated (any Actor)? = #isolation) async {
        guard isHeld else {
            isHeld = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
}

// Snapshots.
extension Vault {
    /// What the device's clocks say.
    public nonisolated var now: ClockReading { device.clock() }

    /// What an interface may know now.
    public var snapshot: VaultSnapshot {
        let now = device.clock()
        let present = outside
        let outside = seenBefore ?? present
        return VaultSnapshot(
            condition: outside.condition,
            mode: outside.mode,
            state: machine.state,
            biometrics: isEnabling ? .enabling : outside.usableBiometrics,
            capability: outside.capability,
            migration: outside.migration,
            slots: outside.summaries,
            policy: outside.head.policy,
            device: outside.head.device,
            assurance: device.store.assurance(of: .deviceOnly),
            asksForLongerSecret: asksForLongerSecret(outside),
            headIsReadable: outside.headIsReadable,
            slotsAreWhole: outside.slotsAreWhole,
            walletCount: Int(outside.head.walletCount),
            failedAttempts: outside.ledger.attempts.failures,
            ledgerIsReliable: outside.ledger.attempts.isReliable,
            isOlderCopy: outside.headStanding == .putBack,
            formerSecretRemains: outside.formerSecretRemains,
            failedBiometricAttempts: outside.ledger.biometricFailures,
            nextAttempt: outside.attemptDecision(at: now),
            decision: outside.head.policy.decision(for: outside.context(at: now)),
            isCovered: isCovered,
            isAuthentic: session.map { $0.verified(present.contents.head, slots: present.slots) != nil }
        )
    }

    /// Whether a longer PIN is to be asked for, since the device is worth less than when it was chosen.
    private func asksForLongerSecret(_ outside: Outside) -> Bool {
        let assurance = device.store.assurance(of: .deviceOnly)
        guard let slot = outside.slot(.localSecret), let listed = outside.head.slots.first(where: { $0.id == slot.id }),
            let former = listed.assurance, LocalSecretRules.mayBeTooShort(chosenUnder: former, under: assurance)
        else { return false }
        return session?.secretSuffices != true
    }

    /// Every snapshot from now on, the present one first.
    public func snapshots() -> AsyncStream<VaultSnapshot> {
        watchers.add(snapshot) { [weak self] number in
            Task { [weak self] in await self?.forget(watcher: number) }
        }
    }

    private func forget(watcher number: UInt64) { watchers.remove(number) }

    /// Tells every watcher what is so now; time may have passed since the last word.
    public func publish() {
        guard !watchers.isEmpty else { return }
        watchers.tell(snapshot)
    }
}
