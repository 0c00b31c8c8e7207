/// Everything that an interface may know of a vault at one instant; contains no secret.
///
/// A vault creates snapshots. An app may too, for a preview or a test of its screens: they open nothing.
public struct VaultSnapshot: Hashable, Sendable {
    /// Whether the vault can be unlocked at all.
    @nonexhaustive
    public enum Condition: Hashable, Sendable {
        /// It can be unlocked.
        case ready
        /// The device secret that the PIN needs is not on this device: only the recovery key opens the vault (A26).
        case keyMissing
        /// Guesses can't be counted any more, so none is answered: only the recovery key works, for exports.
        case ledgerDamaged
        /// The disk is full, so revocations can't be written: only the recovery key opens the vault until there is
        /// room.
        case diskFull
        /// A reset was started and waits to be completed.
        case resetPending
    }

    /// A slot of the vault.
    public struct Slot: Hashable, Sendable {
        /// The slot's kind.
        public let kind: SlotKind
        /// What guards its secret on this device; nil for a recovery key, which is on no device.
        public let assurance: Assurance?
        /// Whether it was revoked, which `biometrics` shows too.
        package let isRevoked: Bool
        /// Milliseconds since 1970.
        public let createdAt: Milliseconds

        /// Creates a slot that is in force.
        package init(kind: SlotKind, assurance: Assurance?, isRevoked: Bool = false, createdAt: Milliseconds = .zero) {
            self.kind = kind
            self.assurance = assurance
            self.isRevoked = isRevoked
            self.createdAt = createdAt
        }
    }

    /// Whether the vault can be unlocked at all.
    public let condition: Condition
    /// The vault's unlock mode: local, or the device's own prompt.
    public let mode: UnlockMode
    /// The state of the unlock.
    public let state: UnlockMachine.State
    /// The state of biometrics.
    public let biometrics: BiometricLifecycle.State
    /// The sensor.
    public let capability: BiometricCapability
    /// The progress of migrating a former app's wallet; `.full` if there never was one.
    public let migration: MigrationMachine.State
    /// The slots of the vault.
    public let slots: [Slot]
    /// Whether a recovery key was shown but not confirmed; until then it opens nothing, and is not in `slots`.
    public let recoveryKeyAwaitsCheck: Bool
    /// The policy in force.
    public let policy: VaultPolicy
    /// The policy from the next strong unlock on, when the owner made it more lenient; nil when none waits.
    public let nextPolicy: VaultPolicy?
    /// The kind of device that the vault was created on.
    public let device: DeviceKind
    /// The device's current assurance for a PIN; a slot has the one from when its PIN was chosen.
    public let assurance: Assurance
    /// Whether the PIN or password may be too short for the device's current assurance, so that a longer one should be
    /// asked for.
    ///
    /// It still opens the vault. After that, this tells whether it really is too short.
    public let asksForLongerSecret: Bool
    /// False when the head can't be read: `slots` and `walletCount` are then not this vault's, and `policy` is the
    /// default that applies instead.
    package let headIsReadable: Bool
    /// False when one of a slot's two rows was damaged or lost: the other one opens, nothing is lost, and the next
    /// strong unlock rewrites both.
    package let slotsAreWhole: Bool
    /// The number of wallets.
    public let walletCount: Int
    /// Consecutive wrong secrets.
    public let failedAttempts: UInt32
    /// False when the record of failures can't be believed, independently of other obstacles to biometrics
    /// (INV-107-08).
    package let ledgerIsReliable: Bool
    /// Whether this is, or may be, an older copy: a session may only export then.
    public let isOlderCopy: Bool
    /// Whether the secret of a former PIN or password is not deleted yet, so that it may open an old copy.
    public let formerSecretRemains: Bool
    /// Consecutive failed prompts.
    package let failedBiometricAttempts: UInt32
    /// Whether the PIN may be tried now.
    public let nextAttempt: AttemptDecision
    /// The policy's decision on an unlock by a prompt now.
    public let decision: UnlockDecision
    /// Whether to cover the screen.
    package let isCovered: Bool
    /// Whether the head was verified in this session and found authentic; nil while locked.
    package let isAuthentic: Bool?

    /// Creates a snapshot; the defaults describe a locked vault with a PIN, no sensor, and no problems.
    ///
    /// Fields are not derived from each other: if you enable biometrics, also set `decision` to what a prompt would
    /// get.
    public init(
        condition: Condition = .ready,
        mode: UnlockMode = .local,
        state: UnlockMachine.State = .locked,
        biometrics: BiometricLifecycle.State = .disabled,
        capability: BiometricCapability = BiometricCapability(biometryType: .none, assurance: .simulated),
        migration: MigrationMachine.State = .full,
        slots: [Slot] = [],
        recoveryKeyAwaitsCheck: Bool = false,
        policy: VaultPolicy = .wallet,
        nextPolicy: VaultPolicy? = nil,
        device: DeviceKind = .simulated,
        assurance: Assurance = .simulated,
        asksForLongerSecret: Bool = false,
        headIsReadable: Bool = true,
        slotsAreWhole: Bool = true,
        walletCount: Int = 0,
        failedAttempts: UInt32 = 0,
        ledgerIsReliable: Bool = true,
        isOlderCopy: Bool = false,
        formerSecretRemains: Bool = false,
        failedBiometricAttempts: UInt32 = 0,
        nextAttempt: AttemptDecision = .allowed,
        decision: UnlockDecision = .requireStrongFactor(.biometricsDisabled),
        isCovered: Bool = false,
        isAuthentic: Bool? = nil
    ) {
        self.condition = condition
        self.mode = mode
        self.state = state
        self.biometrics = biometrics
        self.capability = capability
        self.migration = migration
        self.slots = slots
        self.recoveryKeyAwaitsCheck = recoveryKeyAwaitsCheck
        self.policy = policy
        self.nextPolicy = nextPolicy
        self.device = device
        self.assurance = assurance
        self.asksForLongerSecret = asksForLongerSecret
        self.headIsReadable = headIsReadable
        self.slotsAreWhole = slotsAreWhole
        self.walletCount = walletCount
        self.failedAttempts = failedAttempts
        self.ledgerIsReliable = ledgerIsReliable
        self.isOlderCopy = isOlderCopy
        self.formerSecretRemains = formerSecretRemains
        self.failedBiometricAttempts = failedBiometricAttempts
        self.nextAttempt = nextAttempt
        self.decision = decision
        self.isCovered = isCovered
        self.isAuthentic = isAuthentic
    }
}

extension VaultSnapshot.Condition {
    /// The error for a PIN, password or finger when none can open the vault; nil when they can.
    package var refusal: ErrorCode? {
        switch self {
        case .ready: nil
        case .keyMissing: .keyMissing
        case .ledgerDamaged: .vaultDamaged
        case .diskFull: .diskFull
        case .resetPending: .resetPending
        }
    }
}

/// Views that the seed documents ask for, derived from the fields (C8).
extension VaultSnapshot {
    /// Whether the open session only exports because the vault is an older copy, which the owner may accept.
    package var isOpenOlderCopy: Bool { isOlderCopy && isAuthentic != false && state.scope == .exportOnly }

    /// Whether an unrecognised finger or face may be tried again (F-107-06).
    package var takesAnotherFinger: Bool { failedBiometricAttempts < policy.biometricFailureLimit }

    /// The five states of seed 002's unlock hook.
    @nonexhaustive
    public enum AppUnlockState: String, Hashable, Sendable, CaseIterable {
        /// The vault is locked, and nothing is asked.
        case locked = "LOCKED"
        /// The prompt is shown, or may be shown again.
        case promptingBiometric = "PROMPTING_BIOMETRIC"
        /// A session is open.
        case unlocked = "UNLOCKED"
        /// Only the strong factor can continue.
        case requirePassword = "REQUIRE_PASSWORD"
        /// Biometrics were revoked; enter the strong factor, then enable them again.
        case revoked = "REVOKED"
    }

    /// The state in seed 002's terms: a revocation shows until the next strong unlock.
    public var appUnlockState: AppUnlockState {
        switch state {
        case .unlocked, .verifyingStrongFactor(_, resuming: .some), .promptingSystem(resuming: .some),
            .promptingBiometrics(resuming: .some):
            return .unlocked
        case .promptingBiometrics(resuming: nil), .biometricsFailed, .promptingSystem(resuming: nil):
            return .promptingBiometric
        case .closedUntilReopened: return .locked
        case .locked, .requiresStrongFactor, .verifyingStrongFactor(_, resuming: nil): break
        }
        if case .revoked = biometrics { return .revoked }
        return state == .locked ? .locked : .requirePassword
    }
}
