/// What the settings show of system authentication (S-01, S-04, S-05).
public struct SystemSettingsFields: Hashable, Sendable {
    /// How far a change of mode has come.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The warning is shown; agreeing goes on.
        case warning
        /// The PIN or password that is about to end is asked for.
        case secret
        /// A new PIN or password is asked for.
        case newSecret
        /// It is asked for again.
        case repeated
        /// The PIN or password is asked for, to make the recovery key that has to be there first (C15).
        case recoverySecret
        /// The recovery key is shown; its owner writes it down.
        case recoveryKey
        /// The recovery key is asked for, as it was written down.
        case recoveryKeyTyped
    }

    /// Whether the vault opens with what the device itself asks for.
    public let isOn: Bool
    /// Whether a call is under way, or nothing is known yet.
    public let loading: Bool
    /// Whether there is anything to show: an offer of the feature flag, or something to turn off (S-01).
    public let isShown: Bool
    /// Why it can't be turned on; nil when it can, or is on.
    public let obstacle: ErrorCode?
    /// How far a change has come.
    public let step: Step
    /// What the last call was refused with, until the next one.
    public let error: UserError?

    /// What the owner has to be told before going on.
    public var warning: SystemModeWarning { isOn ? .disabling : .enabling }
}

extension SystemSettingsFields {
    /// What is not the vault's to know.
    public struct Surroundings: Hashable, Sendable {
        /// Why it can't be turned on, as `Vault.obstacleToSystemAuthentication` says; nil when it can.
        public var obstacle: ErrorCode?
        /// How far a change has come.
        public var step: Step
        /// The language of messages.
        public var language: Language
        /// Whether a call is under way.
        public var isBusy = false
        /// What the last call was refused with.
        public var refusal: ErrorCode?

        /// Says what stands against it, how far a change has come, and in which language the app speaks.
        public init(obstacle: ErrorCode? = nil, step: Step = .warning, language: Language = .english) {
            self.obstacle = obstacle
            self.step = step
            self.language = language
        }
    }

    /// Says what is shown of a vault; nil is one that is being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        step = around.step
        guard let snapshot else {
            (isOn, loading, isShown, obstacle, error) = (false, true, false, .systemModeNotOffered, nil)
            return
        }
        isOn = snapshot.mode == .system
        loading = around.isBusy
        isShown = isOn || around.obstacle != .systemModeNotOffered
        obstacle = isOn ? nil : around.obstacle
        error = around.refusal.map { UserError($0, snapshot, in: around.language) }
    }
}
