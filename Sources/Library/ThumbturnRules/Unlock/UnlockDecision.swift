/// The policy's decision on a request to unlock without the PIN.
@nonexhaustive
public enum UnlockDecision: Hashable, Sendable {
    /// Show the prompt.
    case promptBiometrics
    /// Show the system's prompt: the vault is in system mode (S-06).
    case promptSystem
    /// Ask for the PIN or password, for this reason.
    case requireStrongFactor(StrongFactorReason)
    /// Storage can't be read now: stay locked, retry, change nothing.
    case storageUnavailable
    /// A reset was started: it must be completed first.
    case resetPending
}

/// Why biometrics are not enough, in the order of the policy's checks; reasons that the policy never gives come last.
@nonexhaustive
public enum StrongFactorReason: Hashable, Sendable, CaseIterable {
    /// Biometrics are off.
    case biometricsDisabled
    /// The ledger of failures is missing, forged, unreadable or rolled back (INV-107-08).
    case ledgerUnreliable
    /// The account's password changed since biometrics were enabled (F-107-09).
    case policyEpochOld
    /// The server has been silent for longer than the policy allows (F-107-09).
    case serverUnheard
    /// No strong unlock in this boot of the device (INV-107-01).
    case rebooted
    /// A clock went backward, or the two clocks disagree (F-107-08).
    case clockIncoherent
    /// Idle for longer than the policy allows (INV-107-09).
    case idle
    /// The last strong unlock is too long ago.
    case strongFactorAged
    /// The system locked biometrics (C7).
    case lockedOut
    /// Too many failed prompts in a row (INV-107-08).
    case tooManyMismatches
    /// The enrolled set changed: biometrics were revoked (INV-107-07).
    case biometricsChanged
    /// The app was reinstalled: biometrics were revoked (F-107-09).
    case reinstalled
    /// The sensor can't be used now (B-09).
    case biometricsUnavailable
    /// Too many events wait for the account's service (F-107-10).
    case eventsUndelivered
    /// The user dismissed the prompt.
    case cancelled
    /// The user chose the PIN or password.
    case fallbackChosen
    /// An unclassified cause: the safe end of every path (seed 002).
    case unclassified
    /// An event that is not valid in this state.
    case unexpectedEvent
}

extension StrongFactorReason {
    private var row: (code: ErrorCode, clause: Words) {
        switch self {
        case .ledgerUnreliable:
            (.ledgerUnreliable, Words(": failures can't be counted", " : échecs impossibles à compter"))
        case .policyEpochOld: (.securityEventMissing, Words(": the password changed", " : mot de passe changé"))
        case .serverUnheard:
            (
                .securityEventMissing,
                Words(": the service was silent for too long", " : service muet depuis trop longtemps")
            )
        case .rebooted: (.sessionExpired, Words(": the device was rebooted", " : appareil redémarré"))
        case .clockIncoherent: (.sessionExpired, Words(": the clock was changed", " : horloge modifiée"))
        case .idle: (.sessionExpired, Words(": idle for too long", " : trop longtemps inactif"))
        case .strongFactorAged: (.sessionExpired, Words(": not asked for too long", " : pas demandé depuis longtemps"))
        case .lockedOut: (.strongFactorRequired, Words(": the sensor is locked out", " : capteur bloqué"))
        case .tooManyMismatches: (.strongFactorRequired, Words(": too many failures", " : trop d'échecs"))
        case .biometricsChanged:
            (.biometricsChanged, Words(": the enrolled fingers or faces changed", " : empreintes ou visages modifiés"))
        case .reinstalled: (.strongFactorRequired, Words(": a new installation", " : nouvelle installation"))
        case .biometricsUnavailable:
            (.biometricsUnavailable, Words(": the sensor is not available", " : capteur indisponible"))
        case .eventsUndelivered:
            (.strongFactorRequired, Words(": too many events wait for the service", " : trop d'événements à envoyer"))
        case .cancelled: (.promptCancelled, Words(""))
        case .biometricsDisabled, .fallbackChosen, .unclassified, .unexpectedEvent: (.strongFactorRequired, Words(""))
        }
    }

    /// The code for the caller; any unclassified cause requires the strong factor (seed 002).
    package var errorCode: ErrorCode { row.code }

    /// Why a finger is not enough, to follow "the PIN opens".
    package var clause: Words { row.clause }
}
