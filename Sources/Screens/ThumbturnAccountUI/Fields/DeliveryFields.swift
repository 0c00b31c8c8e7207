public import ThumbturnRules

/// The line of an app's settings that tells how far the account's log has what happened on this device (F-107-10).
public struct DeliveryFields: Hashable, Sendable {
    /// Why events wait though the service may be reachable.
    @nonexhaustive
    public enum Obstacle: Hashable, Sendable, CaseIterable {
        /// A login has to tell of the log, or list this device.
        case needsLogin
        /// The service refuses the events.
        case refused
        /// The service's log contradicts what it signed; nothing more is sent.
        case contradicted
    }

    /// What the vault knows of its deliveries.
    public struct Waiting: Hashable, Sendable {
        /// How many events wait.
        public var count: UInt64
        /// When the service last took any, in milliseconds since 1970; nil before the first.
        public var lastSent: Milliseconds?
        /// Why they wait.
        public var obstacle: Obstacle?

        /// Creates what is known.
        public init(count: UInt64, lastSent: Milliseconds? = nil, obstacle: Obstacle? = nil) {
            (self.count, self.lastSent, self.obstacle) = (count, lastSent, obstacle)
        }
    }

    /// Whether to show anything: the vault has an account.
    public let isShown: Bool
    /// How many events wait.
    public let count: UInt64
    /// When the service last took any, such as `2026-11-30 14:05` (UTC); nil before the first.
    public let lastSent: String?
    /// Why events wait though the service may be reachable.
    public let obstacle: Obstacle?
    /// Whether events can be sent now by hand.
    public let maySend: Bool
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?

    /// Derives what to show; nil is a vault without an account, or one that is still being read.
    public init(_ waiting: Waiting?, _ around: AccountSurroundings) {
        isShown = waiting != nil
        count = waiting?.count ?? 0
        lastSent = waiting?.lastSent.map { DeliveryFields.text(of: $0) }
        obstacle = waiting?.obstacle
        maySend = count > 0 && (obstacle == nil || obstacle == .refused) && !around.isBusy
        (isBusy, error) = (around.isBusy, around.error)
    }

    private static func text(of time: Milliseconds) -> String {
        let text = time.utcText
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }
}

extension Words {
    /// Says why events wait.
    init(_ obstacle: DeliveryFields.Obstacle) {
        switch obstacle {
        case .needsLogin: self = .logNeedsLogin
        case .refused: self = .logRefuses
        case .contradicted: self = .logContradicts
        }
    }
}
