public import ThumbturnRules

/// The owner's explicit consent to a change of mode, which the interface hands back after it has shown the warning (S-04).
///
/// It counts for five minutes, as `BiometricConsent` does.
public struct SystemModeConsent: Hashable, Sendable {
    /// What the owner was told.
    package let warning: SystemModeWarning
    /// When the owner agreed.
    package let agreedAt: ClockReading

    /// Records that the owner was shown `warning` and agreed at `reading`.
    public init(to warning: SystemModeWarning, ownerAgreedAt reading: ClockReading) {
        self.warning = warning
        agreedAt = reading
    }
}

/// Evidence that the device recognised its owner just now, for turning system authentication off and nothing else (S-05).
///
/// An open session is no such evidence: somebody else may hold the phone by then.
public struct SystemModeExit: ~Copyable, Sendable {
    let authorization: StrongAuthorization
}
