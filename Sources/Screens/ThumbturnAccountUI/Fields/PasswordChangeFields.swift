public import ThumbturnRules

/// What the screen shows on which an account's password is changed.
public struct PasswordChangeFields: Hashable, Sendable {
    /// The progress.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The present password is asked for.
        case present
        /// A new password is asked for.
        case new
        /// The new password is asked for again.
        case repeated
        /// The password was changed.
        case done
    }

    /// The progress.
    public let step: Step
    /// Whether the new password has characters that another keyboard may type as other bytes.
    public let isUnusual: Bool
    /// Whether the new password was the present one.
    public let isSame: Bool
    /// Whether either password may count now, because the service's answer was lost: a login tells.
    public let isUncertain: Bool
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
    /// How long the service asks to wait before the next password; nil when it does not.
    public let wait: Countdown?
}

extension PasswordChangeFields {
    /// The facts of one change.
    public struct Progress: Hashable, Sendable {
        /// The progress.
        public var step: Step
        /// Whether the new password has characters that another keyboard may type as other bytes.
        public var isUnusual = false
        /// Whether the new password was the present one.
        public var isSame = false
        /// Whether either password may count now.
        public var isUncertain = false

        /// Creates the facts from the step.
        public init(step: Step = .present) { self.step = step }
    }

    /// Derives what to show.
    public init(_ progress: Progress, _ around: AccountSurroundings) {
        (step, isUnusual) = (progress.step, progress.isUnusual)
        (isSame, isUncertain) = (progress.isSame, progress.isUncertain)
        (isBusy, error, wait) = (around.isBusy, around.error, around.countdown)
    }
}
