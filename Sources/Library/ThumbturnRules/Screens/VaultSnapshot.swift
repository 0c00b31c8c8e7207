/// All that an interface may know of a vault at one instant; there is no secret in it.
///
/// A vault makes them. So may an app, for a preview or a test of its own screens: what it makes opens nothing.
public struct VaultSnapshot: Hashable, Sendable {
    /// Whether the vault can be unlocked at all.
    @nonexhaustive
    public enum Condition: Hashable, Sendable {
        /// It can.
        case ready
        /// The device secret that the PIN needs is not here: only the recovery key opens (A26).
        case keyMissing
        /// Nothing can count guesses any more, so that none is answered: only the recovery key exports.
        case ledgerDamaged
        /// The disk is full, so that what takes a right away can't be written: only the recovery key opens until there is room.
        case diskFull
        /// A reset was begun and waits to be completed.
        case resetPending
    }

    /// One way in.
    public struct Slot: Hashable, Sendable {
        /// Which.
        public let kind: SlotKind
        /// What guards its secret on this device; nil for a recovery key, which no device keeps.
        public let assurance: Assurance?
        /// Whether a restriction took its right away, as `biometrics` says too.
        package let isRevoked: Bool
        /// Milliseconds since 1970.
        public let createdAt: Milliseconds

        /// Makes a way in that stands.
        package init(
            kind: SlotKind,
            assurance: Assurance?,
            isRevoked: Bool = false,
            createdAt: Milliseconds = .zero
        ) {
            self.kind = kind
            self.assurance = assurance
            self.isRevoked = isRevoked
            self.createdAt = createdAt
        }
    }

    /// Whether the vault can be unlocked at all.
    public let condition: Condition
    /// The way in that the vault asks for: its PIN or what the device itself asks for.
    public let mode: UnlockMode
    /// Where the unlock stands.
    public let state: UnlockMachine.State
    /// Where biometrics stand.
    public let biometrics: BiometricLifecycle.State
    /// The sensor.
    public let capability: BiometricCapability
    /// How far the migration of a former app's wallet has come; `.full` where there never was one.
    public let migration: MigrationMachine.State
    /// The ways in.
    public let slots: [Slot]
    /// Whether a recovery key was shown and waits to be typed back; until then it opens nothing, and is none of `slots`.
    public let recoveryKeyAwaitsCheck: Bool
    /// The rules.
    public let policy: VaultPolicy
    /// The rules from the next strong unlock on, where its owner made some of them laxer; nil where none waits.
    public let nextPolicy: VaultPolicy?
    /// The device the vault was made on.
    public let device: DeviceKind
    /// What the device is worth to a PIN now; a slot tells what it was worth when that was chosen.
    public let assurance: Assurance
    /// Whether the PIN or password may be too short for what the device is worth now: a longer one is to be asked for.
    ///
    /// It still opens. Once it has, this says whether it really is too short.
    public let asksForLongerSecret: Bool
    /// False when the head can't be read: `slots` and `walletCount` then say nothing of this vault, and `policy` is the
    /// default that it goes by meanwhile.
    package let headIsReadable: Bool
    /// False where one of the two rows that a way in is kept in was damaged or lost: the other one opens, nothing is lost,
    /// and the next strong unlock writes both anew.
    package let slotsAreWhole: Bool
    /// How many wallets there are.
    public let walletCount: Int
    /// Wrong secrets in a row.
    public let failedAttempts: UInt32
    /// False when the record of failures can't be believed, whatever else stands in the way of biometrics (INV-107-08).
    package let ledgerIsReliable: Bool
    /// Whether this is an older copy that was put back, or may be one: a session may only export then.
    public let isOlderCopy: Bool
    /// Whether what a former PIN or password needs is not deleted yet, so that it may open an old copy.
    public let formerSecretRemains: Bool
    /// Failed prompts in a row.
    package let failedBiometricAttempts: UInt32
    /// Whether the PIN may be tried now.
    public let nextAttempt: AttemptDecision
    /// What an unlock by a prompt would meet now.
    public let decision: UnlockDecision
    /// Whether the screen is to be covered.
    package let isCovered: Bool
    /// Whether the head was verified in this session and found authentic; nil while locked.
    package let isAuthentic: Bool?

    /// Makes a snapshot; whatever is left out describes a locked vault with a PIN, no sensor, and nothing wrong.
    ///
    /// No field follows from another: if you say that biometrics are enabled, also say in `decision` what a prompt would meet.
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
    /// What a PIN, password or finger is told where none can open; nil where they can.
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

/// The views that the documents ask for, computed from the one truth (C8).
extension VaultSnapshot {
    /// Whether a session is open that only exports because an older copy was put back, and its owner may take it for the vault.
    package var isOpenOlderCopy: Bool { isOlderCopy && isAuthentic != false && state.scope == .exportOnly }

    /// Whether a finger or face that was not recognised may be tried again (F-107-06).
    package var takesAnotherFinger: Bool { failedBiometricAttempts < policy.biometricFailureLimit }

    /// Whether to show the warning to close and reopen, with "reset wallet", instead of a prompt (S-06).
    package var isClosedUntilReopened: Bool { state == .closedUntilReopened }

    /// The five states of seed 002's unlock hook.
    @nonexhaustive
    public enum AppUnlockState: String, Hashable, Sendable, CaseIterable {
        /// Nothing is asked.
        case locked = "LOCKED"
        /// The prompt is up, or may be shown again.
        case promptingBiometric = "PROMPTING_BIOMETRIC"
        /// A session is open.
        case unlocked = "UNLOCKED"
        /// Only the strong factor goes on.
        case requirePassword = "REQUIRE_PASSWORD"
        /// Biometrics were taken away; the strong factor, then enabling them again.
        case revoked = "REVOKED"
    }

    /// Seed 002's view: a revocation shows until the next strong unlock.
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
