/// All that the policy needs to know to decide about a biometric unlock; seed 002 §4.1.
///
/// The limits are the policy's; where the context names one too, the stricter of both holds.
public struct UnlockPolicyContext: Hashable, Sendable {
    /// Where the biometric slot stands.
    public enum BiometricSlot: Hashable, Sendable {
        /// There is none.
        case none
        /// There is one, and nothing speaks against it.
        case ready
        /// There is one, and it was taken away.
        case revoked(RevocationReason)
    }

    /// The way in that the vault asks for.
    public var mode = UnlockMode.local
    /// What the clocks say now.
    public var now: ClockReading
    /// The last strong unlock.
    public var lastStrongAuthentication: ClockReading?
    /// The last time the vault was in use in the foreground.
    public var lastUse: ClockReading?
    /// Failed prompts in a row.
    public var failedBiometricAttempts: UInt32 = 0
    /// Whether the system's own lockout was met since the last strong unlock.
    public var wasLockedOut = false
    /// Whether the ledger these facts come from can be believed.
    public var ledgerIsReliable = true
    /// Whether the store could be read.
    public var storageIsReadable = true
    /// Whether a reset was begun.
    public var resetIsPending = false
    /// The biometric slot.
    public var biometricSlot = BiometricSlot.none
    /// The sensor.
    public var capability: BiometricCapability
    /// Whether the account's password is the one that biometrics were enabled under.
    public var policyEpochIsCurrent = true
    /// The server's last word; nil where there is no server.
    public var lastServerContact: ClockReading?
    /// When the account's password was last changed, in milliseconds since 1970; nil where that is not known.
    public var passwordChangedAt: Milliseconds?
    /// How many prompts in a row may fail; nil leaves it to the policy.
    public var maxAttempts: UInt32?
    /// How long the vault may stay unused before the strong factor is asked for; nil leaves it to the policy.
    public var inactivityTimeout: Milliseconds?

    /// Makes a context of a vault that was never used.
    public init(now: ClockReading, capability: BiometricCapability) {
        self.now = now
        self.capability = capability
    }

    /// When this boot began, in milliseconds since 1970, by the clocks as they stand.
    public var appBoot: Milliseconds { now.wall - now.boottime }

    /// Whether the device was started anew since the last strong unlock.
    public var deviceRebootDetected: Bool {
        lastStrongAuthentication.map { ClockReading.relation(from: $0, to: now) == .rebooted } ?? false
    }
}

extension VaultPolicy {
    /// Decides whether a prompt may open the vault now: biometrics, or in system mode the system's own.
    ///
    /// Called before the prompt, and again before the session is published.
    ///
    /// The order is the design's: the more a fact says about the trustworthiness of the others, the earlier it stands. In
    /// system mode neither failures nor time demand anything (C3, S-06).
    package func decision(for context: UnlockPolicyContext) -> UnlockDecision {
        guard context.storageIsReadable else { return .storageUnavailable }
        guard !context.resetIsPending else { return .resetPending }
        if context.mode == .system { return allowsSystemMode ? .promptSystem : .requireStrongFactor(.unclassified) }
        if case .none = context.biometricSlot { return .requireStrongFactor(.biometricsDisabled) }
        if let reason = reasonForStrongFactor(context) { return .requireStrongFactor(reason) }
        return .promptBiometrics
    }

    private func reasonForStrongFactor(_ context: UnlockPolicyContext) -> StrongFactorReason? {
        guard context.ledgerIsReliable else { return .ledgerUnreliable }
        guard context.policyEpochIsCurrent, !context.passwordIsNewer else { return .policyEpochOld }
        return serverReason(context) ?? timeReason(context) ?? lockoutReason(context) ?? slotReason(context)
    }

    /// Whether the account's server has been silent for longer than it may be.
    package func isUnheard(_ context: UnlockPolicyContext) -> Bool { serverReason(context) == .serverUnheard }

    private func serverReason(_ context: UnlockPolicyContext) -> StrongFactorReason? {
        guard let maxOfflineAge else { return nil }
        guard let contact = context.lastServerContact else { return .serverUnheard }
        // Within one boot no setting of the wall clock makes the word older or younger: an incoherent clock is a reason of
        // its own. A word from an earlier boot leaves only wall time.
        let sameBoot = contact.bootID == context.now.bootID
        let age = sameBoot ? context.now.boottime - contact.boottime : context.now.wall - contact.wall
        // A clock that makes no sense demands the password, and is no silence of the server's: nothing is disabled for it.
        if age < .zero - TimeRelation.tolerance { return .clockIncoherent }
        return age > maxOfflineAge ? .serverUnheard : nil
    }

    private func timeReason(_ context: UnlockPolicyContext) -> StrongFactorReason? {
        guard let strong = context.lastStrongAuthentication, let used = context.lastUse else { return .unclassified }
        let sinceStrong = ClockReading.relation(from: strong, to: context.now)
        let sinceUse = ClockReading.relation(from: used, to: context.now)
        if sinceStrong == .rebooted, strongFactorAfterReboot { return .rebooted }
        if sinceStrong.isIncoherent || sinceUse.isIncoherent { return .clockIncoherent }
        let mostIdle = [strongFactorAfterIdle, context.inactivityTimeout].compactMap { $0 }.min()
        if let mostIdle, sinceUse.mayExceed(mostIdle) { return .idle }
        if let strongFactorMaxAge, sinceStrong.mayExceed(strongFactorMaxAge) { return .strongFactorAged }
        return nil
    }

    private func lockoutReason(_ context: UnlockPolicyContext) -> StrongFactorReason? {
        // The system's own lockout comes first, so that it is never shadowed and the machine can keep it.
        if context.wasLockedOut || context.capability.reasonIfUnavailable == .lockedOut { return .lockedOut }
        let most = min(biometricFailureLimit, context.maxAttempts ?? .max)
        return context.failedBiometricAttempts >= most ? .tooManyMismatches : nil
    }

    private func slotReason(_ context: UnlockPolicyContext) -> StrongFactorReason? {
        switch context.biometricSlot {
        case .none: .biometricsDisabled
        case .ready: context.capability.available ? nil : .biometricsUnavailable
        case .revoked(let reason): reason.strongFactorReason
        }
    }
}

extension UnlockPolicyContext {
    /// Whether the password was changed after it was last proved here.
    fileprivate var passwordIsNewer: Bool {
        guard let passwordChangedAt else { return false }
        return lastStrongAuthentication.map { $0.wall < passwordChangedAt } ?? true
    }
}

extension TimeRelation {
    fileprivate var isIncoherent: Bool {
        switch self {
        case .backward, .wallMoved: true
        case .elapsed, .rebooted: false
        }
    }

    /// Whether strictly more than `limit` may have passed; across a reboot nobody can say that it has not.
    fileprivate func mayExceed(_ limit: Milliseconds) -> Bool {
        switch self {
        case .elapsed(_, let most): most > limit
        case .wallMoved(let boottime): boottime > limit
        case .backward, .rebooted: true
        }
    }
}

extension RevocationReason {
    /// What the unlock screen says once the slot is gone.
    package var strongFactorReason: StrongFactorReason {
        switch self {
        case .biometricsChanged: .biometricsChanged
        case .reinstalled: .reinstalled
        case .passwordChanged: .policyEpochOld
        case .serverWordMissing: .serverUnheard
        case .disabledByOwner: .biometricsDisabled
        }
    }
}
