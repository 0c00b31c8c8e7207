public import ThumbturnRules

/// What the screen shows on which a vault follows its account's service to another address.
public struct AccountMoveFields: Hashable, Sendable {
    /// The progress.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The owner is asked whether the service has moved.
        case question
        /// The password is asked for: only a login there can prove that it is the same service.
        case password
        /// The vault uses the other address from now on.
        case done
    }

    /// The two addresses: scheme, host and port.
    public struct Addresses: Hashable, Sendable {
        /// Where the vault knows the service.
        public var known: String
        /// Where it is asked now.
        public var asked: String

        /// Creates them.
        public init(known: String, asked: String) { (self.known, self.asked) = (known, asked) }
    }

    /// The progress.
    public let step: Step
    /// The addresses.
    public let addresses: Addresses
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
    /// How long the service asks to wait before the next password; nil when it does not.
    public let wait: Countdown?

    /// Derives what to show.
    public init(_ step: Step, _ addresses: Addresses, _ around: AccountSurroundings) {
        (self.step, self.addresses) = (step, addresses)
        (isBusy, error, wait) = (around.isBusy, around.error, around.countdown)
    }
}
