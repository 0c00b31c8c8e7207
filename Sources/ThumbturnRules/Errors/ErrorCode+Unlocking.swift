// Ours: unlocking.
extension ErrorCode {
    /// The strong factor is needed for a reason that has no code of its own.
    public static let strongFactorRequired = ErrorCode(
        "ERR-TT-101",
        .refused,
        .offerStrongFactor,
        "Your PIN or password is needed.",
        "Votre code ou mot de passe est requis."
    )
    /// A delay of the attempt schedule runs.
    public static let attemptDelayed = ErrorCode(
        "ERR-TT-102",
        .refused,
        .wait,
        "The vault waits before the next try.",
        "Le coffre attend avant le prochain essai."
    )
    /// Ten wrong secrets, and another slot opens the vault.
    public static let localSecretSuspended = ErrorCode(
        "ERR-TT-103",
        .refused,
        .useRecoveryKey,
        "The PIN or password is suspended after ten wrong tries.",
        "Le code ou mot de passe est suspendu après dix essais erronés."
    )
    /// The vault is locked and this needs a session.
    public static let locked = ErrorCode(
        "ERR-TT-104",
        .refused,
        .offerStrongFactor,
        "The vault is locked.",
        "Le coffre est verrouillé."
    )
    /// This needs the strong factor given within the last minute.
    public static let authorizationExpired = ErrorCode(
        "ERR-TT-105",
        .refused,
        .offerStrongFactor,
        "This needs your PIN or password, given within the last minute.",
        "Ceci demande votre code ou mot de passe, donné dans la dernière minute."
    )
    /// The session may only read and export.
    public static let exportOnly = ErrorCode(
        "ERR-TT-106",
        .refused,
        .exportAndRenew,
        "This session may only export.",
        "Cette session ne permet que l'exportation."
    )
    /// Another operation on the vault is under way.
    public static let busy = ErrorCode(
        "ERR-TT-107",
        .unavailable,
        .retry,
        "Another operation on the vault is under way.",
        "Une autre opération sur le coffre est en cours."
    )
    /// The device protects less than the policy asks for.
    public static let assuranceTooLow = ErrorCode(
        "ERR-TT-108",
        .refused,
        .mendEnvironment,
        "This device protects a key less than the vault's policy asks for.",
        "Cet appareil protège moins une clé que ne l'exige la règle du coffre."
    )
    /// Biometrics are already on.
    public static let biometricsAlreadyEnabled = ErrorCode(
        "ERR-TT-109",
        .refused,
        .correctInput,
        "Biometrics are already enabled.",
        "La biométrie est déjà activée."
    )
    /// The policy's strong factor is an account's password, and there is no account.
    public static let accountRequired = ErrorCode(
        "ERR-TT-111",
        .refused,
        .correctInput,
        "This policy needs an account, and there is none.",
        "Cette règle demande un compte, et il n'y en a pas."
    )
    /// The owner's explicit consent is missing.
    public static let consentMissing = ErrorCode(
        "ERR-TT-110",
        .refused,
        .correctInput,
        "This needs an explicit confirmation.",
        "Ceci demande une confirmation explicite."
    )
    /// The vault opens with the system's authentication alone: it has no PIN and no biometric slot (S-06).
    public static let systemModeOnly = ErrorCode(
        "ERR-TT-112",
        .refused,
        .offerSystem,
        "This vault opens with the device's own authentication alone.",
        "Ce coffre ne s'ouvre qu'avec l'authentification de l'appareil."
    )
    /// The system's authentication does not open this vault.
    public static let systemModeOff = ErrorCode(
        "ERR-TT-113",
        .refused,
        .correctInput,
        "System authentication is not enabled.",
        "L'authentification du système n'est pas activée."
    )
    /// The feature flag does not offer system authentication to this user (S-01).
    public static let systemModeNotOffered = ErrorCode(
        "ERR-TT-114",
        .refused,
        .correctInput,
        "System authentication is not offered here.",
        "L'authentification du système n'est pas proposée ici."
    )
    /// A recovery key that was typed back must exist first, since afterwards every other way in is the system's.
    public static let recoveryKeyRequired = ErrorCode(
        "ERR-TT-115",
        .refused,
        .correctInput,
        "This needs a recovery key that was typed back first.",
        "Ceci demande d'abord une clé de secours saisie à nouveau."
    )
    /// The system's prompt was dismissed or failed too often (S-06).
    public static let systemPromptEnded = ErrorCode(
        "ERR-TT-116",
        .refused,
        .reopen,
        "The device did not recognise you.",
        "L'appareil ne vous a pas reconnu."
    )
    /// The device has no passcode, so nothing can be kept behind it.
    public static let passcodeMissing = ErrorCode(
        "ERR-TT-117",
        .refused,
        .mendEnvironment,
        "This device has no passcode.",
        "Cet appareil n'a pas de code."
    )
    /// The wallet was taken over by biometrics, and the PIN must complete that first (K-08).
    public static let migrationIncomplete = ErrorCode(
        "ERR-TT-118",
        .refused,
        .offerStrongFactor,
        "Your PIN is needed first, to finish moving your wallet.",
        "Votre code est d'abord requis pour terminer le transfert du portefeuille."
    )
}
