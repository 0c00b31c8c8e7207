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
    /// The device secret that the PIN needs, or the key of system mode, is not on this device.
    public static let keyMissing = ErrorCode(
        "ERR-TT-209",
        .unavailable,
        .useRecoveryKey,
        "This device does not have its part of the key.",
        "Cet appareil n'a plus sa part de la clé."
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
    /// There is no wallet of a former app to take over.
    public static let legacyMissing = ErrorCode(
        "ERR-TT-213",
        .unavailable,
        .correctInput,
        "There is nothing here to take over.",
        "Il n'y a rien à reprendre ici."
    )
    /// This wallet was taken over before.
    public static let legacyAlreadyMigrated = ErrorCode(
        "ERR-TT-214",
        .refused,
        .correctInput,
        "This wallet is in the vault already.",
        "Ce portefeuille est déjà dans le coffre."
    )
    /// The former app's copies of one wallet differ: both are kept (K-09).
    public static let migrationConflict = ErrorCode(
        "ERR-TT-215",
        .verificationFailed,
        .exportAndRenew,
        "The former copies of the wallet differ; all of them were kept.",
        "Les anciennes copies du portefeuille diffèrent ; toutes ont été gardées."
    )
    /// The wallet is in the vault, but what the former app left could not all be erased yet.
    public static let legacyNotErased = ErrorCode(
        "ERR-TT-216",
        .unavailable,
        .retry,
        "The wallet was moved, but its former copy is not erased yet; it is tried again at the next start.",
        "Le portefeuille est repris, mais son ancienne copie n'est pas encore effacée ; nouvel essai au prochain démarrage."
    )
    /// Another copy of the vault was used since this one, or its ledger was changed, so that nobody can say that none was: only
    /// export, until the owner accepts it.
    public static let olderCopy = ErrorCode(
        "ERR-TT-218",
        .verificationFailed,
        .exportAndRenew,
        "An older copy of the vault was put back, or its ledger was changed; newer changes may be missing.",
        "Une copie plus ancienne du coffre a été remise, ou son registre modifié ; ce qui est plus récent peut manquer."
    )
    /// The new PIN or password counts, and the device did not confirm yet that what the former one needs is gone.
    public static let formerSecretRemains = ErrorCode(
        "ERR-TT-219",
        .unavailable,
        .retry,
        "The PIN or password was changed, but the former one may still open an old copy of the vault; deleting is tried again.",
        "Le code ou mot de passe est changé, mais l'ancien peut encore ouvrir une ancienne copie du coffre ; nouvel essai prévu."
    )
    /// The PIN's slot asks for more memory or time than any vault may: somebody may have changed it (A5).
    public static let costTooHigh = ErrorCode(
        "ERR-TT-220",
        .verificationFailed,
        .mendEnvironment,
        "This vault asks for more memory or time than any may: the most is 256 MiB and 10 passes.",
        "Ce coffre demande plus de mémoire ou de temps que permis : au plus 256 Mio et 10 passes."
    )
    /// The caller asks for keys that hardware guards, and this device has no such hardware (C14).
    public static let hardwareRequired = ErrorCode(
        "ERR-TT-217",
        .unavailable,
        .mendEnvironment,
        "No hardware guards the keys on this device.",
        "Aucun matériel ne garde les clés sur cet appareil."
    )
}
