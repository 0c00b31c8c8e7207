// Seed 002, section 6: twelve codes with its French text, word for word.
extension ErrorCode {
    /// Biometrics can't be used on this device, or not now.
    public static let biometricsUnavailable = ErrorCode(
        "ERR-107-001",
        .refused,
        .offerStrongFactor,
        "Face ID/Touch ID is not available on this device.",
        "Face ID/Touch ID non disponible sur cet appareil."
    )
    /// The PIN or password given to enable biometrics is wrong.
    public static let wrongSecretForEnabling = ErrorCode(
        "ERR-107-010",
        .refused,
        .retry,
        "Wrong password.",
        "Mot de passe incorrect."
    )
    /// The intermediate secret could not be stored as asked.
    public static let biometricsNotStored = ErrorCode(
        "ERR-107-020",
        .unavailable,
        .retry,
        "Biometrics could not be enabled.",
        "Impossible d'activer la biométrie."
    )
    /// Not every artefact could be deleted; biometrics are off all the same.
    public static let biometricsNotPurged = ErrorCode(
        "ERR-107-021",
        .unavailable,
        .retry,
        "Biometrics are off, but not all was deleted; it is tried again at the next start.",
        "Désactivation incomplète, nouvelle tentative requise."
    )
    /// The finger or face was not recognised.
    public static let biometricsNotRecognised = ErrorCode(
        "ERR-107-030",
        .refused,
        .retry,
        "Biometric authentication failed.",
        "Authentification biométrique échouée."
    )
    /// The prompt was dismissed.
    public static let promptCancelled = ErrorCode(
        "ERR-107-031",
        .refused,
        .offerStrongFactor,
        "Authentication was cancelled.",
        "Authentification annulée."
    )
    /// The PIN, password or recovery key is wrong.
    ///
    /// A tampered slot reads the same on purpose.
    public static let strongFactorRefused = ErrorCode(
        "ERR-107-040",
        .refused,
        .retry,
        "You could not be authenticated.",
        "Impossible de vous authentifier."
    )
    /// The ledger of failures is missing, forged, unreadable or rolled back.
    public static let ledgerUnreliable = ErrorCode(
        "ERR-107-050",
        .refused,
        .offerStrongFactor,
        "A security check is needed.",
        "Vérification de sécurité requise."
    )
    /// The enrolled set changed.
    public static let biometricsChanged = ErrorCode(
        "ERR-107-060",
        .refused,
        .strongFactorThenReenable,
        "Your biometric data have changed. Enable biometrics again.",
        "Vos données biométriques ont changé. Réactivez la biométrie."
    )
    /// Boot, idle time, age or clocks demand the strong factor.
    public static let sessionExpired = ErrorCode(
        "ERR-107-070",
        .refused,
        .offerStrongFactor,
        "The session has expired. Your password is needed.",
        "Session expirée. Mot de passe requis."
    )
    /// A word of the server that must have come is missing.
    public static let securityEventMissing = ErrorCode(
        "ERR-107-080",
        .refused,
        .strongFactorThenReenable,
        "A security check is needed.",
        "Vérification de sécurité requise."
    )
    /// The audit service can't be reached; events wait on the device.
    public static let auditUnavailable = ErrorCode(
        "ERR-107-090",
        .unavailable,
        .retry,
        "The connection is limited. The action was recorded on this device.",
        "Connexion limitée. Action enregistrée localement."
    )
}
