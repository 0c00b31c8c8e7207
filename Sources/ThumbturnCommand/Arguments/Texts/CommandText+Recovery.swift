import Thumbturn
import ThumbturnConsole

// What help says of recovery, backup and restore.
extension CommandText {
    static let createRecoveryKey = CommandText(
        Words("make a recovery key and print it once", "créer une clé de secours, affichée une fois"),
        secrets: [pin, Words("the key typed back, if at once", "la clé retapée, si c'est tout de suite")],
        more: Words(
            "The key counts once it was typed back, here or by `recovery check`.",
            "La clé compte une fois retapée, ici ou par `recovery check`."
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
        examples: [
            "thumbturn backup /media/stick/savings.backup"
        ]
    )
    static let restore = CommandText(
        Words("make a vault from a backup", "créer un coffre depuis une sauvegarde"),
        secrets: [recoveryKey, newPIN],
        examples: [
            "thumbturn restore /media/stick/savings.backup",
            "thumbturn --vault /media/stick/vault restore savings.backup",
        ]
    )
}
