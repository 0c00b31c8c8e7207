/// What an unlock screen shows: the fields of seed 002's `useAppUnlock`, and related ones (P-107-03).
///
/// Contains no secret and nothing derived from one, not even the length of the input.
public struct AppUnlockFields: Hashable, Sendable {
    /// What is on the screen.
    @nonexhaustive
    public enum Screen: Hashable, Sendable {
        /// The vault is still being read.
        case opening
        /// The app's own content: a session is open.
        case content
        /// A session is open, and revoked biometrics can be turned on again with one tap.
        case offer
        /// A former app's wallet is half migrated, and the owner is asked for what completes that (K-08).
        case completion(CompletionStep)
        /// The vault is an older copy, and the owner is asked whether to accept it; until then it only exports.
        case olderCopy(OlderCopyStep)
        /// The system's prompt is shown.
        case prompt
        /// The PIN or password is asked for.
        case secret
        /// Only the device's own prompt opens the vault: a tap shows it (S-06).
        case system
        /// The system's prompt ended without recognising the owner: close and reopen the app, or erase everything
        /// (S-06).
        case reopen
        /// The PIN or password was wrong too often: no try is allowed for this long.
        case wait(Countdown)
        /// Only the recovery key opens the vault, for this reason.
        case recovery(ErrorCode)
        /// A reset was started and waits to be completed.
        case reset
        /// Everything was erased: a new wallet can be created.
        case erased
    }

    /// Seed 002's five states.
    public let state: VaultSnapshot.AppUnlockState
    /// What is on the screen.
    public let screen: Screen
    /// Consecutive failed prompts.
    public let failedAttempts: UInt32
    /// Consecutive wrong PINs or passwords.
    public let failedSecrets: UInt32
    /// The refusal of the last call, until the next one or `resetError`.
    public let error: UserError?
    /// Why biometrics are not enough; nil when they are, and while a session is open.
    public let reason: StrongFactorReason?
    /// The message to show: the error, otherwise the reason if it is worth showing.
    public let notice: UserError?
    /// A warning that the PIN or password is too short for the device's current assurance; nil when it isn't.
    ///
    /// While the vault is locked the PIN's length is unknown, so every PIN gets the warning. In an open session it is
    /// certain, and the app offers to change it.
    public let secretAdvice: String?
    /// The sensor that a tap would use; nil when the policy would not allow biometrics.
    public let biometry: BiometricCapability.BiometryType?
    /// What the open session may do.
    public let scope: SessionScope?
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// Whether to cover the app's content, before the system takes a snapshot for the app switcher (A37).
    public let isCovered: Bool
}

extension AppUnlockFields {
    /// The facts that the vault does not know.
    public struct Surroundings: Hashable, Sendable {
        /// The app's phase.
        public var phase: AppPhase
        /// Whether the app left the foreground, and no snapshot shows yet that the vault knows.
        public var awaitsCover = false
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// Whether everything was erased.
        public var isErased = false
        /// Whether revoked biometrics can be turned on again with one tap.
        public var hasOffer = false
        /// The extra question to the owner of a half-migrated vault.
        public var completion: CompletionStep?
        /// The question to the owner of an older copy; nil once it was answered.
        public var olderCopy: OlderCopyStep?
        /// The refusal of the last call.
        public var refusal: ErrorCode?

        /// Creates the facts from phase and language; set the others as needed.
        public init(phase: AppPhase = .inactive, language: Language = .english) {
            self.phase = phase
            self.language = language
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        isBusy = around.isBusy
        guard let snapshot else {
            (state, screen, failedAttempts, failedSecrets) = (.locked, .opening, 0, 0)
            (error, reason, notice, secretAdvice, biometry, scope, isCovered) = (nil, nil, nil, nil, nil, nil, true)
            return
        }
        state = snapshot.appUnlockState
        scope = snapshot.state.scope
        screen = around.isErased ? .erased : Self.screen(snapshot, around)
        failedAttempts = snapshot.failedBiometricAttempts
        failedSecrets = snapshot.failedAttempts
        isCovered = around.phase != .active || around.awaitsCover || snapshot.isCovered
        let isOpen = snapshot.state.hasSession
        biometry = isOpen || snapshot.decision != .promptBiometrics ? nil : snapshot.capability.biometryType
        reason = Self.reason(snapshot)
        secretAdvice = snapshot.asksForLongerSecret ? Words.longerSecret.in(around.language) : nil
        error = around.refusal.map { UserError($0, snapshot, in: around.language) }
        notice = error ?? Self.worthSaying(on: screen, reason).map { UserError($0, snapshot, in: around.language) }
    }

    /// Returns the message when nothing was refused; the other screens show their cause themselves.
    private static func worthSaying(on screen: Screen, _ reason: StrongFactorReason?) -> ErrorCode? {
        switch screen {
        case .secret: reason?.notice
        case .reopen: .systemPromptEnded
        case .opening, .content, .offer, .completion, .olderCopy, .prompt, .system, .wait, .recovery, .reset, .erased:
            nil
        }
    }

    private static func screen(_ snapshot: VaultSnapshot, _ around: Surroundings) -> Screen {
        let screen = screen(snapshot, hasOffer: around.hasOffer)
        if let step = around.olderCopy, snapshot.isOpenOlderCopy, screen == .content { return .olderCopy(step) }
        guard let step = around.completion, snapshot.migration == .half else { return screen }
        switch screen {
        case .content, .secret: return .completion(step)
        case .opening, .offer, .completion, .olderCopy, .prompt, .system, .reopen, .wait, .recovery, .reset, .erased:
            return screen
        }
    }

    private static func screen(_ snapshot: VaultSnapshot, hasOffer: Bool) -> Screen {
        if snapshot.condition == .resetPending { return .reset }
        switch snapshot.state {
        case .unlocked, .verifyingStrongFactor(_, resuming: .some), .promptingSystem(resuming: .some),
            .promptingBiometrics(resuming: .some):
            return hasOffer ? .offer : .content
        case .promptingBiometrics(resuming: nil), .promptingSystem(resuming: nil): return .prompt
        case .closedUntilReopened: return .reopen
        case .locked, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor(_, resuming: nil): break
        }
        if snapshot.condition == .keyMissing {
            // A half-migrated vault has no recovery key; the former PIN opens it, and counting restarts with the
            // key.
            return snapshot.migration == .half ? .secret : .recovery(.keyMissing)
        }
        if snapshot.condition == .ledgerDamaged { return .recovery(.vaultDamaged) }
        if snapshot.condition == .diskFull { return .recovery(.diskFull) }
        if snapshot.mode == .system { return .system }
        switch snapshot.nextAttempt {
        case .allowed: return .secret
        case .wait(let remaining): return .wait(Countdown(remaining))
        case .suspended: return .recovery(.localSecretSuspended)
        }
    }

    private static func reason(_ snapshot: VaultSnapshot) -> StrongFactorReason? {
        switch (snapshot.state, snapshot.decision) {
        case (.requiresStrongFactor(let reason), _): reason
        case (.locked, .requireStrongFactor(let reason)), (.biometricsFailed, .requireStrongFactor(let reason)): reason
        case (.locked, _), (.biometricsFailed, _), (.promptingBiometrics, _), (.verifyingStrongFactor, _),
            (.promptingSystem, _), (.closedUntilReopened, _), (.unlocked, _):
            nil
        }
    }
}

extension StrongFactorReason {
    /// The message on a screen that asks for the PIN; nil when the user expects to be asked.
    fileprivate var notice: ErrorCode? {
        switch self {
        case .biometricsDisabled, .fallbackChosen: nil
        case .ledgerUnreliable, .policyEpochOld, .serverUnheard, .rebooted, .clockIncoherent, .idle, .strongFactorAged,
            .lockedOut, .tooManyMismatches, .biometricsChanged, .reinstalled, .biometricsUnavailable,
            .eventsUndelivered, .cancelled, .unclassified, .unexpectedEvent:
            errorCode
        }
    }
}
