/// The facts that the policy needs to decide about a biometric unlock; seed 002 §4.1.
///
/// The limits are the policy's; if the context has one too, the stricter applies.
public struct UnlockPolicyContext: Hashable, Sendable {
    /// The state of the biometric slot.
    public enum BiometricSlot: Hashable, Sendable {
        /// There is no slot.
        case none
        /// There is a slot, and nothing prevents its use.
        case ready
        /// There is a slot, and it was revoked.
        case revoked(RevocationReason)
    }

    /// The vault's unlock mode.
    public var mode = UnlockMode.local
    /// The current clock reading.
    public var now: ClockReading
    /// The last strong unlock.
    public var lastStrongAuthentication: ClockReading?
    /// The last time that the vault was used in the foreground.
    public var lastUse: ClockReading?
    /// Consecutive failed prompts.
    public var failedBiometricAttempts: UInt32 = 0
    /// Whether the system's own lockout occurred since the last strong unlock.
    public var wasLockedOut = false
    /// Whether the ledger with these facts can be believed.
    public var ledgerIsReliable = true
    /// Whether the store could be read.
    public var storageIsReadable = true
    /// Whether a reset was started.
    public var resetIsPending = false
    /// The biometric slot.
    public var biometricSlot = BiometricSlot.none
    /// The sensor.
    public var capability: BiometricCapability
    /// Whether biometrics were enabled under the account's current password.
    public var policyEpochIsCurrent = true
    /// The time of the server's last answer; nil when there is no server.
    public var lastServerContact: ClockReading?
    /// How many events wait for the account's service; 0 without an account.
    public var undeliveredEvents: UInt64 = 0
    /// When the account's password was last changed, in milliseconds since 1970; nil if unknown.
    public var passwordChangedAt: Milliseconds?
    /// The number of consecutive prompts that may fail; nil for the policy's limit.
    public var maxAttempts: UInt32?
    /// The idle time after which the strong factor is required; nil for the policy's limit.
    public var inactivityTimeout: Milliseconds?

    /// Creates a context for a vault that was never used.
    public init(now: ClockReading, capability: BiometricCapability) {
        self.now = now
        self.capability = capability
    }

    /// When this boot began, in milliseconds since 1970, by the current clocks.
    public var appBoot: Milliseconds { now.wall - now.boottime }

    /// Whether the device was rebooted since the last strong unlock.
    public var deviceRebootDetected: Bool {
        lastStrongAuthentication.map { ClockReading.relation(from: $0, to: now) == .rebooted } ?? false
    }
}

extension VaultPolicy {
    /// Decides whether a prompt may open the vault now: biometrics, or in system mode the system's own.
    ///
    /// Called before the prompt, and again before the session is published.
    ///
    /// The order is the design's: facts that determine how far to trust the others come first. In system mode neither
    /// failures nor time matter (C3, S-06).
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
            ?? deliveryReason(context)
    }

    /// Returns whether the account's server has been silent for longer than the policy allows.
    package func isUnheard(_ context: UnlockPolicyContext) -> Bool { serverReason(context) == .serverUnheard }

    private func serverReason(_ context: UnlockPolicyContext) -> StrongFactorReason? {
        guard let maxOfflineAge else { return nil }
        guard let contact = context.lastServerContact else { return .serverUnheard }
        // Within one boot, setting the wall clock does not change the age of the answer: an inconsistent clock is a
        // separate reason. For an answer from an earlier boot, only wall time is available.
        let sameBoot = contact.bootID == context.now.bootID
        let age = sameBoot ? context.now.boottime - contact.boottime : context.now.wall - contact.wall
        // An implausible clock requires the password, but is not the server's silence: it disables nothing.
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
        // Check the system's own lockout first, so that it is always reported and the machine can record it.
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

    /// The events of an account's device that may wait for its service until a finger is not enough (F-107-10).
    package static let mostUndelivered: UInt64 = 10_000

    /// Nothing is dropped, and whoever keeps the service away gains nothing by it: the strong factor goes on opening.
    private func deliveryReason(_ context: UnlockPolicyContext) -> StrongFactorReason? {
        strongFactor == .accountPassword && context.undeliveredEvents >= Self.mostUndelivered ? .eventsUndelivered : nil
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

    /// Returns whether strictly more than `limit` may have passed; after a reboot that can't be ruled out.
    fileprivate func mayExceed(_ limit: Milliseconds) -> Bool {
        switch self {
        case .elapsed(_, let most): most > limit
        case .wallMoved(let boottime): boottime > limit
        case .backward, .rebooted: true
        }
    }
}

extension RevocationReason {
    /// The reason that the unlock screen shows once the slot is gone.
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
