package import ThumbturnRules

extension StrongFactorReason {
    /// The word for it in JSON.
    package var name: String {
        switch self {
        case .biometricsDisabled: "biometricsDisabled"
        case .ledgerUnreliable: "ledgerUnreliable"
        case .policyEpochOld: "policyEpochOld"
        case .serverUnheard: "serverUnheard"
        case .rebooted: "rebooted"
        case .clockIncoherent: "clockIncoherent"
        case .idle: "idle"
        case .strongFactorAged: "strongFactorAged"
        case .lockedOut: "lockedOut"
        case .tooManyMismatches: "tooManyMismatches"
        case .biometricsChanged: "biometricsChanged"
        case .reinstalled: "reinstalled"
        case .biometricsUnavailable: "biometricsUnavailable"
        case .eventsUndelivered: "eventsUndelivered"
        case .cancelled: "cancelled"
        case .fallbackChosen: "fallbackChosen"
        case .unclassified: "unclassified"
        case .unexpectedEvent: "unexpectedEvent"
        }
    }
}

extension SessionScope {
    /// The word for it in JSON.
    package var name: String {
        switch self {
        case .full: "full"
        case .exportOnly: "exportOnly"
        }
    }
}

extension BiometricCapability.BiometryType {
    /// The word for it in JSON.
    package var name: String {
        switch self {
        case .none: "none"
        case .touchID: "touchID"
        case .faceID: "faceID"
        }
    }
}

extension Language {
    /// Its code (ISO 639).
    package var code: String {
        switch self {
        case .english: "en"
        case .french: "fr"
        }
    }
}
