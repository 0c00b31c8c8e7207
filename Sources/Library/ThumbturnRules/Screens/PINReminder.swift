/// Says when an app asks for the PIN only so that its owner does not forget it: in a quiet moment, never in a payment.
///
/// Who opens a vault with a finger for weeks forgets the PIN, and needs it when the finger no longer does. The rule asks in
/// growing steps, and before the policy's `strongFactorMaxAge` would ask in an unlucky moment. It guards nothing: an answer
/// may be skipped, and a clock that was set changes only when it asks.
///
/// Keep `stored` with the app's settings; it contains no secret. Call `given(at:)` after each strong unlock.
public struct PINReminder: Hashable, Sendable {
    /// What the owner is about to do, as the app knows.
    @nonexhaustive
    public enum Moment: Hashable, Sendable {
        /// Looking around: the list of wallets, the settings.
        case quiet
        /// Paying, signing, exporting, scanning a code: whatever a question would interrupt.
        case busy
    }

    /// The spans after which it asks: each right answer moves on to the next, a wrong one back to the first.
    public static let steps: [Milliseconds] = [.hours(12), .days(1), .days(3), .days(7), .days(14)]

    private var lastGiven: Milliseconds
    private var step: Int

    /// Begins with the PIN that was given just now, as when it was chosen.
    public init(givenAt now: ClockReading) {
        lastGiven = now.wall
        step = 0
    }

    /// Notes that the PIN was given, and was right: in a strong unlock, or because this asked for it.
    public mutating func given(at now: ClockReading) {
        // Somebody who types it each day has not shown that they know it after a week.
        if now.wall - lastGiven >= Self.steps[step] { step = min(step + 1, Self.steps.count - 1) }
        lastGiven = now.wall
    }

    /// Notes that the PIN was wrong, or that its owner did not know it.
    public mutating func notKnown() { step = 0 }

    /// Whether to ask now.
    ///
    /// Only in an open session in full, where biometrics stand in for a PIN: elsewhere it is typed anyway, or there is none.
    public func isDue(_ snapshot: VaultSnapshot, in moment: Moment, at now: ClockReading) -> Bool {
        guard moment == .quiet, snapshot.state == .unlocked(.full) else { return false }
        guard snapshot.mode == .local, snapshot.policy.strongFactor == .localSecret else { return false }
        guard snapshot.biometrics == .enabled else { return false }
        var span = Self.steps[step]
        // A quarter before the policy's own end, which may come at the till.
        if let most = snapshot.policy.strongFactorMaxAge { span = min(span, Milliseconds(most.count / 4 * 3)) }
        return now.wall - lastGiven >= span
    }
}

// For the app's settings.
extension PINReminder {
    /// The rule's state as text: two numbers.
    public var stored: String { "\(lastGiven.count) \(step)" }

    /// Reads `stored`; nil for anything else.
    public init?(stored: String) {
        let parts = stored.split(separator: " ")
        guard parts.count == 2, let given = Int64(parts[0]), let step = Int(parts[1]) else { return nil }
        guard Self.steps.indices.contains(step) else { return nil }
        lastGiven = Milliseconds(given)
        self.step = step
    }
}
