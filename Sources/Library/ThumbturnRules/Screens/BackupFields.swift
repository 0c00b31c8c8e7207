/// What the screen of backups shows.
public struct BackupFields: Hashable, Sendable {
    /// The progress of a backup.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The screen says what a backup is, and when the last one was made.
        case start
        /// The owner's secret is asked for, or in system mode a button shows the system's prompt.
        case secret
        /// The backup is being written.
        case running
        /// The backup was written.
        case made
    }

    /// The progress of a backup.
    public let step: Step
    /// How many wallets are written; nil before the first report, which comes every 64 wallets.
    public let done: Int?
    /// How many wallets there are in all.
    public let total: Int
    /// The file that was written; nil before `made`.
    public let path: String?
    /// When a backup of the present wallets was made, in milliseconds since 1970; nil for none, or one that is older
    /// than what changed since.
    public let madeAt: Milliseconds?
    /// Why no backup can be made; nil when one can.
    public let obstacle: ErrorCode?
    /// What to remind the owner of; nil for nothing, or not now.
    public let advice: BackupAdvice?
    /// Whether the system's prompt proves the owner, and there is no PIN or password.
    public let asksSystem: Bool
    /// Whether a call is in progress, or the vault is still being read.
    public let loading: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
}

extension BackupFields {
    /// The facts that the snapshot does not have.
    public struct Surroundings: Hashable, Sendable {
        /// The progress of a backup.
        public var step: Step
        /// How many wallets are written; nil before the first report.
        public var done: Int?
        /// The file that was written.
        public var path: String?
        /// When a backup of the present wallets was made; nil for none.
        public var madeAt: Milliseconds?
        /// Whether the owner is paying, which no reminder interrupts.
        public var isPaying = false
        /// What the owner does not want to be reminded of now.
        public var dismissed: BackupAdvice?
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
        done = step == .running ? around.done : nil
        total = snapshot?.walletCount ?? 0
        path = step == .made ? around.path : nil
        madeAt = around.madeAt
        obstacle = snapshot.flatMap { $0.hasRecoveryKey ? nil : .recoveryMissing }
        advice = snapshot.flatMap { snapshot in
            let advice = BackupAdvice(snapshot, backedUpAt: around.madeAt, isPaying: around.isPaying)
            return advice == around.dismissed ? nil : advice
        }
        asksSystem = snapshot?.mode == .system
        loading = around.isBusy || snapshot == nil
        error = snapshot.flatMap { snapshot in
            around.refusal.map { UserError($0, snapshot, in: around.language) }
        }
    }
}
