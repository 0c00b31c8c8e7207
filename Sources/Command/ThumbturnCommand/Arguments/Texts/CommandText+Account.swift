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
                 If an account with this name exists and the password is right, this device joins it; with a wrong password \
                nothing is made. --offline-password lets the password open the vault while the service can't be reached: then \
                anyone who copies the vault and the device's keys can guess at it. `thumbturn recovery create` makes the key \
                that still exports if the password is forgotten.
                """,
                """
                 Si un compte de ce nom existe et que le mot de passe est bon, cet appareil le rejoint ; avec un mot de passe \
                erroné, rien n'est créé. --offline-password laisse le mot de passe ouvrir le coffre quand le service est \
                injoignable : qui copie le coffre et les clés de l'appareil peut alors essayer de le deviner. `thumbturn \
                recovery create` crée la clé qui exporte encore si le mot de passe est oublié.
                """
            ),
        examples: [
            "thumbturn account register ada --service https://id.example.com",
            "thumbturn account register ada --service http://127.0.0.1:8107",
        ]
    )
    static let logIn = CommandText(
        Words(
            "open the vault with the account's password, or make it on a further device",
            "ouvrir le coffre avec le mot de passe du compte, ou le créer sur un autre appareil"
        ),
        secrets: [password],
        more: serviceWords
            + Words(
                " Given for a vault that exists, these options replace what it remembers, and this device's name."
                    + " --accept-weaker accepts a service that protects the password less than before.",
                " Données pour un coffre existant, ces options remplacent ce qu'il a retenu, et le nom de cet appareil."
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
            "Biometrics are turned off here at once, and on each other device at its next contact. Open sessions, recovery"
                + " keys and earlier copies are not affected.",
            "La biométrie est désactivée ici aussitôt, et sur chaque autre appareil à son prochain contact. Les sessions"
                + " ouvertes, les clés de secours et les copies antérieures restent valables."
        ),
        examples: ["thumbturn account password"]
    )
    static let devices = CommandText(
        Words("list the account's devices, or revoke one", "lister les appareils du compte, ou en révoquer un"),
        secrets: [password],
        more: Words(
            "--revoke takes a device's name or id, or a prefix that no other device shares.",
            "--revoke demande le nom ou l'identifiant d'un appareil, ou un début qu'aucun autre appareil ne partage."
        ),
        examples: ["thumbturn account devices", "thumbturn account devices --revoke phone"]
    )
    static let moveAccount = CommandText(
        Words("follow the service to another address", "suivre le service à une autre adresse"),
        secrets: [password],
        more: Words(
            "For a service that has moved: there it has to prove that it is still this vault's service. The former --ca and"
                + " --pin apply, unless you give others. Run it on each device.",
            "Pour un service qui a déménagé : il doit y prouver qu'il est toujours celui de ce coffre. Les --ca et --pin"
                + " d'avant s'appliquent, sauf si vous en donnez d'autres. À lancer sur chaque appareil."
        ),
        examples: [
            "thumbturn account move https://id.example.net"
        ]
    )
    static let contact = CommandText(
        Words("ask the service for news of the account", "demander au service des nouvelles du compte"),
        more: Words(
            "It needs no password: the device's own key signs. If the password was changed or this device was revoked,"
                + " biometrics are turned off here.",
            "Sans mot de passe : la clé de l'appareil signe. Si le mot de passe a changé ou si cet appareil a été révoqué,"
                + " la biométrie est désactivée ici."
        ),
        examples: ["thumbturn account contact"]
    )
    static let closeAccount = CommandText(
        Words("close the account permanently", "fermer le compte définitivement"),
        secrets: [password, Words("the account's name", "le nom du compte")],
        more: Words(
            "No password opens its vaults afterwards. The recovery key, which has to exist, still exports.",
            "Ensuite aucun mot de passe n'ouvre ses coffres. La clé de secours, qui doit exister, exporte encore."
        ),
        examples: ["thumbturn account close"]
    )

    private static let password = Words("the account's password", "mot de passe du compte")
    private static let newPassword = Words("the new password", "nouveau mot de passe")
    private static let serviceWords = Words(
        "URL is https, or http on this machine only. --ca FILE has the certificates to trust for it, --pin KEY is the base64 of"
            + " the SHA-256 of its public key; the vault remembers both. --device-name TEXT is this device's name in the account,"
            + " by default its kind of system; the service can read it.",
        "URL est en https, ou en http sur cette machine seulement. --ca FICHIER contient les certificats à reconnaître, --pin"
            + " CLÉ est la base64 du SHA-256 de sa clé publique ; le coffre retient les deux. --device-name TEXTE est le nom de"
            + " cet appareil dans le compte, par défaut son système ; le service peut le lire."
    )
}
