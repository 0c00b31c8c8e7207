import Thumbturn
import ThumbturnConsole

// Help texts of credential.
extension CommandText {
    static let setCredential = CommandText(
        Words("store a credential that can be fetched again", "enregistrer un identifiant remplaçable"),
        secrets: [Words("the credential", "l'identifiant")],
        more: Words(
            """
            It is stored beside the wallets, not among them: no PIN guards it, and it is lost when \
            the enrolled biometrics change. With --biometrics you are prompted once, to prove that \
            it can be read back; without, any program of yours can read it while the device is \
            unlocked.
            """,
            """
            Il est enregistré à côté des portefeuilles, pas parmi eux : aucun code ne le garde, et \
            il est perdu quand la biométrie enregistrée change. Avec --biometrics, une vérification \
            est demandée une fois, pour prouver qu'il se relit ; sans, tout programme à vous peut \
            le lire tant que l'appareil est déverrouillé.
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
        Words(
            "print a credential, after one prompt if it is locked",
            "afficher un identifiant, après une vérification s'il est protégé"
        ),
        shared: [raw],
        examples: ["thumbturn credential get mail", "thumbturn credential get ssh --raw > id_ed25519"]
    )
    static let listCredentials = CommandText(
        Words("list the credentials, without a prompt", "lister les identifiants, sans rien demander"),
        more: Words(
            "It opens none: anyone who can read the vault's folder can read the names, and which ones biometrics guard.",
            "Aucun n'est ouvert : qui peut lire le dossier du coffre peut lire les noms, et lesquels la biométrie protège."
        ),
        examples: ["thumbturn credential list"]
    )
    static let upgradeCredential = CommandText(
        Words(
            "put a credential behind biometrics, after one prompt",
            "protéger un identifiant par la biométrie, après une vérification"
        ),
        examples: ["thumbturn credential upgrade mail"]
    )
    static let downgradeCredential = CommandText(
        Words(
            "remove biometrics from a credential, after one prompt",
            "retirer la biométrie d'un identifiant, après une vérification"
        ),
        examples: ["thumbturn credential downgrade mail"]
    )
    static let removeCredential = CommandText(
        Words("delete a credential, locked or not", "supprimer un identifiant, protégé ou non"),
        more: Words(
            "If its key was on a TPM that is gone permanently, --device files does without it.",
            "Si sa clé était sur un TPM définitivement perdu, --device files s'en passe."
        ),
        examples: ["thumbturn credential remove mail", "thumbturn --device files credential remove mail"]
    )
}
