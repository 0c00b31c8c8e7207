/// What the settings show about system authentication (S-01, S-04, S-05).
public struct SystemSettingsFields: Hashable, Sendable {
    /// The progress of a change of mode.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The warning is shown; agreeing continues.
        case warning
        /// The PIN or password that is being replaced is asked for.
        case secret
        /// A new PIN or password is asked for.
        case newSecret
        /// The new PIN or password is asked for again.
        case repeated
        /// The PIN or password is asked for, to create the recovery key that must exist first (C15).
        case recoverySecret
        /// The recovery key is shown, to be written down.
        case recoveryKey
        /// The recovery key is asked for, to confirm it.
        case recoveryKeyTyped
    }

    /// Whether the vault is in system mode.
    public let isOn: Bool
    /// Whether a call is in progress, or the vault is still being read.
    public let loading: Bool
    /// Whether to show anything: an offer of the feature flag, or something to turn off (S-01).
    public let isShown: Bool
    /// Why system authentication can't be turned on; nil when it can, or is on.
    public let obstacle: ErrorCode?
    /// The progress of a change.
    public let step: Step
    /// The sensor that may prove the owner instead of the PIN or password, at `.secret`; nil when the policy does not
    /// allow that, or biometrics are off (C15).
    public let biometry: BiometricCapability.BiometryType?
    /// The refusal of the last call, until the next one.
    public let error: UserError?

    /// The warning to show before the change.
    public let warning: SystemModeWarning
}

extension SystemSettingsFields {
    /// The facts that the vault does not know.
    public struct Surroundings: Hashable, Sendable {
        /// The result of `Vault.obstacleToSystemAuthentication`; nil when system authentication can be turned on.
        public var obstacle: ErrorCode?
        /// The progress of a change.
        public var step: Step
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// The refusal of the last call.
        public var refusal: ErrorCode?

        /// Creates the facts from the obstacle, the progress of a change, and the language.
        public init(obstacle: ErrorCode? = nil, step: Step = .warning, language: Language = .english) {
            self.obstacle = obstacle
            self.step = step
            self.language = language
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        step = around.step
        guard let snapshot else {
            (isOn, loading, isShown, obstacle, error) = (false, true, false, .systemModeNotOffered, nil)
            biometry = nil
            warning = .enabling
            return
        }
        isOn = snapshot.mode == .system
        loading = around.isBusy
        isShown = isOn || around.obstacle != .systemModeNotOffered
        obstacle = isOn ? nil : around.obstacle
        let isAllowed =
            snapshot.policy.allowsSystemModeFromBiometrics && snapshot.biometrics == .enabled
            && snapshot.systemModeWarning == .enabling
        let isAsked = isAllowed && snapshot.capability.reasonIfUnavailable == nil && step == .secret && !isOn
        biometry = isAsked ? snapshot.capability.biometryType : nil
        warning = isOn ? .disabling : snapshot.systemModeWarning
        error = around.refusal.map { UserError($0, snapshot, in: around.language) }
    }
}

extension VaultSnapshot {
    /// The warning to show before system authentication is turned on: without a recovery key, where the policy allows
    /// that, it says what that costs.
    package var systemModeWarning: SystemModeWarning {
        let hasRecoveryKey = slots.contains { $0.kind == .recovery }
        return hasRecoveryKey || !policy.allowsSystemModeWithoutRecovery ? .enabling : .enablingWithoutRecovery
    }
}
