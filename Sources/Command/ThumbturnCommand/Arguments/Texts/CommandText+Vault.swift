import Thumbturn
import ThumbturnConsole

// Help texts of init, status, unlock, reset, rekey, pin, biometrics and system-auth.
extension CommandText {
    static let initialize = CommandText(
        Words("make a vault", "créer un coffre"),
        secrets: [newPIN],
        more: Words(
            """
            With --biometrics the owner agrees that anyone enrolled on the device can open the \
            vault. If biometrics can't be enabled, the vault is made anyway, and the exit code \
            says so. --policy wallet is the default; `thumbturn policy show` shows its rules. \
            A PIN has 6 digits or more, or 12 where files keep the keys; a password 8 characters or more.
            """,
            """
            Avec --biometrics le propriétaire accepte que toute personne enregistrée sur \
            l'appareil puisse ouvrir le coffre. Si la biométrie ne peut être activée, le coffre est créé \
            quand même, et le code de sortie le dit. --policy wallet est le choix par défaut ; `thumbturn policy show` \
            montre ses règles. Un code a au moins 6 chiffres, ou 12 si des fichiers gardent les clés ; un mot de passe au \
            moins 8 caractères.
            """
        ),
        examples: [
            "thumbturn init",
            "thumbturn init --biometrics",
            "thumbturn --vault /media/stick/vault --device files init --no-biometrics",
        ]
    )
    static let status = CommandText(
        Words("show what can be known of a locked vault", "montrer ce qu'un coffre verrouillé peut dire"),
        examples: ["thumbturn status", "thumbturn status --json"]
    )
    static let unlock = CommandText(
        Words(
            "check that the vault opens, then lock it again",
            "vérifier que le coffre s'ouvre, puis le reverrouiller"
        ),
        secrets: [pin],
        more: Words(
            """
            With --recovery the lines are: recovery key, new PIN or password. \
            With --accept-older-copy the word \(OlderCopyConfirmation.phrase) follows those lines: the older copy that was \
            put back becomes the vault, and later changes are lost. If a former app's wallet is half moved, further lines \
            answer what its PIN turns out to need: a new PIN, the name of a second wallet, y to do without the finger.
            """,
            """
            Avec --recovery les lignes sont : clé de secours, nouveau code ou mot de passe. \
            Avec --accept-older-copy le mot \(OlderCopyConfirmation.phrase) suit ces lignes : la copie plus ancienne qui a \
            été remise devient le coffre, et ce qui a changé depuis est perdu. Si le portefeuille d'une ancienne app est à \
            moitié transféré, d'autres lignes répondent à ce que son code demande en plus : un nouveau code, le nom d'un \
            second portefeuille, o pour se passer du doigt.
            """
        ),
        shared: [unlocking, withoutTPM],
        examples: ["thumbturn unlock", "thumbturn unlock --recovery", "thumbturn unlock --accept-older-copy"]
    )
    static let reset = CommandText(
        Words("erase every wallet, slot and key", "effacer portefeuilles, accès et clés"),
        secrets: [Words("the word \(ResetConfirmation.phrase)", "le mot \(ResetConfirmation.phrase)")],
        shared: [withoutTPM],
        examples: ["thumbturn reset", "thumbturn --device files reset"]
    )
    static let rekey = CommandText(
        Words("give the vault a new master key", "donner au coffre une nouvelle clé maîtresse"),
        secrets: [
            pin, Words("the new recovery key typed back, if there is one", "la nouvelle clé de secours retapée"),
        ],
        more: Words(
            "Use it when a copy, a backup or a recovery key has leaked: what leaked opens nothing from later. Move the coins"
                + " of the wallets in it too. The PIN stays; `pin change` changes it. An account's key stays too; `account"
                + " password` replaces it. A damaged vault is refused, unless --give-up names each wallet that does not open, as"
                + " `wallet list` does, and --missing says how many are missing there, 0 if only labels are damaged. What is then"
                + " listed as kept becomes the vault: a damaged vault can prove only how many wallets it had.",
            "À lancer si une copie, une sauvegarde ou une clé de secours a fuité : ce qui a fuité n'ouvre rien de ce qui suit."
                + " Déplacez aussi les fonds de ses portefeuilles. Le code reste ; `pin change` le change. La clé d'un compte"
                + " reste aussi ; `account password` la remplace. Un coffre abîmé est refusé, sauf si --give-up nomme chaque"
                + " portefeuille qui ne s'ouvre pas, comme `wallet list`, et si --missing dit combien y manquent, 0 si seuls des"
                + " noms sont abîmés. Ce qui est alors listé comme gardé devient le coffre : un coffre abîmé ne prouve que le"
                + " nombre de ses portefeuilles."
        ),
        examples: ["thumbturn rekey", "thumbturn rekey --give-up savings --missing 1"]
    )
    static let changePIN = CommandText(
        Words("change the PIN or password", "changer le code ou le mot de passe"),
        secrets: [pin, newPIN],
        examples: ["thumbturn pin change"]
    )
    static let showPolicy = CommandText(
        Words("show the rules that `policy set` changes", "montrer les règles que change `policy set`"),
        more: Words(
            "No secret is needed. `thumbturn status` shows the other rules too.",
            "Aucun secret n'est demandé. `thumbturn status` montre aussi les autres règles."
        ),
        examples: ["thumbturn policy show", "thumbturn policy show --json"]
    )
    static let setPolicy = CommandText(
        Words("change one of the vault's rules", "changer une règle du coffre"),
        secrets: [pin],
        more: Words("NAME is ", "NOM est ") + PolicyRule.help
            + Words(
                """
                . A span is a number and s, m, h or d. A stricter value applies at once. A laxer one applies from the next \
                command that takes the PIN, which says so; until then it can be set back.
                """,
                """
                . Une durée est un nombre suivi de s, m, h ou d. Une valeur plus stricte vaut aussitôt. Une valeur moins \
                stricte vaut dès la prochaine commande qui demande le code, et elle le dit ; d'ici là on peut revenir en \
                arrière.
                """
            ),
        examples: [
            "thumbturn policy set auto-lock 2m",
            "thumbturn policy set strong-after-days 1",
            "thumbturn policy set lock-in-background yes",
        ]
    )
    static let biometricsStatus = CommandText(
        Words("show the state of Biometric Unlock", "montrer l'état du déverrouillage biométrique"),
        examples: ["thumbturn biometrics status"]
    )
    static let enableBiometrics = CommandText(
        Words(
            "enable Biometric Unlock: anyone enrolled opens the vault",
            "activer le déverrouillage biométrique : toute personne enregistrée ouvre le coffre"
        ),
        secrets: [pin],
        examples: ["thumbturn biometrics enable"]
    )
    static let disableBiometrics = CommandText(
        Words(
            "disable Biometric Unlock: only the PIN or password opens the vault",
            "désactiver le déverrouillage biométrique : seul le code ou mot de passe ouvre le coffre"
        ),
        secrets: [pin],
        more: Words(
            "An account's vault needs neither service nor password for it, unless its rules ask for the password.",
            "Pour le coffre d'un compte, il ne faut ni service ni mot de passe, sauf si ses règles demandent le mot de passe."
        ),
        examples: ["thumbturn biometrics disable"]
    )
    static let enableSystemAuthentication = CommandText(
        Words(
            "enable system authentication: the device's own prompt opens the vault; not on Linux",
            "activer l'authentification du système : celle de l'appareil ouvre le coffre ; pas sous Linux"
        ),
        secrets: [pin],
        more: Words(
            """
            The PIN and biometrics are removed: anyone who knows the device's passcode, or is enrolled \
            on it, opens the vault. It needs a confirmed recovery key, and is offered to the users named \
            in $XDG_CONFIG_HOME/thumbturn/system-auth-users (~/.config by default), one per line, or to \
            all with a line `*`. Without a terminal, the command itself is the owner's consent. On Linux \
            only the simulated device can do it: no other accepts a passcode in place of a finger.
            """,
            """
            Le code et la biométrie sont retirés : quiconque connaît le code de l'appareil, ou y est \
            enregistré, ouvre le coffre. Il faut une clé de secours confirmée, et l'option est proposée \
            aux utilisateurs nommés dans $XDG_CONFIG_HOME/thumbturn/system-auth-users (~/.config par \
            défaut), un par ligne, ou à tous par une ligne `*`. Hors d'un terminal, la commande \
            elle-même vaut consentement. Sous Linux seul l'appareil simulé le permet : aucun autre \
            n'accepte un code d'appareil à la place d'un doigt.
            """
        ),
        examples: ["thumbturn system-auth enable"]
    )
    static let disableSystemAuthentication = CommandText(
        Words(
            "disable system authentication: a new PIN opens the vault",
            "désactiver l'authentification du système : un nouveau code ouvre le coffre"
        ),
        secrets: [newPIN],
        more: Words(
            "The device asks for its owner first. The list of users makes no difference to this.",
            "L'appareil demande d'abord son propriétaire. La liste des utilisateurs n'y change rien."
        ),
        examples: ["thumbturn system-auth disable"]
    )
}
