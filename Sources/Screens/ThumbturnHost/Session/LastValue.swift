import ThumbturnCrypto

/// The value that a script reads on a thread of its own; none while a vault is being opened for it.
///
/// A script opens without waiting, and what the former vault shows must not pass for the new one's.
public final class LastValue: @unchecked Sendable {
    // Safe to share: what changes is under the lock.
    private let lock = Lock()
    private var last: String?
    private var openings = 0

    /// Creates none.
    public init() {}

    /// What was shown last; nil before that, and while a script waits for its vault.
    public var text: String? { lock.withLock { openings == 0 ? last : nil } }

    /// Shows another value, or none.
    public func show(_ text: String?) { lock.withLock { last = text } }

    /// A script has asked for its vault.
    public func opens() { lock.withLock { openings += 1 } }

    /// `SharedHost.open(_:changed:)` was called for it.
    public func opened() { lock.withLock { openings -= 1 } }
}
