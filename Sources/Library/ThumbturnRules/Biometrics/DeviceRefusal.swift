/// Why a device gave no secret.
///
/// Every platform's errors map to these by one table (design section 4).
@nonexhaustive
public enum DeviceRefusal: Error, Hashable, Sendable {
    /// The user dismissed the prompt; `afterMismatch` when a finger or face had failed in the same prompt (C7).
    case cancelledByUser(afterMismatch: Bool)
    /// The system took the prompt away: a call, the background, another prompt.
    case cancelledBySystem
    /// The user asked for the PIN or password instead.
    case fallbackChosen
    /// The prompt ended without a match.
    case notRecognised
    /// The system locked biometrics until its own passcode is given.
    case lockedOut
    /// Nobody is enrolled.
    case notEnrolled
    /// The item is gone for good, or was invalidated because the enrolled set changed.
    case revoked
    /// The reader, or the service behind it, failed: busy, broken, pulled out or silent.
    ///
    /// It says nothing of the finger, the item or the store, so the PIN or password is asked for; `afterMismatch` as above.
    case readerFailed(afterMismatch: Bool)
    /// The store can't be read now (device locked, before the first unlock, busy, written by a later version): nothing is
    /// known, try again later.
    case unavailable
    /// What lies in the store can be read and is not whole: it opens and waits as what is absent does, but it is not absent.
    ///
    /// Nothing is made, deleted or forgotten for it: only confirmed absence allows that (A25).
    case damaged
    /// The device has no such hardware.
    case hardwareMissing
    /// The item is confirmed not to exist.
    case absent
    /// The item was stored with less protection than asked for (A32).
    case weakerThanAsked
    /// Hardware that counts for itself refused the authorisation of a device secret.
    case wrongAuthorisation
    /// An answer that no table knows: it ends in the strong factor.
    case unclassified
}

extension DeviceRefusal {
    /// Whether a finger or face failed in the prompt: that counts one, whatever ended it (C7).
    package var followsMismatch: Bool {
        switch self {
        case .notRecognised, .cancelledByUser(afterMismatch: true), .readerFailed(afterMismatch: true): true
        case .cancelledByUser(afterMismatch: false), .cancelledBySystem, .fallbackChosen, .lockedOut, .notEnrolled,
            .revoked, .readerFailed(afterMismatch: false), .unavailable, .damaged, .hardwareMissing, .absent,
            .weakerThanAsked,
            .wrongAuthorisation, .unclassified:
            false
        }
    }
}
