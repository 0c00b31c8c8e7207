/// What the owner does when a prompt is up.
public enum Answer: Sendable {
    /// Does what is asked: a face or finger that matches, or the passcode where only that is asked.
    case agrees
    /// Shows a face or finger that does not match.
    case mismatch
    /// Types the passcode, where the prompt has that way.
    case passcode
    /// Types a wrong passcode.
    case wrongPasscode
    /// Approves on an Apple Watch, where the prompt has room for the passcode: that satisfies a policy, and no item [doc].
    case watch
    /// Dismisses the prompt.
    case cancel
    /// Taps the fallback button.
    case fallback
    /// Does nothing, until `Phone.answer(_:)`, an invalidation, or the system ends the prompt.
    case hesitates
    /// Something happens while the prompt is up; then the next answer counts.
    case meanwhile(@Sendable (Phone) -> Void)
}

/// A prompt that was shown.
public struct Prompt: Hashable, Sendable {
    /// Who showed it.
    public enum Origin: Hashable, Sendable {
        /// `evaluatePolicy`.
        case policy
        /// `evaluateAccessControl`.
        case accessControl
        /// The keychain itself, because an item needs the owner.
        case keychain
        /// The Secure Enclave, because a key needs the owner.
        case enclave
        /// The alert that asks whether the app may use Face ID.
        case permission
    }

    /// Who showed it.
    public var origin: Origin
    /// Why it asks, as the app said.
    public var reason: String
    /// The cancel button's title, when the app gave one.
    public var cancelTitle: String?
    /// The fallback button's title, when the app gave one; empty hides the button.
    public var fallbackTitle: String?

    /// Describes a prompt.
    public init(origin: Origin, reason: String, cancelTitle: String? = nil, fallbackTitle: String? = nil) {
        self.origin = origin
        self.reason = reason
        self.cancelTitle = cancelTitle
        self.fallbackTitle = fallbackTitle
    }
}

/// A prompt that is up now.
struct ShownPrompt {
    var number: Int
    var context: ObjectIdentifier
    var end: Refusal?
}
