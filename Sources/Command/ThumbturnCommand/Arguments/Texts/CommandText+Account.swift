import Thumbturn
import ThumbturnConsole

// Help texts of account.
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
                 Where the name exists it logs in with the password: nothing is registered, and this is a further device of the \
                account; with any other password nothing is made. \
                --offline-password lets the password open the vault while the service can't be reached: whoever copies the \
                vault and the device's store may then guess it. `thumbturn recovery create` makes the key that exports when \
                the password is forgotten.
                """,
                """
                 Si le nom existe, la commande ouvre une session avec le mot de passe : rien n'est inscrit, et l'appareil \
                s'ajoute au compte ; avec un autre mot de passe, rien n'est créé. \
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
                " Named beside a vault that is there, they take the place of what it remembers, and of this device's name."
                    + " --accept-weaker agrees to a service that protects the password less than before.",
                " Donnés avec un coffre déjà là, ils remplacent ce qu'il retient, et le nom de cet appareil."
                    + " --accept-weaker accepte un service qui protège moins le mot de passe qu'avant."
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
        more: Words(
            "--revoke takes a name, an identifier, or the beginning of one that no other device has.",
            "--revoke demande un nom, un identifiant, ou un début qu'aucun autre appareil n'a."
        ),
        examples: [
            "thumbturn account devices",
            "thumbturn account devices --revoke phone",
        ]
    )
    static let moveAccount = CommandText(
        Words("follow the service to another address", "suivre le service à une autre adresse"),
        secrets: [password],
        more: Words(
            "For a service that has moved: it proves there that it is the same one, and this vault's. What vouches for it stays,"
                + " unless --ca FILE or --pin KEY names another. Each device follows by itself.",
            "Pour un service qui a déménagé : il prouve là-bas qu'il est le même, et celui de ce coffre. Ce qui en répond"
                + " demeure, sauf si --ca FICHIER ou --pin CLÉ nomme autre chose. Chaque appareil le suit de son côté."
        ),
        examples: [
            "thumbturn account move https://id.example.net"
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
            + " SHA-256 of its public key; both are remembered. --device-name TEXT is what the account calls this device, by"
            + " default its kind of system; the service reads it.",
        "URL est en https, ou http sur cette machine seule. --ca FICHIER nomme des certificats qui en répondent, --pin CLÉ la"
            + " base64 du SHA-256 de sa clé publique ; les deux sont retenus. --device-name TEXTE est le nom de cet appareil dans"
            + " le compte, par défaut son système ; le service le lit."
    )
}
