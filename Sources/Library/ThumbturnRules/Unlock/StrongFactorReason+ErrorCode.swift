extension StrongFactorReason {
    /// The code for the caller; any unclassified cause requires the strong factor (seed 002).
    package var errorCode: ErrorCode {
        switch self {
        case .ledgerUnreliable: .ledgerUnreliable
        case .policyEpochOld, .serverUnheard: .securityEventMissing
        case .rebooted, .clockIncoherent, .idle, .strongFactorAged: .sessionExpired
        case .biometricsChanged: .biometricsChanged
        case .biometricsUnavailable: .biometricsUnavailable
        case .cancelled: .promptCancelled
        case .biometricsDisabled, .lockedOut, .tooManyMismatches, .reinstalled, .fallbackChosen, .unclassified,
            .unexpectedEvent:
            .strongFactorRequired
        }
    }
}
