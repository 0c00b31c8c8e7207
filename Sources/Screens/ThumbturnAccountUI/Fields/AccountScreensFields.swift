public import ThumbturnRules

/// Which of an account's screens an app shows, from nothing to an open vault.
public struct AccountScreensFields: Hashable, Sendable {
    /// The screens.
    @nonexhaustive
    public enum Screen: Hashable, Sendable, CaseIterable {
        /// The device and its vault are being read.
        case opening
        /// There is no vault yet: register, or log in.
        case entry
        /// The vault knows the service at another address, and its owner is asked.
        case move
        /// The vault: its lock screen, or the app's own content.
        case vault
        /// Device or vault can't be read now, for the reason in `error`.
        case failed
    }

    /// The screen.
    public let screen: Screen
    /// Whether the service says that this device was removed from the account.
    public let isRemoved: Bool
    /// Whether the vault knows the service at another address, and its owner chose to stay: only a finger opens it.
    public let isElsewhere: Bool
    /// Why device or vault can't be read.
    public let error: UserError?
}

extension AccountScreensFields {
    /// The facts of the screens.
    public struct Progress: Hashable, Sendable {
        /// The screen.
        public var screen: Screen
        /// Whether the service says that this device was removed from the account.
        public var isRemoved = false
        /// Whether the vault knows the service at another address, and its owner chose to stay.
        public var isElsewhere = false

        /// Creates the facts from the screen.
        public init(screen: Screen = .opening) { self.screen = screen }
    }

    /// Derives what to show.
    public init(_ progress: Progress, _ around: AccountSurroundings) {
        screen = progress.screen
        isRemoved = progress.isRemoved && screen == .vault
        isElsewhere = progress.isElsewhere && screen == .vault
        error = around.error
    }
}
