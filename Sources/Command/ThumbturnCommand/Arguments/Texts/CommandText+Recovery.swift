import Thumbturn
import ThumbturnConsole

// Help texts of recovery, backup and restore.
extension CommandText {
    static let createRecoveryKey = CommandText(
        Words("make a recovery key and show it once", "créer une clé de secours, affichée une fois"),
        secrets: [
            pin, Words("the key typed back, to confirm it at once", "la clé retapée, pour la confirmer aussitôt"),
        ],
        more: Words(
            "The key is confirmed once you type it back, here or to `recovery check`. A terminal shows it until Enter.",
            "La clé est confirmée une fois retapée, ici ou avec `recovery check`. Un terminal l'affiche jusqu'à Entrée."
        ),
        examples: ["thumbturn recovery create"]
    )
    static let checkRecoveryKey = CommandText(
        Words("confirm the recovery key", "confirmer la clé de secours"),
        secrets: [pin, recoveryKey],
        examples: ["thumbturn recovery check"]
    )
    static let recoveryStatus = CommandText(
        Words("show whether there is a confirmed recovery key", "montrer s'il y a une clé de secours confirmée"),
        more: Words(
            "No secret is needed: this is what the locked vault says of itself.",
            "Aucun secret n'est demandé : c'est ce que le coffre verrouillé dit de lui-même."
        ),
        examples: ["thumbturn recovery status"]
    )
    static let removeRecoveryKey = CommandText(
        Words("remove the recovery key", "retirer la clé de secours"),
        secrets: [pin],
        examples: ["thumbturn recovery remove"]
    )
    static let backUp = CommandText(
        Words("write a backup for the recovery key", "écrire une sauvegarde pour la clé de secours"),
        secrets: [pin],
        more: Words(
            """
            In a folder DIR it gets a name with the time, `thumbturn-20261126T070000Z.backup`; `-` is standard output. An \
            existing file stays. --force replaces a backup of the same vault, and only once the new one is complete. \
            `backup verify FILE` checks one.
            """,
            """
            Dans un dossier elle prend un nom daté, `thumbturn-20261126T070000Z.backup` ; `-` est la sortie standard. Un fichier \
            existant reste. --force remplace une sauvegarde du même coffre, et seulement une fois la nouvelle complète. \
            `backup verify FICHIER` en vérifie une.
            """
        ),
        examples: [
            "thumbturn backup /media/stick/savings.backup",
            "thumbturn backup /media/stick",
            "thumbturn backup --force nightly.backup --secret-fd 3 3< pin",
            "thumbturn backup - > savings.backup",
        ]
    )
    static let verifyBackup = CommandText(
        Words("check a backup by opening all of it", "vérifier une sauvegarde en ouvrant tout ce qu'elle contient"),
        secrets: [recoveryKey],
        more: Words(
            """
            It does what `restore` does and opens every wallet, but makes no vault. No device is needed and nothing is \
            changed. `-` is standard input. If something does not open, the exit code is 4.
            """,
            """
            La commande fait ce que fait `restore` et ouvre chaque portefeuille, mais ne crée pas de coffre. Aucun appareil \
            n'est nécessaire et rien n'est modifié. `-` est l'entrée standard. Si quelque chose ne s'ouvre pas, le code de \
            sortie est 4.
            """
        ),
        examples: ["thumbturn backup verify /media/stick/savings.backup", "thumbturn backup verify - < savings.backup"]
    )
    static let restore = CommandText(
        Words("make a vault from a backup", "créer un coffre à partir d'une sauvegarde"),
        secrets: [recoveryKey, newPIN],
        more: Words("`-` is standard input.", "`-` est l'entrée standard."),
        examples: [
            "thumbturn restore /media/stick/savings.backup",
            "thumbturn --vault /media/stick/vault restore savings.backup",
            "thumbturn restore - < savings.backup",
        ]
    )
}
