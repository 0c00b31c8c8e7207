/// What the screen of the recovery key shows.
///
/// Contains no key; the model lends it while it is shown.
public struct RecoveryKeyFields: Hashable, Sendable {
    /// The progress of creating or confirming a recovery key.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The screen says what a recovery key is for, and what there is already.
        case start
        /// The owner's secret is asked for, or in system mode a button shows the system's prompt.
        case secret
        /// The key is shown, to be written down.
        case key
        /// The key is asked for, to confirm it.
        case typed
        /// The key was confirmed, and opens the vault from now on.
        case done
    }

    /// The progress of creating or confirming a recovery key.
    public let step: Step
    /// Whether a confirmed recovery key exists; a new one replaces it.
    public let hasKey: Bool
    /// Whether a key was shown that was never typed back: it opens nothing until then.
    public let awaitsCheck: Bool
    /// Whether the screen is being recorded or shown elsewhere, so that the key may not be on it.
    public let isHidden: Bool
    /// Whether the system's prompt proves the owner, and there is no PIN or password.
    public let asksSystem: Bool
    /// Whether a call is in progress, or the vault is still being read.
    public let loading: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
}

extension RecoveryKeyFields {
    /// The facts that the vault does not know.
    public struct Surroundings: Hashable, Sendable {
        /// The progress of creating or confirming a recovery key.
        public var step: Step
        /// Whether the screen is being recorded or shown elsewhere.
        public var isCaptured = false
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// The refusal of the last call.
        public var refusal: ErrorCode?

        /// Creates the facts from progress and language; set the others as needed.
        public init(step: Step = .start, language: Language = .english) {
            self.step = step
            self.language = language
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        step = around.step
        hasKey = snapshot?.hasRecoveryKey ?? false
        awaitsCheck = snapshot?.recoveryKeyAwaitsCheck ?? false
        isHidden = around.isCaptured
        asksSystem = snapshot?.mode == .system
        loading = around.isBusy || snapshot == nil
        error = snapshot.flatMap { snapshot in
            around.refusal.map { UserError($0, snapshot, in: around.language) }
        }
    }
}

extension VaultSnapshot {
    /// Whether a confirmed recovery key opens the vault.
    package var hasRecoveryKey: Bool { slots.contains { $0.kind == .recovery } }
}
