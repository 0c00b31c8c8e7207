import Thumbturn
import ThumbturnConsole

// Help texts of credential.
extension CommandText {
    static let setCredential = CommandText(
        Words("store a credential that can be fetched again", "enregistrer un identifiant remplaçable"),
        secrets: [Words("the credential", "l'identifiant")],
        more: Words(
            """
            It lies beside the wallets, not among them: no PIN guards it, and whoever changes the \
            biometrics loses it. With --biometrics the prompt is shown once, to prove that the \
            credential can be read back; without, any program of the unlocked device's user can \
            read it.
            """,
            """
            Il est à côté des portefeuilles, pas parmi eux : aucun code ne le garde, et changer la \
            biométrie le perd. Avec --biometrics le capteur est demandé une fois, pour prouver \
            que l'identifiant se relit ; sans, tout programme de l'utilisateur de l'appareil \
            déverrouillé peut le lire.
            """
        ),
        shared: [severalLines],
        examples: [
            "thumbturn credential set mail",
            "thumbturn credential set ssh --biometrics --file id_ed25519",
            "thumbturn credential set token --file - < token.txt",
        ]
    )
    static let getCredential = CommandText(
        Words("print a credential, after one prompt if it is locked", "afficher un identifiant"),
        shared: [raw],
        examples: [
            "thumbturn credential get mail",
            "thumbturn credential get ssh --raw > id_ed25519",
        ]
    )
    static let listCredentials = CommandText(
        Words("list the credentials, without a prompt", "lister les identifiants, sans rien demander"),
        more: Words(
            "It opens none: names, and whether biometrics guard them, can be read by whoever can read the vault's folder.",
            "Aucun n'est ouvert : qui peut lire le dossier du coffre peut lire leurs noms, et si la biométrie les protège."
        ),
        examples: ["thumbturn credential list"]
    )
    static let upgradeCredential = CommandText(
        Words("put a credential behind biometrics, after one prompt", "protéger par la biométrie"),
        examples: [
            "thumbturn credential upgrade mail"
        ]
    )
    static let downgradeCredential = CommandText(
        Words("take the biometrics away, after one prompt", "retirer la biométrie"),
        examples: [
            "thumbturn credential downgrade mail"
        ]
    )
    static let removeCredential = CommandText(
        Words("delete a credential, locked or not", "supprimer un identifiant"),
        more: Words(
            "Where its key lies on a TPM that is gone for good, --device files goes on without it.",
            "Si sa clé est sur un TPM perdu pour toujours, --device files s'en passe."
        ),
        examples: [
            "thumbturn credential remove mail",
            "thumbturn --device files credential remove mail",
        ]
    )
}
