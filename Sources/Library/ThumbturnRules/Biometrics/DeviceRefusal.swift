/// Why a device released no secret.
///
/// One table maps every platform's errors to these (design section 4).
@nonexhaustive
public enum DeviceRefusal: Error, Hashable, Sendable {
    /// The user dismissed the prompt; `afterMismatch` when a finger or face had failed in the same prompt (C7).
    case cancelledByUser(afterMismatch: Bool)
    /// The system dismissed the prompt: a call, the background, another prompt.
    case cancelledBySystem
    /// The user asked for the PIN or password instead.
    case fallbackChosen
    /// The prompt ended without a match.
    case notRecognised
    /// The system locked biometrics until its own passcode is entered.
    case lockedOut
    /// No finger or face is enrolled.
    case notEnrolled
    /// The item is gone for good, or was invalidated because the enrolled set changed.
    case revoked
    /// The reader, or the service behind it, failed: busy, broken, unplugged or silent.
    ///
    /// It says nothing about the finger, the item or the store, so the PIN or password is asked for; `afterMismatch` as
    /// above.
    case readerFailed(afterMismatch: Bool)
    /// The store can't be read now (device locked, before the first unlock, busy, written by a later version): nothing
    /// is known, so retry later.
    case unavailable
    /// The item can be read but is damaged: it has the same effect on opening and waiting as an absent item, without
    /// being absent.
    ///
    /// Do not create, delete or forget anything because of it: only confirmed absence allows that (A25).
    case damaged
    /// The device has no such hardware.
    case hardwareMissing
    /// The item is confirmed not to exist.
    case absent
    /// The item was stored with less protection than asked for (A32).
    case weakerThanAsked
    /// Hardware that counts attempts itself refused the authorisation of a device secret.
    case wrongAuthorisation
    /// An answer that no table lists: the strong factor is required.
    case unclassified
}

extension DeviceRefusal {
    /// Whether a finger or face failed in the prompt: that counts as one failure, however the prompt ended (C7).
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
