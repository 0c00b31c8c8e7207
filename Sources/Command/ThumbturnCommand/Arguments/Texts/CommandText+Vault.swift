import Thumbturn
import ThumbturnConsole

// Help texts of init, status, unlock, reset, rekey, pin, biometrics and system-auth.
extension CommandText {
    static let initialize = CommandText(
        Words("make a vault", "créer un coffre"),
        secrets: [newPIN],
        more: Words(
            """
            --biometrics is the owner's consent that whoever is enrolled can open the vault. \
            Where biometrics can't be enabled, the vault is made all the same, and the exit code \
            says so. --policy wallet names the rules that it begins with anyway; `thumbturn policy show` shows them. \
            A PIN has 6 digits or more, and 12 where files keep the keys; a password 8 characters.
            """,
            """
            --biometrics est le consentement du propriétaire : toute personne enrôlée peut \
            ouvrir le coffre. Si la biométrie ne peut être activée, le coffre est créé malgré \
            tout, et le code de sortie le dit. --policy wallet nomme les règles qu'il a de toute façon ; `thumbturn policy \
            show` les montre. Un code a au moins 6 chiffres, et 12 si des fichiers gardent les clés ; un mot de passe au moins \
            8 caractères.
            """
        ),
        examples: [
            "thumbturn init",
            "thumbturn init --biometrics",
            "thumbturn --vault /media/stick/vault --device files init --no-biometrics",
        ]
    )
    static let status = CommandText(
        Words(
            "show all that may be known of a locked vault",
            "montrer ce qu'un coffre verrouillé peut dire"
        ),
        examples: [
            "thumbturn status",
            "thumbturn status --json",
        ]
    )
    static let unlock = CommandText(
        Words("check that the vault opens, and close it", "vérifier que le coffre s'ouvre, et le fermer"),
        secrets: [pin],
        more: Words(
            """
            With --recovery the lines are: recovery key, new PIN or password. \
            With --accept-older-copy the word \(OlderCopyConfirmation.phrase) comes behind those lines: a copy that was put back is the vault from then on, and what was \
            changed since it was made is lost. Where a former app's wallet is half moved, further lines answer what its PIN \
            turns out to need, each once it is asked: a new PIN, the name of a second wallet, y to do without the finger.
            """,
            """
            Avec --recovery les lignes sont : clé de secours, nouveau code ou mot de passe. \
            Avec --accept-older-copy le mot \(OlderCopyConfirmation.phrase) suit ces lignes : une copie remise devient le coffre, et ce qui a changé depuis est \
            perdu. Si un portefeuille d'une ancienne app est à moitié transféré, d'autres lignes répondent à ce que son \
            code demande en plus : un nouveau code, le nom d'un second portefeuille, o pour se passer du doigt.
            """
        ),
        shared: [unlocking, withoutTPM],
        examples: [
            "thumbturn unlock",
            "thumbturn unlock --recovery",
            "thumbturn unlock --accept-older-copy",
        ]
    )
    static let reset = CommandText(
        Words("erase every wallet, slot and key", "effacer portefeuilles, accès et clés"),
        secrets: [Words("the word \(ResetConfirmation.phrase)", "le mot \(ResetConfirmation.phrase)")],
        shared: [withoutTPM],
        examples: [
            "thumbturn reset",
            "thumbturn --device files reset",
        ]
    )
    static let rekey = CommandText(
        Words("give the vault a new master key", "donner au coffre une nouvelle clé maîtresse"),
        secrets: [
            pin, Words("the new recovery key typed back, if there is one", "la nouvelle clé de secours retapée"),
        ],
        more: Words(
            "For when a copy, a backup or a recovery key leaked: it opens nothing that comes from now on. Move the coins of"
                + " the wallets in it. The PIN stays; `pin change` gives a new one. An account's key stays too; `account password` makes it anew. A wallet that does not open refuses it, unless --give-up names"
                + " it as `wallet list` does; --missing says how many are missing there, 0 where labels alone are damaged. What"
                + " is listed as kept is the vault then: how many there were is all that a damaged vault can prove.",
            "Si une copie, une sauvegarde ou une clé de secours a fuité : elle n'ouvre rien de ce qui suit. Déplacez les"
                + " fonds de ses portefeuilles. Le code reste ; `pin change` en donne un autre. La clé d'un compte reste aussi ; `account password` la refait. Un portefeuille qui ne s'ouvre pas l'empêche, sauf si --give-up"
                + " le nomme comme `wallet list` ; --missing dit combien y manquent, 0 si seuls des noms sont abîmés. Ce qui est"
                + " listé comme gardé est alors le coffre : un coffre abîmé ne prouve que le nombre de ses portefeuilles."
        ),
        examples: [
            "thumbturn rekey",
            "thumbturn rekey --give-up savings --missing 1",
        ]
    )
    static let changePIN = CommandText(
        Words("change the PIN or password", "changer le code ou mot de passe"),
        secrets: [pin, newPIN],
        examples: [
            "thumbturn pin change"
        ]
    )
    static let showPolicy = CommandText(
        Words("show the rules that `policy set` changes", "montrer les règles que change `policy set`"),
        more: Words(
            "Nothing is asked. `thumbturn status` shows the other rules too.",
            "Rien n'est demandé. `thumbturn status` montre aussi les autres règles."
        ),
        examples: [
            "thumbturn policy show",
            "thumbturn policy show --json",
        ]
    )
    static let setPolicy = CommandText(
        Words("change one of the vault's rules", "changer une règle du coffre"),
        secrets: [pin],
        more: Words(
            """
            NAME is auto-lock: how long an app's open session may rest (10s or more); strong-after-idle: how long \
            the vault may rest until a finger is not enough (30m, never); strong-after-days: how many days a finger is \
            enough without the PIN (3, never); least-assurance: what guards a finger's key at least (simulated, \
            softwareFile, osKeychain, hardwareBound); lock-in-background: whether an app locks when it leaves the \
            foreground (yes, no); offline-password: whether an account's password opens without its service (yes, no). \
            Spans are digits and s, m, h or d. What is stricter counts at once. What is laxer counts from the next \
            command on that takes the PIN, which says so; until then it can be set back.
            """,
            """
            NOM est auto-lock : combien de temps la session ouverte d'une app peut rester inactive (10s ou plus) ; \
            strong-after-idle : combien de temps le coffre peut rester inactif avant qu'un doigt ne suffise plus (30m, \
            never) ; strong-after-days : combien de jours un doigt suffit sans le code (3, never) ; least-assurance : ce \
            qui garde au moins la clé d'un doigt (simulated, softwareFile, osKeychain, hardwareBound) ; \
            lock-in-background : si une app verrouille en quittant le premier plan (yes, no) ; offline-password : si le \
            mot de passe d'un compte ouvre sans son service (yes, no). Une durée est un nombre suivi de s, m, h ou d. Ce \
            qui est plus strict compte aussitôt. Ce qui l'est moins compte dès la prochaine commande qui prend le code, \
            et elle le dit ; d'ici là on peut revenir en arrière.
            """
        ),
        examples: [
            "thumbturn policy set auto-lock 2m",
            "thumbturn policy set strong-after-days 1",
            "thumbturn policy set lock-in-background yes",
        ]
    )
    static let biometricsStatus = CommandText(
        Words("show where Biometric Unlock stands", "montrer où en est le déverrouillage biométrique"),
        examples: [
            "thumbturn biometrics status"
        ]
    )
    static let enableBiometrics = CommandText(
        Words(
            "enable Biometric Unlock: whoever is enrolled opens the vault",
            "activer le déverrouillage biométrique : toute personne enrôlée ouvre le coffre"
        ),
        secrets: [pin],
        examples: [
            "thumbturn biometrics enable"
        ]
    )
    static let disableBiometrics = CommandText(
        Words(
            "disable Biometric Unlock: the PIN or password alone opens",
            "désactiver le déverrouillage biométrique : seul le code ou mot de passe ouvre"
        ),
        secrets: [pin],
        more: Words(
            "An account's vault needs neither service nor password for it, unless its policy asks for the password.",
            "Pour le coffre d'un compte, ni service ni mot de passe, sauf si sa politique demande le mot de passe."
        ),
        examples: [
            "thumbturn biometrics disable"
        ]
    )
    static let enableSystemAuthentication = CommandText(
        Words(
            "enable system authentication: what the device itself asks for opens; not on Linux",
            "activer l'authentification du système : ce que demande l'appareil ouvre ; pas sous Linux"
        ),
        secrets: [pin],
        more: Words(
            """
            The PIN and biometrics go: whoever knows the device's passcode, or is enrolled on it, opens \
            the vault. It needs a confirmed recovery key, and it is offered to the users named in \
            $XDG_CONFIG_HOME/thumbturn/system-auth-users (~/.config by default), one a line, or to \
            all by a line `*`. Elsewhere than on a terminal the command itself is the owner's consent. \
            On Linux only the simulated device can: nothing else takes a passcode for a finger.
            """,
            """
            Le code et la biométrie disparaissent : quiconque connaît le code de l'appareil, ou y est \
            enrôlé, ouvre le coffre. Il faut une clé de secours confirmée, et l'option est proposée aux \
            utilisateurs nommés dans $XDG_CONFIG_HOME/thumbturn/system-auth-users (~/.config par \
            défaut), un par ligne, ou à tous par une ligne `*`. Hors d'un terminal, la commande \
            elle-même vaut consentement. Sous Linux seul l'appareil simulé le peut : rien d'autre ne \
            prend un code d'appareil pour un doigt.
            """
        ),
        examples: [
            "thumbturn system-auth enable"
        ]
    )
    static let disableSystemAuthentication = CommandText(
        Words(
            "disable system authentication: a new PIN opens",
            "désactiver l'authentification du système : un nouveau code ouvre"
        ),
        secrets: [newPIN],
        more: Words(
            "The device asks for its owner first. The feature flag has no say in this.",
            "L'appareil demande d'abord son propriétaire. La liste des utilisateurs n'y change rien."
        ),
        examples: [
            "thumbturn system-auth disable"
        ]
    )
}
