import ThumbturnBase
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A vault: wallet secrets sealed under one master key, which lies wrapped in slots.
///
/// The rules decide, the device releases a secret, an envelope opens with it, and the vault holds the master key while it
/// is unlocked. Every call that changes something is one transaction: what was there stays, or what was asked for is there.
public actor Vault {
    let folder: String
    package let device: Device
    package nonisolated let configuration: VaultConfiguration
    let store: VaultStore
    let processLock: ProcessLock
    let taskLock = TaskLock()

    /// What is known without a key since the last look that came to its end.
    var known: LockedState
    /// What a look that is under way has found so far.
    ///
    /// Half a look reads as a ledger that nobody can believe, which is a delay of a day, so no snapshot shows it.
    var lookSoFar: LockedState?
    /// The ledger: its row, key and anchor.
    let bookkeeper: AttemptLedger
    var machine: UnlockMachine
    /// Whether a biometric slot is being made.
    var isEnabling = false
    /// The open session.
    ///
    /// `nil` is locked.
    var session: Session?
    /// What may take its place: a slot that was opened, until the rules say what becomes of it, or a key that is being made.
    var candidate: Session?
    /// What somebody's lock shuts.
    var door = UnlockAttempt.Door()
    /// How often somebody's lock has shut it.
    var lockCount: UInt64 = 0
    /// How often the screen was covered.
    var coverCount: UInt64 = 0
    /// The try to open the vault that the rules are being asked about.
    var attempt: UnlockAttempt?
    var isCovered = false
    /// When a session that was locked during a call was last in use; the call writes it at its end.
    var unwrittenUse: ClockReading?
    /// Failed prompts that could not be written yet.
    var uncountedFailures: UInt32 = 0
    /// What the account's service said last, where a full disk did not take it.
    var unwrittenWord: (ServerWord, VaultAccount)?
    /// Whether nothing may be deleted: this device would call absent whatever the notes name on the one that is gone (A25).
    var keepsLeftovers: Bool
    /// The head that its owner took for the newest where no ledger is left to say so.
    var acceptedHead: [UInt8]?
    /// Items that a change which is still to come will name, however long it takes until then.
    var keptItems: Set<ItemName> = []
    var idleTimer: Task<Void, Never>?
    var watchers = Watchers<VaultSnapshot>()

    /// - Parameter state: what is known before the first look.
    init(
        folder: String,
        device: Device,
        configuration: VaultConfiguration,
        store: VaultStore,
        state: LockedState
    ) throws(VaultError) {
        self.folder = folder
        self.device = device
        self.configuration = configuration
        self.keepsLeftovers = configuration.leavesDevice
        self.store = store
        self.processLock = try ProcessLock(in: folder)
        self.known = state
        self.bookkeeper = AttemptLedger(of: state.head.vault, on: device, in: store)
        self.machine = UnlockMachine(policy: state.head.policy)
    }

    deinit {
        idleTimer?.cancel()
        watchers.finish()
    }

    /// What is known without a key; each turn begins with a look.
    var state: LockedState {
        get { lookSoFar ?? known }
        set { if lookSoFar == nil { known = newValue } else { lookSoFar = newValue } }
    }

    /// The policy of the head, unless a session knows that somebody changed that: then what an editor wrote, say a year without
    /// a lock, rules nothing.
    ///
    /// Beside a head that was put back what is stricter rules: its owner may have thought better of it since.
    var policyInForce: VaultPolicy {
        if session?.isBesideTampering == true { return .besideTampering }
        // By the last whole look: half a look knows no ledger, which reads as a head that was put back.
        return known.headStanding == .putBack ? state.head.policy.stricter(with: .besideTampering) : state.head.policy
    }

    /// What the device's clocks say.
    public nonisolated var now: ClockReading { device.clock() }

    /// Whether any key that opens wallets is in memory; for tests, since a snapshot tells it in the owner's words.
    package var holdsKey: Bool { session != nil || candidate != nil }

    /// The items that a reset would delete, by what was last read; nobody has verified that they are this vault's.
    package var ownItems: [ItemName] { state.ownItems }
}
