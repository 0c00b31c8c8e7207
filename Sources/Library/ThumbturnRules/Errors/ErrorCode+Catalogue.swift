struct CatalogueEntry {
    let text: String
    let category: ErrorCode.Category
    let recovery: ErrorCode.Recovery
    let message: Words

    init(
        _ text: String,
        _ category: ErrorCode.Category,
        _ recovery: ErrorCode.Recovery,
        _ english: String,
        _ french: String
    ) {
        self.text = text
        self.category = category
        self.recovery = recovery
        message = Words(english, french)
    }
}

extension ErrorCode {
    /// The code's text, category, recovery and message.
    ///
    /// New codes are added at the end of their hundred; published ones are never renumbered or reused.
    var entry: CatalogueEntry {
        switch self {
        // Seed 002, section 6: twelve codes with its French text, word for word.
        case .biometricsUnavailable:
            CatalogueEntry(
                "ERR-107-001",
                .refused,
                .offerStrongFactor,
                "Face ID/Touch ID is not available on this device.",
                "Face ID/Touch ID non disponible sur cet appareil."
            )
        case .wrongSecretForEnabling:
            CatalogueEntry("ERR-107-010", .refused, .retry, "Wrong password.", "Mot de passe incorrect.")
        case .biometricsNotStored:
            CatalogueEntry(
                "ERR-107-020",
                .unavailable,
                .retry,
                "Biometrics could not be enabled.",
                "Impossible d'activer la biométrie."
            )
        case .biometricsNotPurged:
            CatalogueEntry(
                "ERR-107-021",
                .unavailable,
                .retry,
                "Biometrics are off, but not everything was deleted; this is tried again at the next start.",
                "Désactivation incomplète, nouvelle tentative requise."
            )
        case .biometricsNotRecognised:
            CatalogueEntry(
                "ERR-107-030",
                .refused,
                .retry,
                "Biometric authentication failed.",
                "Authentification biométrique échouée."
            )
        case .promptCancelled:
            CatalogueEntry(
                "ERR-107-031",
                .refused,
                .offerStrongFactor,
                "Authentication was cancelled.",
                "Authentification annulée."
            )
        case .strongFactorRefused:
            CatalogueEntry(
                "ERR-107-040",
                .refused,
                .retry,
                "You could not be authenticated.",
                "Impossible de vous authentifier."
            )
        case .ledgerUnreliable:
            CatalogueEntry(
                "ERR-107-050",
                .refused,
                .offerStrongFactor,
                "A security check is needed.",
                "Vérification de sécurité requise."
            )
        case .biometricsChanged:
            CatalogueEntry(
                "ERR-107-060",
                .refused,
                .strongFactorThenReenable,
                "Your biometric data have changed. Enable biometrics again.",
                "Vos données biométriques ont changé. Réactivez la biométrie."
            )
        case .sessionExpired:
            CatalogueEntry(
                "ERR-107-070",
                .refused,
                .offerStrongFactor,
                "The session has expired. Your password is needed.",
                "Session expirée. Mot de passe requis."
            )
        case .securityEventMissing:
            CatalogueEntry(
                "ERR-107-080",
                .refused,
                .strongFactorThenReenable,
                "A security check is needed.",
                "Vérification de sécurité requise."
            )
        case .auditUnavailable:
            CatalogueEntry(
                "ERR-107-090",
                .unavailable,
                .retry,
                "The connection is limited. The action was recorded on this device.",
                "Connexion limitée. Action enregistrée localement."
            )
        // Ours: unlocking.
        case .strongFactorRequired:
            CatalogueEntry(
                "ERR-TT-101",
                .refused,
                .offerStrongFactor,
                "Your PIN or password is needed.",
                "Votre code ou mot de passe est requis."
            )
        case .attemptDelayed:
            CatalogueEntry(
                "ERR-TT-102",
                .refused,
                .wait,
                "You have to wait before the next try.",
                "Vous devez attendre avant le prochain essai."
            )
        case .localSecretSuspended:
            CatalogueEntry(
                "ERR-TT-103",
                .refused,
                .useRecoveryKey,
                "The PIN or password is suspended after ten wrong tries.",
                "Le code ou mot de passe est suspendu après dix essais erronés."
            )
        case .locked:
            CatalogueEntry(
                "ERR-TT-104",
                .refused,
                .offerStrongFactor,
                "The vault is locked.",
                "Le coffre est verrouillé."
            )
        case .authorizationExpired:
            CatalogueEntry(
                "ERR-TT-105",
                .refused,
                .offerStrongFactor,
                "This needs your PIN or password, given within the last minute.",
                "Ceci demande votre code ou mot de passe, donné dans la dernière minute."
            )
        case .exportOnly:
            CatalogueEntry(
                "ERR-TT-106",
                .refused,
                .exportAndRenew,
                "This session can only export.",
                "Cette session ne permet que l'exportation."
            )
        case .busy:
            CatalogueEntry(
                "ERR-TT-107",
                .unavailable,
                .retry,
                "Another operation on the vault is under way.",
                "Une autre opération sur le coffre est en cours."
            )
        case .assuranceTooLow:
            CatalogueEntry(
                "ERR-TT-108",
                .refused,
                .mendEnvironment,
                "This device protects keys less than the vault's policy requires.",
                "Cet appareil protège moins les clés que ne l'exigent les règles du coffre."
            )
        case .biometricsAlreadyEnabled:
            CatalogueEntry(
                "ERR-TT-109",
                .refused,
                .correctInput,
                "Biometrics are already enabled.",
                "La biométrie est déjà activée."
            )
        case .consentMissing:
            CatalogueEntry(
                "ERR-TT-110",
                .refused,
                .correctInput,
                "This needs an explicit confirmation.",
                "Ceci demande une confirmation explicite."
            )
        case .accountRequired:
            CatalogueEntry(
                "ERR-TT-111",
                .refused,
                .correctInput,
                "This needs an account: its password opens the vault, not a PIN.",
                "Ceci demande un compte : son mot de passe ouvre le coffre, et non un code."
            )
        case .systemModeOnly:
            CatalogueEntry(
                "ERR-TT-112",
                .refused,
                .offerSystem,
                "This vault opens only with the device's own authentication.",
                "Ce coffre ne s'ouvre qu'avec l'authentification de l'appareil."
            )
        case .systemModeOff:
            CatalogueEntry(
                "ERR-TT-113",
                .refused,
                .correctInput,
                "System authentication is not enabled.",
                "L'authentification du système n'est pas activée."
            )
        case .systemModeNotOffered:
            CatalogueEntry(
                "ERR-TT-114",
                .refused,
                .correctInput,
                "System authentication is not offered here.",
                "L'authentification du système n'est pas proposée ici."
            )
        case .recoveryKeyRequired:
            CatalogueEntry(
                "ERR-TT-115",
                .refused,
                .correctInput,
                "This needs a confirmed recovery key first.",
                "Ceci demande d'abord une clé de secours confirmée."
            )
        case .systemPromptEnded:
            CatalogueEntry(
                "ERR-TT-116",
                .refused,
                .reopen,
                "The device did not recognise you.",
                "L'appareil ne vous a pas reconnu."
            )
        case .passcodeMissing:
            CatalogueEntry(
                "ERR-TT-117",
                .refused,
                .mendEnvironment,
                "This device has no passcode.",
                "Cet appareil n'a pas de code."
            )
        case .migrationIncomplete:
            CatalogueEntry(
                "ERR-TT-118",
                .refused,
                .offerStrongFactor,
                "Your PIN is needed first, to finish moving your wallet.",
                "Votre code est d'abord requis pour terminer le transfert du portefeuille."
            )
        case .migrationNeedsBiometrics:
            CatalogueEntry(
                "ERR-TT-119",
                .refused,
                .retry,
                "Your finger or face is needed too, to finish moving your wallet as it is.",
                "Votre doigt ou visage est aussi requis, pour terminer le transfert du portefeuille tel quel."
            )
        case .proofNotAccepted:
            CatalogueEntry(
                "ERR-TT-120",
                .refused,
                .retry,
                "What the device took, such as an Apple Watch, does not open this. Use your finger, face or passcode.",
                "Ce que l'appareil a accepté, comme une Apple Watch, n'ouvre pas ceci. Utilisez doigt, visage ou code."
            )
        // Ours: storage and device.
        case .vaultMissing:
            CatalogueEntry(
                "ERR-TT-201",
                .unavailable,
                .correctInput,
                "There is no vault here.",
                "Il n'y a pas de coffre ici."
            )
        case .vaultExists:
            CatalogueEntry(
                "ERR-TT-202",
                .refused,
                .correctInput,
                "There is already a vault here.",
                "Il y a déjà un coffre ici."
            )
        case .vaultNewer:
            CatalogueEntry(
                "ERR-TT-203",
                .unavailable,
                .mendEnvironment,
                "This vault was written by a newer version.",
                "Ce coffre a été écrit par une version plus récente."
            )
        case .vaultDamaged:
            CatalogueEntry(
                "ERR-TT-204",
                .verificationFailed,
                .mendEnvironment,
                "This file is damaged, or is not a vault.",
                "Ce fichier est endommagé, ou n'est pas un coffre."
            )
        case .vaultUnsafe:
            CatalogueEntry(
                "ERR-TT-205",
                .unavailable,
                .mendEnvironment,
                "The vault's file or folder has an unsafe owner, permissions or type.",
                "Le fichier ou dossier du coffre a un propriétaire, des droits ou un type non sûrs."
            )
        case .storageUnavailable:
            CatalogueEntry(
                "ERR-TT-206",
                .unavailable,
                .mendEnvironment,
                "The vault's storage is not available.",
                "Le stockage du coffre n'est pas disponible."
            )
        case .diskFull:
            CatalogueEntry("ERR-TT-207", .unavailable, .mendEnvironment, "The disk is full.", "Le disque est plein.")
        case .deviceMismatch:
            CatalogueEntry(
                "ERR-TT-208",
                .unavailable,
                .correctInput,
                "This vault was made on another kind of device.",
                "Ce coffre a été créé sur un autre type d'appareil."
            )
        case .keyMissing:
            CatalogueEntry(
                "ERR-TT-209",
                .unavailable,
                .useRecoveryKey,
                "This device does not have its part of the key.",
                "Cet appareil n'a pas sa part de la clé."
            )
        case .vaultTampered:
            CatalogueEntry(
                "ERR-TT-210",
                .verificationFailed,
                .exportAndRenew,
                "The vault was changed from outside.",
                "Le coffre a été modifié de l'extérieur."
            )
        case .resetPending:
            CatalogueEntry(
                "ERR-TT-211",
                .refused,
                .retry,
                "A reset was started, but not completed.",
                "Une réinitialisation a été commencée, mais pas terminée."
            )
        case .protectionDropped:
            CatalogueEntry(
                "ERR-TT-212",
                .unavailable,
                .mendEnvironment,
                "The device stored a key with less protection than asked for; it was deleted.",
                "L'appareil a stocké une clé avec moins de protection que demandé ; elle a été supprimée."
            )
        case .legacyMissing:
            CatalogueEntry(
                "ERR-TT-213",
                .unavailable,
                .correctInput,
                "There is nothing here to import.",
                "Il n'y a rien à importer ici."
            )
        case .legacyAlreadyMigrated:
            CatalogueEntry(
                "ERR-TT-214",
                .refused,
                .correctInput,
                "This wallet is already in the vault.",
                "Ce portefeuille est déjà dans le coffre."
            )
        case .migrationConflict:
            CatalogueEntry(
                "ERR-TT-215",
                .verificationFailed,
                .exportAndRenew,
                "The former copies of the wallet differ; all of them were kept.",
                "Les anciennes copies du portefeuille diffèrent ; toutes ont été gardées."
            )
        case .legacyNotErased:
            CatalogueEntry(
                "ERR-TT-216",
                .unavailable,
                .retry,
                "The wallet was imported, but its former copy is not erased yet; this is tried again at the next start.",
                "Le portefeuille est importé, mais son ancienne copie n'est pas encore effacée ; nouvel essai au prochain démarrage."
            )
        case .hardwareRequired:
            CatalogueEntry(
                "ERR-TT-217",
                .unavailable,
                .mendEnvironment,
                "No hardware guards the keys on this device.",
                "Aucun matériel ne garde les clés sur cet appareil."
            )
        case .olderCopy:
            CatalogueEntry(
                "ERR-TT-218",
                .verificationFailed,
                .exportAndRenew,
                "An older copy of the vault was put back, or its ledger was changed; newer changes may be missing.",
                "Une copie plus ancienne du coffre a été remise, ou son registre modifié ; ce qui est plus récent peut manquer."
            )
        case .formerSecretRemains:
            CatalogueEntry(
                "ERR-TT-219",
                .unavailable,
                .retry,
                "The PIN or password was changed, but the former one may still open an old copy of the vault; this is tried again.",
                "Le code ou mot de passe est changé, mais l'ancien peut encore ouvrir une ancienne copie du coffre ; nouvel essai prévu."
            )
        case .costTooHigh:
            CatalogueEntry(
                "ERR-TT-220",
                .verificationFailed,
                .mendEnvironment,
                "This vault asks for more memory or time than allowed: at most 256 MiB and 10 passes.",
                "Ce coffre demande plus de mémoire ou de temps que permis : au plus 256 Mio et 10 passes."
            )
        case .memoryNotAllowed:
            CatalogueEntry(
                "ERR-TT-223",
                .unavailable,
                .mendEnvironment,
                "Unlocking this vault takes more memory than this part of the app may use: open the app itself.",
                "Déverrouiller ce coffre demande plus de mémoire que cette partie de l'app n'en a : ouvrez l'app elle-même."
            )
        case .logUnusable:
            CatalogueEntry(
                "ERR-TT-221",
                .verificationFailed,
                .mendEnvironment,
                "The log beside this file is damaged or another file's: the latest changes may be missing.",
                "Le journal à côté de ce fichier est abîmé ou celui d'un autre : les derniers changements peuvent manquer."
            )
        case .trailBroken:
            CatalogueEntry(
                "ERR-TT-222",
                .verificationFailed,
                .mendEnvironment,
                "The trail was changed, or part of it is missing.",
                "Le journal a été modifié, ou il en manque une partie."
            )
        // Ours: the user's input.
        case .usage:
            CatalogueEntry(
                "ERR-TT-301",
                .usage,
                .correctInput,
                "This request is not valid.",
                "Cette demande n'est pas valide."
            )
        case .inputClosed:
            CatalogueEntry(
                "ERR-TT-302",
                .usage,
                .correctInput,
                "The input ended before a secret was given.",
                "L'entrée s'est terminée avant qu'un secret soit donné."
            )
        case .secretTooShort:
            CatalogueEntry(
                "ERR-TT-303",
                .usage,
                .correctInput,
                "A PIN needs 6 digits or more, a password 8 characters or more.",
                "Un code demande au moins 6 chiffres, un mot de passe au moins 8 caractères."
            )
        case .secretTooCommon:
            CatalogueEntry(
                "ERR-TT-304",
                .usage,
                .correctInput,
                "This PIN or password is one of the first that anyone would try.",
                "Ce code ou mot de passe est l'un des premiers que l'on essaierait."
            )
        case .secretTooWeakForDevice:
            CatalogueEntry(
                "ERR-TT-305",
                .usage,
                .correctInput,
                "This device can't slow down guessing: a PIN needs 12 digits or more, a password 8 characters or more.",
                "Cet appareil ne ralentit pas les essais : au moins 12 chiffres pour un code, 8 caractères pour un mot de passe."
            )
        case .confirmationDiffers:
            CatalogueEntry(
                "ERR-TT-306",
                .usage,
                .correctInput,
                "The two entries are not the same.",
                "Les deux saisies ne sont pas identiques."
            )
        case .secretMalformed:
            CatalogueEntry(
                "ERR-TT-307",
                .usage,
                .correctInput,
                "This PIN or password is too long, contains a control character or is not text.",
                "Ce code ou mot de passe est trop long, contient un caractère de contrôle ou n'est pas du texte."
            )
        case .recoveryKeyMalformed:
            CatalogueEntry(
                "ERR-TT-308",
                .usage,
                .correctInput,
                "This is not a recovery key, or it has a typing mistake.",
                "Ceci n'est pas une clé de secours, ou elle contient une faute de frappe."
            )
        case .recoveryMissing:
            CatalogueEntry(
                "ERR-TT-309",
                .refused,
                .correctInput,
                "This vault has no confirmed recovery key.",
                "Ce coffre n'a pas de clé de secours confirmée."
            )
        case .nameInvalid:
            CatalogueEntry(
                "ERR-TT-310",
                .usage,
                .correctInput,
                "A name has 1 to 64 visible characters on one line.",
                "Un nom a de 1 à 64 caractères visibles sur une ligne."
            )
        case .nameTaken:
            CatalogueEntry(
                "ERR-TT-311",
                .refused,
                .correctInput,
                "Another wallet has this name.",
                "Un autre portefeuille porte ce nom."
            )
        case .walletMissing:
            CatalogueEntry(
                "ERR-TT-312",
                .refused,
                .correctInput,
                "No wallet has this name.",
                "Aucun portefeuille ne porte ce nom."
            )
        case .mnemonicWordUnknown:
            CatalogueEntry(
                "ERR-TT-313",
                .usage,
                .correctInput,
                "A word of the mnemonic is not in the English list of BIP-39.",
                "Un mot de la phrase n'est pas dans la liste anglaise BIP-39."
            )
        case .mnemonicChecksumWrong:
            CatalogueEntry(
                "ERR-TT-314",
                .usage,
                .correctInput,
                "The mnemonic's checksum is wrong: a word is wrong or out of place.",
                "La somme de contrôle de la phrase est fausse : un mot est erroné ou mal placé."
            )
        case .mnemonicLengthWrong:
            CatalogueEntry(
                "ERR-TT-315",
                .usage,
                .correctInput,
                "A mnemonic has 12, 15, 18, 21 or 24 words.",
                "Une phrase a 12, 15, 18, 21 ou 24 mots."
            )
        case .privateKeyMalformed:
            CatalogueEntry(
                "ERR-TT-316",
                .usage,
                .correctInput,
                "A private key is 64 hexadecimal digits, and not zero.",
                "Une clé privée a 64 chiffres hexadécimaux, et n'est pas nulle."
            )
        case .secretSizeWrong:
            CatalogueEntry(
                "ERR-TT-317",
                .usage,
                .correctInput,
                "A secret has 1 byte to 1 MiB.",
                "Un secret a de 1 octet à 1 Mio."
            )
        case .confirmationMissing:
            CatalogueEntry(
                "ERR-TT-318",
                .refused,
                .correctInput,
                "The confirmation was not given.",
                "La confirmation n'a pas été donnée."
            )
        case .fileExists:
            CatalogueEntry(
                "ERR-TT-319",
                .refused,
                .correctInput,
                "Something with this name exists already, and was not touched.",
                "Quelque chose porte déjà ce nom, et n'a pas été touché."
            )
        case .backupInsideVault:
            CatalogueEntry(
                "ERR-TT-320",
                .usage,
                .correctInput,
                "A backup can't be in the vault's own folder.",
                "Une sauvegarde ne peut être dans le dossier du coffre."
            )
        case .legacyMalformed:
            CatalogueEntry(
                "ERR-TT-321",
                .usage,
                .correctInput,
                "This is not a wallet of a known app, or it is truncated.",
                "Ce n'est pas un portefeuille d'une application connue, ou il est tronqué."
            )
        case .legacyVersionUnknown:
            CatalogueEntry(
                "ERR-TT-322",
                .usage,
                .correctInput,
                "This version of the former app's wallet is unknown.",
                "Cette version de l'ancien portefeuille est inconnue."
            )
        case .legacySecretRefused:
            CatalogueEntry(
                "ERR-TT-323",
                .refused,
                .retry,
                "This PIN or password does not open the former wallet.",
                "Ce code ou mot de passe n'ouvre pas l'ancien portefeuille."
            )
        case .legacyChecksumWrong:
            CatalogueEntry(
                "ERR-TT-324",
                .verificationFailed,
                .correctInput,
                "The former wallet contains no valid mnemonic: its checksum is wrong.",
                "L'ancien portefeuille ne contient pas de phrase valide : sa somme de contrôle est fausse."
            )
        case .backupTooLarge:
            CatalogueEntry(
                "ERR-TT-325",
                .usage,
                .correctInput,
                "A backup has 4 GiB at most.",
                "Une sauvegarde a au plus 4 Gio."
            )
        case .legacyHoldsOther:
            CatalogueEntry(
                "ERR-TT-326",
                .verificationFailed,
                .correctInput,
                "The PIN or password opens the former wallet, but there is no mnemonic in it.",
                "Le code ou mot de passe ouvre l'ancien portefeuille, mais il ne contient pas de phrase."
            )
        case .trailMalformed:
            CatalogueEntry(
                "ERR-TT-327",
                .usage,
                .correctInput,
                "This is not an export of a trail.",
                "Ce n'est pas l'export d'un journal."
            )
        // Ours: the credential vault; the twelve errors of seed 004, with their names in brackets.
        case .credentialsUnavailable:
            CatalogueEntry(
                "ERR-TT-401",
                .refused,
                .mendEnvironment,
                "Biometrics can't be used on this device now.",
                "La biométrie ne peut pas être utilisée sur cet appareil."
            )
        case .credentialsMissing:
            CatalogueEntry(
                "ERR-TT-402",
                .refused,
                .correctInput,
                "No credentials are stored.",
                "Aucun identifiant n'est enregistré."
            )
        case .credentialsPlain:
            CatalogueEntry(
                "ERR-TT-403",
                .refused,
                .correctInput,
                "The credentials are not behind biometrics.",
                "Les identifiants ne sont pas protégés par la biométrie."
            )
        case .credentialsNotLocked:
            CatalogueEntry(
                "ERR-TT-404",
                .refused,
                .correctInput,
                "The credentials are not locked.",
                "Les identifiants ne sont pas verrouillés."
            )
        case .credentialsAlreadyLocked:
            CatalogueEntry(
                "ERR-TT-405",
                .refused,
                .correctInput,
                "The credentials are already locked.",
                "Les identifiants sont déjà verrouillés."
            )
        case .credentialsLocked:
            CatalogueEntry(
                "ERR-TT-406",
                .refused,
                .correctInput,
                "The credentials are locked: unlock them first, or reset.",
                "Les identifiants sont verrouillés : déverrouillez-les d'abord, ou réinitialisez."
            )
        case .credentialsLockedAlreadyStored:
            CatalogueEntry(
                "ERR-TT-407",
                .refused,
                .correctInput,
                "Locked credentials are already stored.",
                "Des identifiants verrouillés sont déjà enregistrés."
            )
        case .credentialsAlreadyPlain:
            CatalogueEntry(
                "ERR-TT-408",
                .refused,
                .correctInput,
                "Credentials are already stored without biometrics.",
                "Des identifiants sont déjà enregistrés sans biométrie."
            )
        case .credentialsNeedUpgrade:
            CatalogueEntry(
                "ERR-TT-409",
                .refused,
                .correctInput,
                "Credentials are stored without biometrics: upgrade them.",
                "Des identifiants sont enregistrés sans biométrie : améliorez leur protection."
            )
        case .credentialsAlreadySecured:
            CatalogueEntry(
                "ERR-TT-410",
                .refused,
                .correctInput,
                "Credentials are already stored behind biometrics.",
                "Des identifiants sont déjà protégés par la biométrie."
            )
        case .credentialsNotRead:
            CatalogueEntry(
                "ERR-TT-411",
                .unavailable,
                .retry,
                "The credentials could not be read.",
                "Les identifiants n'ont pas pu être lus."
            )
        case .credentialsNotStored:
            CatalogueEntry(
                "ERR-TT-412",
                .unavailable,
                .retry,
                "The credentials could not be stored; what was there is untouched.",
                "Les identifiants n'ont pas pu être enregistrés ; l'existant est intact."
            )

        // Ours: the account and its service.
        case .serviceUnreachable:
            CatalogueEntry(
                "ERR-TT-501",
                .unavailable,
                .retry,
                "The account's service can't be reached.",
                "Le service du compte est injoignable."
            )
        case .serviceNotProved:
            CatalogueEntry(
                "ERR-TT-502",
                .verificationFailed,
                .mendEnvironment,
                "The service did not prove that it is the account's.",
                "Le service n'a pas prouvé qu'il est celui du compte."
            )
        case .serviceWeakened:
            CatalogueEntry(
                "ERR-TT-503",
                .refused,
                .mendEnvironment,
                "The service asks for weaker protection of the password than before.",
                "Le service demande une protection du mot de passe plus faible qu'avant."
            )
        case .accountNameTaken:
            CatalogueEntry(
                "ERR-TT-504",
                .refused,
                .correctInput,
                "An account has this name already, and this is not its password.",
                "Un compte porte déjà ce nom, et ce mot de passe n'est pas le sien."
            )
        case .accountNameInvalid:
            CatalogueEntry(
                "ERR-TT-505",
                .usage,
                .correctInput,
                "The name of an account has 1 to 64 characters, each one of a-z 0-9 . _ + @ or a hyphen.",
                "Le nom d'un compte a 1 à 64 caractères, chacun parmi a-z 0-9 . _ + @ ou un trait d'union."
            )
        case .accountKeyMissing:
            CatalogueEntry(
                "ERR-TT-506",
                .verificationFailed,
                .useRecoveryKey,
                "The account's key is missing or can't be read; nothing was overwritten.",
                "La clé du compte manque ou est illisible ; rien n'a été écrasé."
            )
        case .accountMismatch:
            CatalogueEntry(
                "ERR-TT-507",
                .refused,
                .correctInput,
                "The vault on this device is not this account's.",
                "Le coffre de cet appareil n'est pas celui de ce compte."
            )
        case .accountChanged:
            CatalogueEntry(
                "ERR-TT-508",
                .refused,
                .retry,
                "The account was changed elsewhere meanwhile.",
                "Le compte a été modifié ailleurs entre-temps."
            )
        case .accountDevicesLag:
            CatalogueEntry(
                "ERR-TT-509",
                .refused,
                .correctInput,
                "Too many devices have not logged in since the last changes: revoke those that are gone.",
                "Trop d'appareils ne se sont pas connectés depuis les derniers changements : révoquez ceux qui ne servent plus."
            )
        case .serviceDiffers:
            CatalogueEntry(
                "ERR-TT-510",
                .verificationFailed,
                .mendEnvironment,
                "The service there is not the one of this vault's account, or is an older state of it.",
                "Le service à cette adresse n'est pas celui du compte de ce coffre, ou en est un état plus ancien."
            )
        case .serviceElsewhere:
            CatalogueEntry(
                "ERR-TT-511",
                .refused,
                .correctInput,
                "This vault knows its account's service at another address.",
                "Ce coffre connaît le service de son compte à une autre adresse."
            )
        case .contactNotProved:
            CatalogueEntry(
                "ERR-TT-512",
                .verificationFailed,
                .offerStrongFactor,
                "The answer is not proved by this device's last login, so it is ignored: log in.",
                "La réponse n'est pas prouvée par la dernière connexion de cet appareil, et est ignorée : connectez-vous."
            )
        case .certificateExpired:
            CatalogueEntry(
                "ERR-TT-513",
                .verificationFailed,
                .mendEnvironment,
                "The certificate of the account's service has expired.",
                "Le certificat du service du compte a expiré."
            )
        case .certificateClock:
            CatalogueEntry(
                "ERR-TT-514",
                .verificationFailed,
                .mendEnvironment,
                "By this device's clock the certificate of the account's service is not valid: the clock looks wrong.",
                "D'après l'horloge de cet appareil, le certificat du service du compte n'est pas valable : elle semble fausse."
            )
        case .certificateUnknown:
            CatalogueEntry(
                "ERR-TT-515",
                .verificationFailed,
                .mendEnvironment,
                "No authority that this device trusts vouches for the account's service.",
                "Aucune autorité reconnue par cet appareil ne garantit le service du compte."
            )
        case .registrationClosed:
            CatalogueEntry(
                "ERR-TT-516",
                .refused,
                .mendEnvironment,
                "The service registers no new accounts.",
                "Le service n'inscrit pas de nouveaux comptes."
            )
        case .accountUnknown:
            CatalogueEntry(
                "ERR-TT-517",
                .refused,
                .correctInput,
                "No account has this name.",
                "Aucun compte ne porte ce nom."
            )
        case .logContradicted:
            CatalogueEntry(
                "ERR-TT-518",
                .verificationFailed,
                .mendEnvironment,
                "The service's log contradicts what the service signed.",
                "Le registre du service contredit ce que le service a signé."
            )
        }
    }
}
