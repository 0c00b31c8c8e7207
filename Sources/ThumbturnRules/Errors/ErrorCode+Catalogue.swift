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
        "Too many wrong tries: the vault waits before the next one.",
        "Trop d'essais erronés : le coffre attend avant le suivant."
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
        "This device protects a biometric key less than the vault's policy asks for.",
        "Cet appareil protège moins la clé biométrique que ne l'exige la règle du coffre."
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
}

// Ours: storage and device.
extension ErrorCode {
    /// There is no vault here.
    public static let vaultMissing = ErrorCode(
        "ERR-TT-201",
        .unavailable,
        .correctInput,
        "There is no vault here.",
        "Il n'y a pas de coffre ici."
    )
    /// There is a vault here already.
    public static let vaultExists = ErrorCode(
        "ERR-TT-202",
        .refused,
        .correctInput,
        "There is a vault here already.",
        "Il y a déjà un coffre ici."
    )
    /// The vault was written by a newer version.
    public static let vaultNewer = ErrorCode(
        "ERR-TT-203",
        .unavailable,
        .mendEnvironment,
        "This vault was written by a newer version.",
        "Ce coffre a été écrit par une version plus récente."
    )
    /// The vault's file is damaged, or is no vault.
    public static let vaultDamaged = ErrorCode(
        "ERR-TT-204",
        .verificationFailed,
        .mendEnvironment,
        "This file is damaged, or is not a vault.",
        "Ce fichier est endommagé, ou n'est pas un coffre."
    )
    /// The vault's file or folder can be read or written by others, or is not a plain file.
    public static let vaultUnsafe = ErrorCode(
        "ERR-TT-205",
        .unavailable,
        .mendEnvironment,
        "The vault's file or folder has an unsafe owner, mode or kind.",
        "Le fichier ou dossier du coffre a un propriétaire, des droits ou un type non sûrs."
    )
    /// The vault or the device's store can't be read or written now.
    public static let storageUnavailable = ErrorCode(
        "ERR-TT-206",
        .unavailable,
        .mendEnvironment,
        "The vault's storage is not available.",
        "Le stockage du coffre n'est pas disponible."
    )
    /// The disk is full.
    public static let diskFull = ErrorCode(
        "ERR-TT-207",
        .unavailable,
        .mendEnvironment,
        "The disk is full.",
        "Le disque est plein."
    )
    /// The vault was made on another kind of device.
    public static let deviceMismatch = ErrorCode(
        "ERR-TT-208",
        .unavailable,
        .correctInput,
        "This vault was made on another kind of device.",
        "Ce coffre a été créé sur un autre type d'appareil."
    )
    /// The device secret that the PIN needs is not on this device.
    public static let keyMissing = ErrorCode(
        "ERR-TT-209",
        .unavailable,
        .useRecoveryKey,
        "The key that the PIN needs is not on this device.",
        "La clé dont le code a besoin n'est pas sur cet appareil."
    )
    /// The vault opened, but what it authenticates was changed.
    public static let vaultTampered = ErrorCode(
        "ERR-TT-210",
        .verificationFailed,
        .exportAndRenew,
        "The vault was changed by something else than itself.",
        "Le coffre a été modifié par autre chose que lui-même."
    )
    /// A reset was begun and must be completed.
    public static let resetPending = ErrorCode(
        "ERR-TT-211",
        .refused,
        .retry,
        "A reset was begun and is not complete.",
        "Une réinitialisation est commencée et n'est pas terminée."
    )
    /// The store kept an item with less protection than asked for.
    public static let protectionDropped = ErrorCode(
        "ERR-TT-212",
        .unavailable,
        .mendEnvironment,
        "The device stored a key with less protection than asked for; it was deleted.",
        "L'appareil a stocké une clé avec moins de protection que demandé ; elle a été supprimée."
    )
}

// Ours: what the user gives.
extension ErrorCode {
    /// Unknown command, option or value.
    public static let usage = ErrorCode(
        "ERR-TT-301",
        .usage,
        .correctInput,
        "This command is not understood.",
        "Cette commande n'est pas comprise."
    )
    /// Standard input, or the descriptor for secrets, ended before everything was given.
    public static let inputClosed = ErrorCode(
        "ERR-TT-302",
        .usage,
        .correctInput,
        "The input ended before a secret was given.",
        "L'entrée s'est terminée avant qu'un secret soit donné."
    )
    /// The PIN or password is too short.
    public static let secretTooShort = ErrorCode(
        "ERR-TT-303",
        .usage,
        .correctInput,
        "A PIN needs 6 digits or more, a password 8 characters or more.",
        "Un code demande au moins 6 chiffres, un mot de passe au moins 8 caractères."
    )
    /// The PIN or password is one of the first that anybody would try.
    public static let secretTooCommon = ErrorCode(
        "ERR-TT-304",
        .usage,
        .correctInput,
        "This PIN or password is one of the first that anybody would try.",
        "Ce code ou mot de passe est l'un des premiers que chacun essaierait."
    )
    /// The device secret lies in a file, so the PIN must withstand guessing offline.
    public static let secretTooWeakForDevice = ErrorCode(
        "ERR-TT-305",
        .usage,
        .correctInput,
        "This device can't slow down guessing: 12 digits or a password are needed.",
        "Cet appareil ne peut ralentir les essais : 12 chiffres ou un mot de passe sont requis."
    )
    /// What was typed again is not the same.
    public static let confirmationDiffers = ErrorCode(
        "ERR-TT-306",
        .usage,
        .correctInput,
        "What was typed again is not the same.",
        "La seconde saisie n'est pas identique."
    )
    /// The PIN or password is longer than 1,024 bytes, or holds a control character.
    public static let secretMalformed = ErrorCode(
        "ERR-TT-307",
        .usage,
        .correctInput,
        "This PIN or password is too long or holds a control character.",
        "Ce code ou mot de passe est trop long ou contient un caractère de contrôle."
    )
    /// The recovery key has a typing mistake.
    public static let recoveryKeyMalformed = ErrorCode(
        "ERR-TT-308",
        .usage,
        .correctInput,
        "This is not a recovery key, or it has a typing mistake.",
        "Ceci n'est pas une clé de secours, ou elle contient une faute de frappe."
    )
    /// There is no recovery slot.
    public static let recoveryMissing = ErrorCode(
        "ERR-TT-309",
        .refused,
        .correctInput,
        "This vault has no confirmed recovery key.",
        "Ce coffre n'a pas de clé de secours confirmée."
    )
    /// The name is empty, too long, or holds a character that can't be shown.
    public static let nameInvalid = ErrorCode(
        "ERR-TT-310",
        .usage,
        .correctInput,
        "A name has 1 to 64 visible characters on one line.",
        "Un nom a de 1 à 64 caractères visibles sur une ligne."
    )
    /// Another wallet has this name.
    public static let nameTaken = ErrorCode(
        "ERR-TT-311",
        .refused,
        .correctInput,
        "Another wallet has this name.",
        "Un autre portefeuille porte ce nom."
    )
    /// No wallet has this name.
    public static let walletMissing = ErrorCode(
        "ERR-TT-312",
        .refused,
        .correctInput,
        "No wallet has this name.",
        "Aucun portefeuille ne porte ce nom."
    )
    /// A word is not in the English list of BIP-39.
    public static let mnemonicWordUnknown = ErrorCode(
        "ERR-TT-313",
        .usage,
        .correctInput,
        "A word of the mnemonic is not in the English list of BIP-39.",
        "Un mot de la phrase n'est pas dans la liste anglaise BIP-39."
    )
    /// The checksum of the mnemonic is wrong.
    public static let mnemonicChecksumWrong = ErrorCode(
        "ERR-TT-314",
        .usage,
        .correctInput,
        "The mnemonic's checksum is wrong: a word is mistaken or out of place.",
        "La somme de contrôle de la phrase est fausse : un mot est erroné ou mal placé."
    )
    /// A mnemonic has 12, 15, 18, 21 or 24 words.
    public static let mnemonicLengthWrong = ErrorCode(
        "ERR-TT-315",
        .usage,
        .correctInput,
        "A mnemonic has 12, 15, 18, 21 or 24 words.",
        "Une phrase a 12, 15, 18, 21 ou 24 mots."
    )
    /// A private key is 32 bytes in hexadecimal.
    public static let privateKeyMalformed = ErrorCode(
        "ERR-TT-316",
        .usage,
        .correctInput,
        "A private key is 64 hexadecimal digits, and not zero.",
        "Une clé privée a 64 chiffres hexadécimaux, et n'est pas nulle."
    )
    /// The secret is empty or longer than 1 MiB.
    public static let secretSizeWrong = ErrorCode(
        "ERR-TT-317",
        .usage,
        .correctInput,
        "A secret has 1 byte to 1 MiB.",
        "Un secret a de 1 octet à 1 Mio."
    )
    /// What should be typed to confirm was not.
    public static let confirmationMissing = ErrorCode(
        "ERR-TT-318",
        .refused,
        .correctInput,
        "The confirmation was not given; nothing was erased.",
        "La confirmation n'a pas été donnée ; rien n'a été effacé."
    )
    /// The file exists already, or can't be written.
    public static let fileExists = ErrorCode(
        "ERR-TT-319",
        .refused,
        .correctInput,
        "This file exists already.",
        "Ce fichier existe déjà."
    )

    /// A backup in the vault's folder could be taken for one of its own files.
    public static let backupInsideVault = ErrorCode(
        "ERR-TT-320",
        .usage,
        .correctInput,
        "A backup can't lie in the vault's own folder.",
        "Une sauvegarde ne peut être dans le dossier du coffre."
    )

    /// Every code, in order: for documentation, translation and tests.
    public static let catalogue: [ErrorCode] = [
        .biometricsUnavailable, .wrongSecretForEnabling, .biometricsNotStored, .biometricsNotPurged,
        .biometricsNotRecognised, .promptCancelled, .strongFactorRefused, .ledgerUnreliable, .biometricsChanged,
        .sessionExpired, .securityEventMissing, .auditUnavailable,
        .strongFactorRequired, .attemptDelayed, .localSecretSuspended, .locked, .authorizationExpired, .exportOnly,
        .busy, .assuranceTooLow, .biometricsAlreadyEnabled, .consentMissing, .accountRequired,
        .vaultMissing, .vaultExists, .vaultNewer, .vaultDamaged, .vaultUnsafe, .storageUnavailable, .diskFull,
        .deviceMismatch, .keyMissing, .vaultTampered, .resetPending, .protectionDropped,
        .usage, .inputClosed, .secretTooShort, .secretTooCommon, .secretTooWeakForDevice, .confirmationDiffers,
        .secretMalformed, .recoveryKeyMalformed, .recoveryMissing, .nameInvalid, .nameTaken, .walletMissing,
        .mnemonicWordUnknown, .mnemonicChecksumWrong, .mnemonicLengthWrong, .privateKeyMalformed, .secretSizeWrong,
        .confirmationMissing, .fileExists, .backupInsideVault,
    ]
}

extension StrongFactorReason {
    /// What the caller is told; whatever nobody classified ends in the strong factor (seed 002).
    public var errorCode: ErrorCode {
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
