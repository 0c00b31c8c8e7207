public import ThumbturnRules

/// The owner's explicit consent to a change of mode, which the interface passes back after showing the warning (S-04).
///
/// It is valid for five minutes, as `BiometricConsent` is.
public struct SystemModeConsent: Hashable, Sendable {
    /// The warning that the owner was shown.
    package let warning: SystemModeWarning
    /// When the owner agreed.
    package let agreedAt: ClockReading

    /// Records that the owner was shown `warning` and agreed at `reading`.
    public init(to warning: SystemModeWarning, ownerAgreedAt reading: ClockReading) {
        self.warning = warning
        agreedAt = reading
    }
}

/// Evidence that the device recognised its owner just now, valid only for turning system authentication off (S-05).
///
/// An open session is not enough: another person may have the phone by then.
public struct SystemModeExit: ~Copyable, Sendable {
    let authorization: StrongAuthorization
}
