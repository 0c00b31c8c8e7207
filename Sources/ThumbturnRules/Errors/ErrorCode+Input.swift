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
    /// The PIN or password is too short where the device secret lies in a file: there it must withstand guessing offline.
    public static let secretTooWeakForDevice = ErrorCode(
        "ERR-TT-305",
        .usage,
        .correctInput,
        "This device can't slow down guessing: a PIN needs 12 digits or more, a password 8 characters or more.",
        "Cet appareil ne ralentit pas les essais : au moins 12 chiffres pour un code, 8 caractères pour un mot de passe."
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
        "The confirmation was not given; nothing was changed.",
        "La confirmation n'a pas été donnée ; rien n'a été modifié."
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
    /// Not a wallet of a former app, or cut short.
    public static let legacyMalformed = ErrorCode(
        "ERR-TT-321",
        .usage,
        .correctInput,
        "This is no wallet of a known former app, or it is cut short.",
        "Ce n'est pas un portefeuille d'une application connue, ou il est tronqué."
    )
    /// A former app's format, in a version that nobody knows here.
    public static let legacyVersionUnknown = ErrorCode(
        "ERR-TT-322",
        .usage,
        .correctInput,
        "This version of the former app's wallet is unknown.",
        "Cette version de l'ancien portefeuille est inconnue."
    )
    /// The PIN or password does not open the former wallet.
    public static let legacySecretRefused = ErrorCode(
        "ERR-TT-323",
        .refused,
        .retry,
        "This PIN or password does not open the former wallet.",
        "Ce code ou mot de passe n'ouvre pas l'ancien portefeuille."
    )
    /// The former wallet opens, but what is in it is no valid mnemonic.
    public static let legacyChecksumWrong = ErrorCode(
        "ERR-TT-324",
        .verificationFailed,
        .correctInput,
        "The former wallet holds no valid mnemonic: its checksum is wrong.",
        "L'ancien portefeuille ne contient pas de phrase valide : sa somme de contrôle est fausse."
    )
    /// A backup is larger than any may be.
    public static let backupTooLarge = ErrorCode(
        "ERR-TT-325",
        .usage,
        .correctInput,
        "A backup has 4 GiB at most.",
        "Une sauvegarde a au plus 4 Gio."
    )
}
