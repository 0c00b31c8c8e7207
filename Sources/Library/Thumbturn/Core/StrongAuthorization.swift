public import ThumbturnRules

/// Evidence that the PIN, password or recovery key was given just now, in the session that is still open.
///
/// Calls that could cost the owner coins take one as an argument and use it up: a screen shown before the call can be
/// skipped, an argument cannot (A61). It is good for 60 s (C5), and for nothing once the vault locked or the secret was
/// changed, also by another process.
public struct StrongAuthorization: ~Copyable, Sendable {
    static let lifetime = Milliseconds.seconds(60)

    /// Which secret was given.
    package let slot: SlotKind
    /// The very slot that it opens.
    var record: Identifier
    let session: Identifier
    let at: ClockReading

    init(slot: SlotKind, record: Identifier, session: Identifier, at: ClockReading) {
        self.slot = slot
        self.record = record
        self.session = session
        self.at = at
    }
}

/// Evidence that a finger or face was there just now, in the session that is still open: the read of the guarded item opened
/// its slot.
///
/// No call that could cost the owner coins takes it, since a finger is no PIN. It is for an app that wants a finger again before
/// it shows something: `Vault.withSecret(of:_:_:)` uses it up. It is good for 60 s, and for nothing once the vault locked.
public struct BiometricAuthorization: ~Copyable, Sendable {
    let authorization: StrongAuthorization
}

/// Evidence that an account's password was given just now while its service could not be reached.
///
/// It turns biometrics off, which takes a right away, and serves nothing else.
package struct OfflineAuthorization: ~Copyable, Sendable {
    private let authorization: StrongAuthorization

    init(_ authorization: consuming StrongAuthorization) { self.authorization = authorization }

    /// Gives it up.
    consuming func takeAuthorization() -> StrongAuthorization { authorization }
}

/// The owner's explicit consent to biometrics, which the interface hands back after it has asked (F-107-02).
///
/// It counts for five minutes: long enough to type a PIN twice after it, and too short to be kept for another day.
public struct BiometricConsent: Hashable, Sendable {
    static let lifetime = Milliseconds.minutes(5)

    /// When the owner agreed that whoever is enrolled on this device can open the vault.
    package let agreedAt: ClockReading

    /// Records that the owner agreed at `reading`.
    public init(ownerAgreedAt reading: ClockReading) {
        agreedAt = reading
    }
}

extension ClockReading {
    /// Whether no more than `span` passed from here to `now`, on clocks that agree on it.
    func isWithin(_ span: Milliseconds, before now: ClockReading) -> Bool {
        guard case .elapsed(_, let age) = Self.relation(from: self, to: now) else { return false }
        return age <= span
    }
}
