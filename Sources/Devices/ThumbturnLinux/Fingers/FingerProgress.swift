/// What a fingerprint reader reports while it waits; Linux has no prompt of its own, so the app shows it.
@nonexhaustive
public enum FingerProgress: Hashable, Sendable {
    /// The reader is on, and waits for a finger.
    case ready
    /// It compares with this finger only, such as `right-index-finger`, or with every finger for `any`.
    case finger(String)
    /// The scan was not good enough; try again.
    case scanAgain
    /// The finger left the reader too early.
    case swipeTooShort
    /// The finger was not in the middle.
    case notCentred
    /// The finger has to be lifted, then put down again.
    case liftAndScanAgain
}

/// What a user chooses on the app's own panel instead of touching the reader.
public enum PromptDismissal: Hashable, Sendable {
    /// The button with the prompt's `cancelTitle`.
    case cancel
    /// The button with the prompt's `fallbackTitle`.
    case fallback
}
