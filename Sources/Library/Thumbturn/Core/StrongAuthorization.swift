public import ThumbturnRules

/// Evidence that the PIN, password or recovery key was entered just now, in the session that is still open.
///
/// Calls that could cost the owner coins consume one as an argument: an attacker can skip a confirmation screen, but
/// not an argument (A61). It is valid for 60 s (C5), and becomes void once the vault locks or the secret changes, in
/// any process.
public struct StrongAuthorization: ~Copyable, Sendable {
    static let lifetime = Milliseconds.seconds(60)

    /// Which kind of secret was entered.
    package let slot: SlotKind
    /// The id of the slot that the secret opened.
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

/// Evidence that a finger or face was presented just now, in the session that is still open: the read of the guarded
/// item opened its slot.
///
/// No call that could cost the owner coins accepts it: a finger does not replace the PIN. It is for an app that asks
/// for a finger again before it shows something: `Vault.withSecret(of:_:_:)` consumes it. It is valid for 60 s, or
/// until the vault locks.
public struct BiometricAuthorization: ~Copyable, Sendable {
    let authorization: StrongAuthorization
}

/// Evidence that an account's password was entered just now while its service could not be reached.
///
/// It is accepted only for turning biometrics off, which reduces rights.
package struct OfflineAuthorization: ~Copyable, Sendable {
    private let authorization: StrongAuthorization

    init(_ authorization: consuming StrongAuthorization) { self.authorization = authorization }

    /// Gives up the authorization inside.
    consuming func takeAuthorization() -> StrongAuthorization { authorization }
}

/// The owner's explicit consent to biometrics, which the interface passes back after asking for it (F-107-02).
///
/// It is valid for five minutes: long enough to type a PIN twice, too short to be kept for later.
public struct BiometricConsent: Hashable, Sendable {
    static let lifetime = Milliseconds.minutes(5)

    /// When the owner agreed that everyone enrolled on this device can open the vault.
    package let agreedAt: ClockReading

    /// Records that the owner agreed at `reading`.
    public init(ownerAgreedAt reading: ClockReading) { agreedAt = reading }
}

extension ClockReading {
    /// Returns whether at most `span` passed from this reading to `now`, with clocks that agree on it.
    func isWithin(_ span: Milliseconds, before now: ClockReading) -> Bool {
        guard case .elapsed(_, let age) = Self.relation(from: self, to: now) else { return false }
        return age <= span
    }
}
