import ThumbturnBase
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A vault: wallet secrets sealed under one master key, which is wrapped in slots.
///
/// The rules decide, the device releases a secret, an envelope opens with it, and the vault keeps the master key while
/// it is unlocked. Every call that changes something is one transaction: either the old state stays, or the new one is
/// stored.
public actor Vault {
    let folder: String
    package let device: Device
    package nonisolated let configuration: VaultConfiguration
    let store: VaultStore
    let processLock: ProcessLock
    let taskLock = TaskLock()

    /// What the last completed look found, without a key.
    var known: LockedState
    /// What a look in progress has found so far.
    ///
    /// Snapshots do not show it: half a look would read as an unreliable ledger, which is a delay of a day.
    var lookSoFar: LockedState?
    /// Keeps the ledger: its row, key and anchor.
    let bookkeeper: AttemptLedger
    /// Writes down what happens, in the transaction of each change.
    let trail: Trail
    var machine: UnlockMachine
    /// Whether a biometric slot is being created.
    var isEnabling = false
    /// The open session, and what may still open.
    let keys = Keyring()
    /// How often the screen was covered.
    var coverCount: UInt64 = 0
    var isCovered = false
    /// When a session that was locked during a call was last used; the call writes it at its end.
    var unwrittenUse: ClockReading?
    /// Fingers or faces that failed and could not be counted yet.
    var uncountedFailures: UInt32 = 0
    /// The account service's answer that the next look writes; kept while a full disk prevents that.
    var unwrittenAnswer: AccountAnswer?
    /// Whether to delete nothing: this device would report the lost device's items as absent (A25).
    var keepsLeftovers: Bool
    /// The digest of the head that the owner accepted as the newest, when no ledger is left to tell.
    var acceptedHead: [UInt8]?
    /// Items that a pending change will name, however long it takes.
    var keptItems: Set<ItemName> = []
    var watchers = Watchers<VaultSnapshot>()

    /// Creates a vault.
    ///
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
        self.trail = Trail(in: store, clock: device.clock, report: configuration.audit)
        self.bookkeeper = AttemptLedger(of: state.head.vault, on: device, in: store, telling: trail)
        self.machine = UnlockMachine(policy: state.head.policy)
    }

    deinit { watchers.finish() }

    /// The state known without a key; each turn begins with a look.
    var state: LockedState {
        get { lookSoFar ?? known }
        set { if lookSoFar == nil { known = newValue } else { lookSoFar = newValue } }
    }

    /// The open session; nil while locked.
    var session: Session? { keys.session }

    /// The head's policy; a strict one when a session knows that the head was edited, since an attacker's edit, such as
    /// a year without a lock, must not apply.
    ///
    /// When the head was rolled back, the stricter of both applies: the owner may have tightened the policy since.
    var policyInForce: VaultPolicy {
        if session?.isBesideTampering == true { return .besideTampering }
        // Use the last complete look: half a look has no ledger, which reads as a rolled-back head.
        return known.headStanding == .putBack ? state.head.policy.stricter(with: .besideTampering) : state.head.policy
    }

    /// The policy's current decision on a prompt.
    var promptDecision: UnlockDecision { state.head.policy.decision(for: state.context(at: now)) }

    /// The current reading of the device's clocks.
    public nonisolated var now: ClockReading { device.clock() }

    /// Whether a key that opens wallets is in memory; for tests, since a snapshot says so only in the owner's terms.
    package var holdsKey: Bool { session != nil || keys.candidate != nil }

    /// The items that a reset would delete, as last read; not verified to be this vault's.
    package var ownItems: [ItemName] { state.ownItems }
}
