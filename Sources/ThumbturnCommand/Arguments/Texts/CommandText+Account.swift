import Thumbturn
import ThumbturnConsole

// What help says of account.
extension CommandText {
    static let register = CommandText(
        Words(
            "make an account, and a vault that its password opens",
            "créer un compte, et un coffre que son mot de passe ouvre"
        ),
        secrets: [password],
        more: serviceWords
            + Words(
                """
                 --offline-password lets the password open the vault while the service can't be reached: whoever copies the \
                vault and the device's store may then guess it. `thumbturn recovery create` makes the key that exports when \
                the password is forgotten.
                """,
                """
                 --offline-password laisse le mot de passe ouvrir le coffre sans le service : qui copie le coffre et les \
                clés de l'appareil peut alors le deviner. `thumbturn recovery create` crée la clé qui exporte si le mot de \
                passe est oublié.
                """
            ),
        examples: [
            "thumbturn account register ada --service https://id.example.com",
            "thumbturn account register ada --service http://127.0.0.1:8107",
        ]
    )
    static let logIn = CommandText(
        Words(
            "open with the account's password; make its vault here",
            "ouvrir avec le mot de passe du compte ; créer son coffre"
        ),
        secrets: [password],
        more: serviceWords
            + Words(
                " Named beside a vault that is there, they take the place of what it remembers. --accept-weaker agrees to a"
                    + " service that protects the password less than before.",
                " Donnés avec un coffre déjà là, ils remplacent ce qu'il retient. --accept-weaker accepte un service qui"
                    + " protège moins le mot de passe qu'avant."
            ),
        examples: [
            "thumbturn account login ada --service https://id.example.com",
            "thumbturn account login",
        ]
    )
    static let changePassword = CommandText(
        Words("change the account's password", "changer le mot de passe du compte"),
        secrets: [password, newPassword],
        more: Words(
            "Biometrics end here at once, and on each other device at its next contact. Open sessions, recovery keys and"
                + " copies from before stay.",
            "La biométrie cesse ici aussitôt, et sur chaque autre appareil à son prochain contact. Sessions ouvertes, clés de"
                + " secours et copies antérieures demeurent."
        ),
        examples: [
            "thumbturn account password"
        ]
    )
    static let devices = CommandText(
        Words(
            "list the account's devices, or revoke one",
            "lister les appareils du compte, ou en révoquer un"
        ),
        secrets: [password],
        examples: [
            "thumbturn account devices",
            "thumbturn account devices --revoke 7f3a9c20-5d41-4e8b-9b1e-2f60c4a8d915",
        ]
    )
    static let contact = CommandText(
        Words(
            "ask the service whether all is as it was",
            "demander au service si rien n'a changé"
        ),
        more: Words(
            "It needs no password: the device's own key signs. A password that was changed, or a device that was revoked,"
                + " ends biometrics here.",
            "Sans mot de passe : la clé de l'appareil signe. Un mot de passe changé, ou un appareil révoqué, met fin à la"
                + " biométrie ici."
        ),
        examples: [
            "thumbturn account contact"
        ]
    )
    static let closeAccount = CommandText(
        Words("close the account for ever", "fermer le compte pour toujours"),
        secrets: [password, Words("the account's name", "le nom du compte")],
        more: Words(
            "No password opens its vaults any more: the recovery key, which has to be there, exports.",
            "Aucun mot de passe n'ouvre plus ses coffres : la clé de secours, qui doit exister, exporte."
        ),
        examples: [
            "thumbturn account close"
        ]
    )

    private static let password = Words("the account's password", "mot de passe du compte")
    private static let newPassword = Words("the new password", "nouveau mot de passe")
    private static let serviceWords = Words(
        "URL is https, or http on this machine alone. --ca FILE names certificates that vouch for it, --pin KEY the base64 of the"
            + " SHA-256 of its public key; both are remembered.",
        "URL est en https, ou http sur cette machine seule. --ca FICHIER nomme des certificats qui en répondent, --pin CLÉ la"
            + " base64 du SHA-256 de sa clé publique ; les deux sont retenus."
    )
}
