/// Why a device released no secret: what it means, and the number with which the system below said so.
///
/// One table maps every platform's errors to these (design section 4).
public struct DeviceRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a refusal means.
    @nonexhaustive
    public enum Meaning: Hashable, Sendable {
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
        /// The prompt took a proof that the item does not: an Apple Watch on a Mac, or a yes that came from elsewhere.
        ///
        /// The item is there and unharmed; only a prompt with room for the passcode ends so.
        case proofNotAccepted
        /// An answer that no table lists: the strong factor is required.
        case unclassified
    }

    /// What it means; equality compares only this.
    public let meaning: Meaning
    /// The code of the system below, for a log or a report; nil where there was none, or several.
    public let underlying: UnderlyingCode?
    /// How many fingers or faces failed in the prompt, as far as the device tells: each counts, however the prompt ended
    /// (C7).
    package let mismatches: UInt32

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - meaning: what it means.
    ///   - underlying: the code that it was derived from.
    public init(_ meaning: Meaning, underlying: UnderlyingCode? = nil) {
        self.init(meaning, underlying: underlying, mismatches: 0)
    }

    /// Creates the refusal of a device that knows how many failed.
    package init(_ meaning: Meaning, underlying: UnderlyingCode? = nil, mismatches: UInt32) {
        self.meaning = meaning
        self.underlying = underlying
        self.mismatches = max(mismatches, meaning.followsMismatch ? 1 : 0)
    }

    /// The meaning's name.
    public var description: String { "\(meaning)" }

    /// Two refusals are equal when they mean the same.
    public static func == (left: DeviceRefusal, right: DeviceRefusal) -> Bool { left.meaning == right.meaning }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(meaning) }

    /// Returns the refusal with the code that it was derived from; a code that it has already stays.
    package func because(of code: UnderlyingCode?) -> DeviceRefusal {
        DeviceRefusal(meaning, underlying: underlying ?? code, mismatches: mismatches)
    }

    /// Returns the refusal as the meaning of another one: with its code, and the fingers or faces that failed.
    package func standing(for other: DeviceRefusal) -> DeviceRefusal {
        let mismatches = max(mismatches, other.mismatches)
        return DeviceRefusal(meaning, underlying: underlying ?? other.underlying, mismatches: mismatches)
    }
}

// The refusals without a code.
extension DeviceRefusal {
    /// The user dismissed the prompt; `afterMismatch` when a finger or face had failed in the same prompt (C7).
    public static func cancelledByUser(afterMismatch: Bool) -> DeviceRefusal {
        DeviceRefusal(.cancelledByUser(afterMismatch: afterMismatch))
    }
    /// The system dismissed the prompt: a call, the background, another prompt.
    public static let cancelledBySystem = DeviceRefusal(.cancelledBySystem)
    /// The user asked for the PIN or password instead.
    public static let fallbackChosen = DeviceRefusal(.fallbackChosen)
    /// The prompt ended without a match.
    public static let notRecognised = DeviceRefusal(.notRecognised)
    /// The system locked biometrics until its own passcode is entered.
    public static let lockedOut = DeviceRefusal(.lockedOut)
    /// No finger or face is enrolled.
    public static let notEnrolled = DeviceRefusal(.notEnrolled)
    /// The item is gone for good, or was invalidated because the enrolled set changed.
    public static let revoked = DeviceRefusal(.revoked)
    /// The reader, or the service behind it, failed: busy, broken, unplugged or silent.
    ///
    /// It says nothing about the finger, the item or the store, so the PIN or password is asked for; `afterMismatch` as
    /// above.
    public static func readerFailed(afterMismatch: Bool) -> DeviceRefusal {
        DeviceRefusal(.readerFailed(afterMismatch: afterMismatch))
    }
    /// The store can't be read now (device locked, before the first unlock, busy, written by a later version): nothing
    /// is known, so retry later.
    public static let unavailable = DeviceRefusal(.unavailable)
    /// The item can be read but is damaged: it has the same effect on opening and waiting as an absent item, without
    /// being absent.
    ///
    /// Do not create, delete or forget anything because of it: only confirmed absence allows that (A25).
    public static let damaged = DeviceRefusal(.damaged)
    /// The device has no such hardware.
    public static let hardwareMissing = DeviceRefusal(.hardwareMissing)
    /// The item is confirmed not to exist.
    public static let absent = DeviceRefusal(.absent)
    /// The item was stored with less protection than asked for (A32).
    public static let weakerThanAsked = DeviceRefusal(.weakerThanAsked)
    /// Hardware that counts attempts itself refused the authorisation of a device secret.
    public static let wrongAuthorisation = DeviceRefusal(.wrongAuthorisation)
    /// The prompt took a proof that the item does not: an Apple Watch on a Mac, or a yes that came from elsewhere.
    ///
    /// The item is there and unharmed; only a prompt with room for the passcode ends so.
    public static let proofNotAccepted = DeviceRefusal(.proofNotAccepted)
    /// An answer that no table lists: the strong factor is required.
    public static let unclassified = DeviceRefusal(.unclassified)
}

extension DeviceRefusal {
    /// Whether a finger or face failed in the prompt: that counts, however the prompt ended (C7).
    package var followsMismatch: Bool { mismatches > 0 }
}

extension DeviceRefusal.Meaning {
    /// Whether it says by itself that a finger or face failed.
    fileprivate var followsMismatch: Bool {
        switch self {
        case .notRecognised, .cancelledByUser(afterMismatch: true), .readerFailed(afterMismatch: true): true
        case .cancelledByUser(afterMismatch: false), .cancelledBySystem, .fallbackChosen, .lockedOut, .notEnrolled,
            .revoked, .readerFailed(afterMismatch: false), .unavailable, .damaged, .hardwareMissing, .absent,
            .weakerThanAsked,
            .wrongAuthorisation, .proofNotAccepted, .unclassified:
            false
        }
    }
}
