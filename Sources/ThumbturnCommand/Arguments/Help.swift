import ThumbturnConsole

/// What `thumbturn help` says.
enum Help {
    static let all = CommandHelp(
        CommandTable.all,
        usage: Words(
            """
            thumbturn [--vault DIR] [--device D] [--require hardware] [--json]
                      [--secret-fd N] COMMAND
            """,
            """
            thumbturn [--vault DOSSIER] [--device D] [--require hardware] [--json]
                      [--secret-fd N] COMMANDE
            """
        ),
        general: Words(
            """
            Secrets are read from the terminal without echo, or from --secret-fd N, one
            line each, in the order that `thumbturn help COMMAND` lists, and not one more.
            They are never arguments.
            Each command opens the vault, does its work, locks and closes.

            --vault DIR   default $XDG_DATA_HOME/thumbturn/vault
            --device D    linux: a TPM where one answers, else files; files; simulated: it
                          protects nothing. Only what makes a vault needs it, linux is the
                          default there; else a vault opens with the device it was made on,
                          but --recovery and reset take files where its TPM is gone
            --require hardware
                          refuse a device whose keys no hardware guards
            --json        one object on standard output; a failure is {"error":{"code",
                          "message","hint","retryAfterSeconds"?}}, and text on standard
                          error
            exit codes    0 done, 1 refused, 2 usage, 3 storage or device unavailable,
                          4 verification failed
            environment   LC_ALL, LC_MESSAGES, LANG (English, French), NO_COLOR
            """,
            """
            Les secrets sont lus au terminal sans écho, ou depuis --secret-fd N, une ligne
            chacun, dans l'ordre que donne `thumbturn help COMMANDE`, et pas une de plus.
            Jamais en argument.
            Chaque commande ouvre le coffre, fait son travail, verrouille et ferme.

            --vault DOSSIER  par défaut $XDG_DATA_HOME/thumbturn/vault
            --device D       linux : un TPM s'il répond, sinon des fichiers ; files ;
                             simulated : ne protège rien. Ne sert qu'à créer un coffre, où
                             linux est le défaut ; sinon un coffre s'ouvre avec l'appareil
                             où il fut créé, mais --recovery et reset prennent files si son
                             TPM est perdu
            --require hardware
                             refuser un appareil dont aucun matériel ne garde les clés
            --json           un objet sur la sortie standard ; un échec est
                             {"error":{"code","message","hint","retryAfterSeconds"?}}, et
                             du texte sur l'erreur
            codes de sortie  0 fait, 1 refusé, 2 usage, 3 stockage ou appareil indisponible,
                             4 vérification échouée
            environnement    LC_ALL, LC_MESSAGES, LANG (anglais, français), NO_COLOR
            """
        )
    )
}
