// Ours: the credential vault; the twelve errors of seed 004, whose names stand in brackets.
extension ErrorCode {
    /// Biometrics can't be used (`notAvailable`).
    public static let credentialsUnavailable = ErrorCode(
        "ERR-TT-401",
        .refused,
        .mendEnvironment,
        "Biometrics can't be used on this device now.",
        "La biométrie ne peut pas être utilisée sur cet appareil."
    )
    /// Nothing is stored (`notEnabled`).
    public static let credentialsMissing = ErrorCode(
        "ERR-TT-402",
        .refused,
        .correctInput,
        "No credentials are stored.",
        "Aucun identifiant n'est enregistré."
    )
    /// The credentials are stored without biometrics (`notSecuredWithBiometrics`).
    public static let credentialsPlain = ErrorCode(
        "ERR-TT-403",
        .refused,
        .correctInput,
        "The credentials are not behind biometrics.",
        "Les identifiants ne sont pas protégés par la biométrie."
    )
    /// The credentials are not locked (`notLockedWithBiometrics`).
    public static let credentialsNotLocked = ErrorCode(
        "ERR-TT-404",
        .refused,
        .correctInput,
        "The credentials are not locked.",
        "Les identifiants ne sont pas verrouillés."
    )
    /// The credentials are locked already (`alreadyLockedWithBiometrics`).
    public static let credentialsAlreadyLocked = ErrorCode(
        "ERR-TT-405",
        .refused,
        .correctInput,
        "The credentials are locked already.",
        "Les identifiants sont déjà verrouillés."
    )
    /// The credentials are locked: unlock them, or reset (`lockedWithBiometricsUseReset`).
    public static let credentialsLocked = ErrorCode(
        "ERR-TT-406",
        .refused,
        .correctInput,
        "The credentials are locked: unlock them first, or reset.",
        "Les identifiants sont verrouillés : déverrouillez-les d'abord, ou réinitialisez."
    )
    /// Locked credentials would be overwritten (`lockedWithBiometricsCannotEnable`).
    public static let credentialsLockedAlreadyStored = ErrorCode(
        "ERR-TT-407",
        .refused,
        .correctInput,
        "Locked credentials are stored already.",
        "Des identifiants verrouillés sont déjà enregistrés."
    )
    /// Credentials are stored without biometrics already (`alreadyUsesKeychain`).
    public static let credentialsAlreadyPlain = ErrorCode(
        "ERR-TT-408",
        .refused,
        .correctInput,
        "Credentials are stored without biometrics already.",
        "Des identifiants sont déjà enregistrés sans biométrie."
    )
    /// Credentials are stored without biometrics: upgrade them (`alreadySecuredByKeychainUseSecureFunction`).
    public static let credentialsNeedUpgrade = ErrorCode(
        "ERR-TT-409",
        .refused,
        .correctInput,
        "Credentials are stored without biometrics: upgrade them.",
        "Des identifiants sont enregistrés sans biométrie : améliorez leur protection."
    )
    /// Credentials are stored behind biometrics already (`alreadySecuredWithBiometrics`).
    public static let credentialsAlreadySecured = ErrorCode(
        "ERR-TT-410",
        .refused,
        .correctInput,
        "Credentials are stored behind biometrics already.",
        "Des identifiants sont déjà protégés par la biométrie."
    )
    /// The credentials could not be read (`retrievalFailure`).
    public static let credentialsNotRead = ErrorCode(
        "ERR-TT-411",
        .unavailable,
        .retry,
        "The credentials could not be read.",
        "Les identifiants n'ont pas pu être lus."
    )
    /// The credentials could not be stored (`storingFailure`); what was there stays.
    public static let credentialsNotStored = ErrorCode(
        "ERR-TT-412",
        .unavailable,
        .retry,
        "The credentials could not be stored; what was there is untouched.",
        "Les identifiants n'ont pas pu être enregistrés ; l'existant est intact."
    )
}
