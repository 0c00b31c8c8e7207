/// How far a long work has come: what is done, and of how much.
public struct WorkProgress: Hashable, Sendable {
    /// Wallets done.
    public let done: Int
    /// Wallets in all.
    public let total: Int
}
