public import ThumbturnRules

/// What the screen shows on which a device enters an account: registers it, or logs in.
///
/// Contains no secret and nothing derived from one, not even the length of the input.
public struct AccountEntryFields: Hashable, Sendable {
    /// The two ways into an account.
    public enum Way: Hashable, Sendable, CaseIterable {
        /// A new account.
        case register
        /// An account that another device registered.
        case logIn
    }

    /// The progress.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// Whether to register or to log in is asked.
        case way
        /// The name of the account is asked for.
        case name
        /// The password is asked for.
        case password
        /// A new password is asked for again.
        case repeated
        /// The vault is there and open, and biometrics are offered (B-02).
        case offer
        /// The offer was answered so late that the password is asked for again.
        case offerPassword
        /// All is done.
        case done
    }

    /// The progress.
    public let step: Step
    /// The chosen way.
    public let way: Way
    /// The chosen name.
    public let name: String
    /// Whether the password has characters that another keyboard may type as other bytes.
    public let isUnusual: Bool
    /// Whether the registration found an account of this name and password, and joined it.
    public let existed: Bool
    /// The sensor that is offered; nil before the vault is there.
    public let capability: BiometricCapability?
    /// The policy that the offer falls under; nil before the vault is there.
    public let policy: VaultPolicy?
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
    /// How long the service asks to wait before the next password; nil when it does not.
    public let wait: Countdown?
}

extension AccountEntryFields {
    /// The facts of one entry.
    public struct Progress: Hashable, Sendable {
        /// The progress.
        public var step: Step
        /// The chosen way.
        public var way: Way
        /// The chosen name.
        public var name: String
        /// Whether the password has characters that another keyboard may type as other bytes.
        public var isUnusual = false
        /// Whether the registration found an account of this name and password.
        public var existed = false

        /// Creates the facts from step, way and name.
        public init(step: Step = .way, way: Way = .register, name: String = "") {
            (self.step, self.way, self.name) = (step, way, name)
        }
    }

    /// Derives what to show.
    public init(_ progress: Progress, _ around: AccountSurroundings) {
        (step, way, name) = (progress.step, progress.way, progress.name)
        (isUnusual, existed) = (progress.isUnusual, progress.existed)
        (capability, policy) = (around.snapshot?.capability, around.snapshot?.policy)
        (isBusy, error, wait) = (around.isBusy, around.error, around.countdown)
    }
}
