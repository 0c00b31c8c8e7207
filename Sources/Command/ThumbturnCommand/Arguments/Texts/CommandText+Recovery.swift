import Thumbturn
import ThumbturnConsole

// Help texts of recovery, backup and restore.
extension CommandText {
    static let createRecoveryKey = CommandText(
        Words("make a recovery key and print it once", "créer une clé de secours, affichée une fois"),
        secrets: [pin, Words("the key typed back, if at once", "la clé retapée, si c'est tout de suite")],
        more: Words(
            "The key counts once it was typed back, here or by `recovery check`. A terminal shows it until Enter.",
            "La clé compte une fois retapée, ici ou par `recovery check`. Un terminal l'affiche jusqu'à Entrée."
        ),
        examples: [
            "thumbturn recovery create"
        ]
    )
    static let checkRecoveryKey = CommandText(
        Words("confirm the recovery key", "confirmer la clé de secours"),
        secrets: [pin, recoveryKey],
        examples: [
            "thumbturn recovery check"
        ]
    )
    static let recoveryStatus = CommandText(
        Words("tell whether there is a recovery key that counts", "dire s'il y a une clé de secours qui compte"),
        more: Words(
            "Nothing is asked. What it tells is what the locked vault says of itself.",
            "Rien n'est demandé. C'est ce que le coffre verrouillé dit de lui-même."
        ),
        examples: [
            "thumbturn recovery status"
        ]
    )
    static let removeRecoveryKey = CommandText(
        Words("remove the recovery key", "retirer la clé de secours"),
        secrets: [pin],
        examples: [
            "thumbturn recovery remove"
        ]
    )
    static let backUp = CommandText(
        Words("write a backup for the recovery key", "écrire une sauvegarde pour la clé de secours"),
        secrets: [pin],
        more: Words(
            """
            In a folder DIR it gets a name with the time, `thumbturn-20261126T070000Z.backup`; `-` is standard output. A file that is \
            there stays, unless --force replaces it: only a backup of the same vault, once the new one is whole. \
            `backup verify FILE` opens one to try it.
            """,
            """
            Dans un dossier elle prend un nom daté, `thumbturn-20261126T070000Z.backup` ; `-` est la sortie standard. Un fichier \
            existant reste, sauf si --force le remplace : seulement une sauvegarde du même coffre, une fois la nouvelle entière. \
            `backup verify FICHIER` en ouvre une pour l'essayer.
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
        Words("open all that is in a backup, to try it", "ouvrir tout ce que contient une sauvegarde, pour l'essayer"),
        secrets: [recoveryKey],
        more: Words(
            """
            It goes as far as `restore` does, opens every wallet, and makes no vault. No device is needed and nothing is \
            changed. `-` is standard input. Where something does not open, the exit code is 4.
            """,
            """
            Elle va aussi loin que `restore`, ouvre chaque portefeuille, et ne crée pas de coffre. Aucun appareil n'est \
            nécessaire et rien n'est modifié. `-` est l'entrée standard. Si quelque chose ne s'ouvre pas, le code de sortie \
            est 4.
            """
        ),
        examples: [
            "thumbturn backup verify /media/stick/savings.backup",
            "thumbturn backup verify - < savings.backup",
        ]
    )
    static let restore = CommandText(
        Words("make a vault from a backup", "créer un coffre depuis une sauvegarde"),
        secrets: [recoveryKey, newPIN],
        more: Words("`-` is standard input.", "`-` est l'entrée standard."),
        examples: [
            "thumbturn restore /media/stick/savings.backup",
            "thumbturn --vault /media/stick/vault restore savings.backup",
            "thumbturn restore - < savings.backup",
        ]
    )
}
