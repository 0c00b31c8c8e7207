/// The words on the system's prompt.
public struct PromptText: Hashable, Sendable {
    /// Why it asks; never empty.
    public var reason: String
    /// The button that dismisses it.
    public var cancelTitle: String
    /// The button that asks for the PIN or password instead; empty hides it.
    public var fallbackTitle: String

    /// Words for a prompt.
    public init(reason: String, cancelTitle: String = "Cancel", fallbackTitle: String = "Use PIN") {
        self.reason = reason
        self.cancelTitle = cancelTitle
        self.fallbackTitle = fallbackTitle
    }
}
