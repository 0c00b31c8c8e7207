/// The progress of a long operation: how many are done, and of how many.
public struct WorkProgress: Hashable, Sendable {
    /// Wallets done.
    public let done: Int
    /// Wallets in all.
    public let total: Int
}
