/// The words on the system's prompt.
public struct PromptText: Hashable, Sendable {
    /// The reason for the prompt; never empty.
    public var reason: String
    /// The title of the button that dismisses it.
    public var cancelTitle: String
    /// The title of the button that asks for the PIN or password instead; empty hides it.
    public var fallbackTitle: String

    /// Creates the text of a prompt.
    public init(reason: String, cancelTitle: String = "Cancel", fallbackTitle: String = "Use PIN") {
        self.reason = reason
        self.cancelTitle = cancelTitle
        self.fallbackTitle = fallbackTitle
    }
}
