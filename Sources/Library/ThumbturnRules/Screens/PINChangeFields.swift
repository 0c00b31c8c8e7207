/// What the screen for a new PIN or password shows.
///
/// Contains no secret, and no length of one.
public struct PINChangeFields: Hashable, Sendable {
    /// The progress of the change.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The present PIN or password is asked for.
        case present
        /// The new one is asked for.
        case new
        /// The new one is asked for again.
        case repeated
        /// The new one is in force.
        case done
    }

    /// The progress of the change.
    public let step: Step
    /// Why there is nothing to change: in system mode the vault has no PIN; nil otherwise.
    public let obstacle: ErrorCode?
    /// A warning that the present PIN or password may be too short for this device; nil when it isn't.
    public let advice: String?
    /// Whether biometrics are on; they stay on.
    public let keepsBiometrics: Bool
    /// Whether a call is in progress, or the vault is still being read.
    public let loading: Bool
    /// The refusal of the last call, or what is wrong with the new PIN or password, until the next call.
    public let error: UserError?
}

extension PINChangeFields {
    /// The facts that the vault does not know.
    public struct Surroundings: Hashable, Sendable {
        /// The progress of the change.
        public var step: Step
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// The refusal of the last call.
        public var refusal: ErrorCode?

        /// Creates the facts from progress and language; set the others as needed.
        public init(step: Step = .present, language: Language = .english) {
            self.step = step
            self.language = language
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        step = around.step
        obstacle = snapshot?.mode == .system ? .systemModeOnly : nil
        advice = snapshot?.asksForLongerSecret == true ? Words.longerSecret.in(around.language) : nil
        keepsBiometrics = snapshot?.biometrics == .enabled
        loading = around.isBusy || snapshot == nil
        error = snapshot.flatMap { snapshot in
            around.refusal.map { UserError($0, snapshot, in: around.language) }
        }
    }
}
