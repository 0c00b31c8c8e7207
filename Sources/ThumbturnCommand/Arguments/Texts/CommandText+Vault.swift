import Thumbturn
import ThumbturnConsole

// What help says of init, status, unlock, reset, rekey, pin, biometrics and system-auth.
extension CommandText {
    static let initialize = CommandText(
        Words("make a vault", "créer un coffre"),
        secrets: [newPIN],
        more: Words(
            """
            --biometrics is the owner's consent that whoever is enrolled can open the vault. \
            Where biometrics can't be enabled, the vault is made all the same, and the exit code \
            says so.
            """,
            """
            --biometrics est le consentement du propriétaire : toute personne enrôlée peut \
            ouvrir le coffre. Si la biométrie ne peut être activée, le coffre est créé malgré \
            tout, et le code de sortie le dit.
            """
        )
    )
    static let status = CommandText(
        Words(
            "show all that may be known of a locked vault",
            "montrer ce qu'un coffre verrouillé peut dire"
        )
    )
    static let unlock = CommandText(
        Words("check that the vault opens, and close it", "vérifier que le coffre s'ouvre, et le fermer"),
        secrets: [pin],
        more: unlocking
            + Words(
                " With --recovery the lines are: recovery key, new PIN or password. ",
                " Avec --recovery les lignes sont : clé de secours, nouveau code ou mot de passe. "
            ) + withoutTPM
            + Words(
                """
                 With --accept-older-copy the word \(OlderCopyConfirmation.phrase) comes behind those lines: a copy that was put back is the vault from then on, and what was \
                changed since it was made is lost.
                """,
                """
                 Avec --accept-older-copy le mot \(OlderCopyConfirmation.phrase) suit ces lignes : une copie remise devient le coffre, et ce qui a changé depuis est \
                perdu.
                """
            )
    )
    static let reset = CommandText(
        Words("erase every wallet, slot and key", "effacer portefeuilles, accès et clés"),
        secrets: [Words("the word \(ResetConfirmation.phrase)", "le mot \(ResetConfirmation.phrase)")],
        more: withoutTPM
    )
    static let rekey = CommandText(
        Words("give the vault a new master key", "donner au coffre une nouvelle clé maîtresse"),
        secrets: [
            pin, Words("the new recovery key typed back, if there is one", "la nouvelle clé de secours retapée"),
        ],
        more: Words(
            "For when a copy, a backup or a recovery key leaked: it opens nothing that comes from now on. Move the coins of"
                + " the wallets in it. The PIN stays; `pin change` gives a new one. A wallet that does not open refuses it, unless --give-up names"
                + " it as `wallet list` does; --missing says how many are missing there, 0 where labels alone are damaged. What"
                + " is listed as kept is the vault then: how many there were is all that a damaged vault can prove.",
            "Si une copie, une sauvegarde ou une clé de secours a fuité : elle n'ouvre rien de ce qui suit. Déplacez les"
                + " fonds de ses portefeuilles. Le code reste ; `pin change` en donne un autre. Un portefeuille qui ne s'ouvre pas l'empêche, sauf si --give-up"
                + " le nomme comme `wallet list` ; --missing dit combien y manquent, 0 si seuls des noms sont abîmés. Ce qui est"
                + " listé comme gardé est alors le coffre : un coffre abîmé ne prouve que le nombre de ses portefeuilles."
        )
    )
    static let changePIN = CommandText(
        Words("change the PIN or password", "changer le code ou mot de passe"),
        secrets: [pin, newPIN]
    )
    static let biometricsStatus = CommandText(
        Words("show where biometrics stand", "état de la biométrie")
    )
    static let enableBiometrics = CommandText(
        Words("let whoever is enrolled open the vault", "laisser ouvrir toute personne enrôlée"),
        secrets: [pin]
    )
    static let disableBiometrics = CommandText(
        Words("take that back", "revenir en arrière"),
        secrets: [pin]
    )
    static let enableSystemAuthentication = CommandText(
        Words(
            "open with what the device itself asks for; not on Linux",
            "ouvrir avec ce que l'appareil demande ; pas sous Linux"
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
        )
    )
    static let disableSystemAuthentication = CommandText(
        Words("go back to a PIN, a new one", "revenir à un code, un nouveau"),
        secrets: [newPIN],
        more: Words(
            "The device asks for its owner first. The feature flag has no say in this.",
            "L'appareil demande d'abord son propriétaire. La liste des utilisateurs n'y change rien."
        )
    )
}
