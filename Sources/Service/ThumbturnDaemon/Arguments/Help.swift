import ThumbturnConsole

/// The text of `thumbturnd help`.
enum Help {
    static let all = CommandHelp(
        CommandTable.all,
        GeneralText(
            purpose: Words("serve the accounts of thumbturn", "servir les comptes de thumbturn"),
            usage: Words("thumbturnd [--json] COMMAND", "thumbturnd [--json] COMMANDE"),
            introduction: [
                Words(
                    """
                    The service key seals what a thief of the database must not get. It is in a file of its own, is never \
                    printed, and belongs in no backup of the database.
                    """,
                    """
                    La clé de service scelle ce qu'un voleur de la base ne doit pas obtenir. Elle est dans un fichier à part, n'est \
                    jamais affichée, et n'a sa place dans aucune sauvegarde de la base.
                    """
                )
            ],
            options: [
                Entry(
                    Words("--json"),
                    Words(
                        """
                        one object on standard output; a failure is {"error":{"code","message","hint"}}, and text on standard error
                        """,
                        """
                        un objet sur la sortie standard ; un échec est {"error":{"code","message","hint"}}, et du texte sur l'erreur standard
                        """
                    )
                )
            ],
            exitCodes: [
                Entry(Words("0"), Words("done", "fait")),
                Entry(Words("1"), Words("refused", "refusé")),
                Entry(Words("2"), Words("usage")),
                Entry(Words("3"), Words("storage or network unavailable", "stockage ou réseau indisponible")),
                Entry(Words("4"), Words("verification failed", "échec de la vérification")),
            ],
            environment: [
                Entry(Words("LC_ALL, LC_MESSAGES, LANG"), Words("English or French", "anglais ou français")),
                Entry(Words("NO_COLOR"), Words("no colours", "sans couleurs")),
            ]
        )
    )

    private typealias Entry = GeneralText.Entry
}
