package import ThumbturnCrypto
package import ThumbturnRules

/// An action that was read: one call of a model, which decides.
package struct HostedAction {
    /// Whether a secret comes beside it.
    package let takesSecret: Bool
    /// Calls the model.
    package let perform: @MainActor (HeldSecret?) async -> HostReply

    /// Creates an action.
    package init(takesSecret: Bool, perform: @escaping @MainActor (HeldSecret?) async -> HostReply) {
        (self.takesSecret, self.perform) = (takesSecret, perform)
    }
}

/// What a model gives.
package struct HostReply: Sendable {
    /// Why the model refused; nil if it didn't.
    package let error: UserError?
    /// What was asked for.
    package let secret: HeldSecret?

    /// Done, or refused.
    package init(_ error: UserError?) { (self.error, secret) = (error, nil) }

    /// Given.
    package init(_ secret: HeldSecret) { (error, self.secret) = (nil, secret) }
}
