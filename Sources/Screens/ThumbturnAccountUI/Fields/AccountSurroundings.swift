public import ThumbturnRules

/// The facts that each of an account's screens is told beside its own.
public struct AccountSurroundings: Hashable, Sendable {
    /// The language of messages.
    public var language: Language
    /// Whether a call is in progress.
    public var isBusy = false
    /// The refusal of the last call.
    public var refusal: ErrorCode?
    /// How long the service asks to wait before the next password.
    public var wait: Milliseconds?
    /// The vault, as last seen; nil without one.
    public var snapshot: VaultSnapshot?

    /// Creates the facts from the language; set the others as needed.
    public init(language: Language = .english) { self.language = language }

    /// The refusal in words that name no PIN.
    var error: UserError? { refusal.map { UserError(ofAccount: $0, snapshot, in: language) } }
    /// The wait, as a screen shows it.
    var countdown: Countdown? { wait.map { Countdown($0) } }
}
