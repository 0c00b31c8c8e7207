/// What an unlock screen shows: the fields of seed 002's `useAppUnlock`, and what goes with them (P-107-03).
///
/// No secret is in it, and nothing that follows from one: of what was typed not even the length.
public struct AppUnlockFields: Hashable, Sendable {
    /// What is on the screen.
    @nonexhaustive
    public enum Screen: Hashable, Sendable {
        /// Nothing is known of the vault yet.
        case opening
        /// The app's own content: a session is open.
        case content
        /// A session is open, and biometrics, which were taken away, can be turned on again with one tap.
        case offer
        /// A former app's wallet is half moved, and its owner is asked for what finishes that (K-08).
        case completion(CompletionStep)
        /// An older copy was put back, and its owner is asked whether it is to be the vault; until then it only exports.
        case olderCopy(OlderCopyStep)
        /// The system's prompt is up.
        case prompt
        /// The PIN or password is asked for.
        case secret
        /// What the device itself asks for is all that opens: a tap shows the system's prompt (S-06).
        case system
        /// The system's prompt ended without the owner: close the app and open it again, or erase everything (S-06).
        case reopen
        /// The PIN or password was wrong too often: this long nobody may try.
        case wait(Countdown)
        /// Only the recovery key opens, for this reason.
        case recovery(ErrorCode)
        /// A reset was begun and waits to be completed.
        case reset
        /// Everything was erased: a new wallet can be made.
        case erased
    }

    /// Seed 002's five states.
    public let state: VaultSnapshot.AppUnlockState
    /// What is on the screen.
    public let screen: Screen
    /// Failed prompts in a row.
    public let failedAttempts: UInt32
    /// Wrong PINs or passwords in a row.
    public let failedSecrets: UInt32
    /// What the last call was refused with, until the next one or `resetError`.
    public let error: UserError?
    /// Why biometrics are not enough; nil when they are, and while a session is open.
    public let reason: StrongFactorReason?
    /// What to say on the screen: the error, else the reason where it is worth saying.
    public let notice: UserError?
    /// What to say of a PIN or password that is too short for what the device is worth now; nil where it isn't.
    ///
    /// While the vault is locked its PIN's length is unknown, so this is said of every PIN. In an open session it is certain,
    /// and the app offers a new one.
    public let secretAdvice: String?
    /// The sensor that a tap would ask; nil when biometrics would not be allowed.
    public let biometry: BiometricCapability.BiometryType?
    /// What the open session may do.
    public let scope: SessionScope?
    /// Whether a call is under way.
    public let isBusy: Bool
    /// Whether what the app shows is to be covered, before the system takes its picture for the app switcher (A37).
    public let isCovered: Bool
}

extension AppUnlockFields {
    /// What is not the vault's to know.
    public struct Surroundings: Hashable, Sendable {
        /// Where the app stands.
        public var phase: AppPhase
        /// Whether the app left, and no snapshot has shown yet that the vault knows.
        public var awaitsCover = false
        /// The language of messages.
        public var language: Language
        /// Whether a call is under way.
        public var isBusy = false
        /// Whether everything was erased.
        public var isErased = false
        /// Whether biometrics, which were taken away, can be turned on again with one tap.
        public var hasOffer = false
        /// What the owner of a half migrated vault is asked besides.
        public var completion: CompletionStep?
        /// What the owner of an older copy is asked; nil where that was answered.
        public var olderCopy: OlderCopyStep?
        /// What the last call was refused with.
        public var refusal: ErrorCode?

        /// Says where the app stands, and in which language it speaks; change what else differs.
        public init(phase: AppPhase = .inactive, language: Language = .english) {
            self.phase = phase
            self.language = language
        }
    }

    /// Says what is shown of a vault; nil is one that is being read.
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

    /// What to say where nothing was refused; the other screens say their cause themselves.
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
            // A half migrated vault has no recovery key; the former PIN opens it, and its count begins anew with the key.
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
    /// What a screen that asks for the PIN says about it; nothing where that is what the user expects.
    fileprivate var notice: ErrorCode? {
        switch self {
        case .biometricsDisabled, .fallbackChosen: nil
        case .ledgerUnreliable, .policyEpochOld, .serverUnheard, .rebooted, .clockIncoherent, .idle, .strongFactorAged,
            .lockedOut, .tooManyMismatches, .biometricsChanged, .reinstalled, .biometricsUnavailable, .cancelled,
            .unclassified, .unexpectedEvent:
            errorCode
        }
    }
}
