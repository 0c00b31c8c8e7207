import ThumbturnConsole

/// What `thumbturnd help` says.
enum Help {
    static let all = CommandHelp(
        CommandTable.all,
        usage: Words("thumbturnd [--json] COMMAND", "thumbturnd [--json] COMMANDE"),
        general: Words(
            """
            The service key seals what a thief of the database shall not have. It lies in
            a file of its own, is never printed, and belongs in no backup of the database.

            --json        one object on standard output; a failure is {"error":{"code",
                          "message","hint"}}, and text on standard error
            exit codes    0 done, 1 refused, 2 usage, 3 storage or network unavailable,
                          4 verification failed
            environment   LC_ALL, LC_MESSAGES, LANG (English, French), NO_COLOR
            """,
            """
            La clé de service scelle ce qu'un voleur de la base ne doit pas avoir. Elle est
            dans un fichier à elle, n'est jamais affichée, et n'a sa place dans aucune
            sauvegarde de la base.

            --json           un objet sur la sortie standard ; un échec est
                             {"error":{"code","message","hint"}}, et du texte sur l'erreur
            codes de sortie  0 fait, 1 refusé, 2 usage, 3 stockage ou réseau indisponible,
                             4 vérification échouée
            environnement    LC_ALL, LC_MESSAGES, LANG (anglais, français), NO_COLOR
            """
        )
    )
}
