import ThumbturnRules

extension DeviceRefusal {
    /// Creates the refusal of a host's number; an unknown one is unclassified, which costs the owner a PIN and nothing
    /// else.
    ///
    /// - Parameter mismatches: how many fingers or faces failed in the prompt (C7).
    init(number: UInt32, mismatches: UInt32) {
        let refusal: DeviceRefusal =
            switch number {
            case 1: .cancelledByUser(afterMismatch: mismatches > 0)
            case 2: .cancelledBySystem
            case 3: .fallbackChosen
            case 4: .notRecognised
            case 5: .lockedOut
            case 6: .notEnrolled
            case 7: .revoked
            case 8: .readerFailed(afterMismatch: mismatches > 0)
            case 9: .unavailable
            case 10: .damaged
            case 11: .hardwareMissing
            case 12: .absent
            case 13: .weakerThanAsked
            default: .unclassified
            }
        // More than any prompt takes, and no count that turns over.
        self.init(refusal.meaning, mismatches: min(mismatches, 1_000))
    }
}
