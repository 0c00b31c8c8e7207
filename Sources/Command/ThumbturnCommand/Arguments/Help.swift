import ThumbturnConsole

/// The text of `thumbturn help`.
enum Help {
    static let all = CommandHelp(
        CommandTable.all,
        GeneralText(
            purpose: Words(
                "keep mnemonics and other small secrets in a vault that a finger, a face or a PIN opens",
                "garder des phrases mnémoniques et d'autres petits secrets dans un coffre qu'ouvrent un doigt, un visage ou un code"
            ),
            usage: Words(
                "thumbturn [--vault DIR] [--device D] [--require hardware] [--json] [--secret-fd N] COMMAND",
                "thumbturn [--vault DOSSIER] [--device D] [--require hardware] [--json] [--secret-fd N] COMMANDE"
            ),
            introduction: [
                Words(
                    """
                    Secrets are read from the terminal without echo, or from --secret-fd N, one line each, in the order that \
                    `thumbturn help COMMAND` lists, and not one more. They are never arguments. Each command opens the vault, does \
                    its work, locks and closes.
                    """,
                    """
                    Les secrets sont lus au terminal sans écho, ou depuis --secret-fd N, une ligne chacun, dans l'ordre que donne \
                    `thumbturn help COMMANDE`, et pas une de plus. Jamais en argument. Chaque commande ouvre le coffre, fait son \
                    travail, verrouille et ferme.
                    """
                )
            ],
            examples: [
                "thumbturn doctor", "thumbturn init", "thumbturn wallet import savings", "thumbturn recovery create",
                "thumbturn backup /media/stick/savings.backup", "thumbturn backup verify /media/stick/savings.backup",
                "thumbturn wallet export savings", "thumbturn restore /media/stick/savings.backup",
            ],
            options: options,
            exitCodes: exitCodes,
            environment: environment,
            files: files
        )
    )

    private typealias Entry = GeneralText.Entry

    private static let options = [
        Entry(
            Words("--vault DIR", "--vault DOSSIER"),
            Words("where the vault lies", "où se trouve le coffre")
        ),
        Entry(
            Words("--device D"),
            Words(
                """
                linux: a TPM where one answers, else files; files; simulated: it protects nothing. Only what makes a vault needs \
                it, linux is the default there; else a vault opens with the device it was made on, but --recovery and reset take \
                files where its TPM is gone
                """,
                """
                linux : un TPM s'il répond, sinon des fichiers ; files : des fichiers ; simulated : l'appareil simulé, qui ne \
                protège rien. Ne sert qu'à créer un coffre, où linux est le défaut ; sinon un coffre s'ouvre avec l'appareil où il \
                fut créé, mais --recovery et reset prennent files si son TPM est perdu
                """
            )
        ),
        Entry(
            Words("--require hardware"),
            Words(
                "refuse a device whose keys no hardware guards",
                "refuser un appareil dont aucun matériel ne garde les clés"
            )
        ),
        Entry(
            Words("--json"),
            Words(
                """
                one object on standard output; a failure is {"error":{"code", "message","hint","retryAfterSeconds"?}}, and text on \
                standard error
                """,
                """
                un objet sur la sortie standard ; un échec est {"error":{"code", "message","hint","retryAfterSeconds"?}}, et du \
                texte sur l'erreur
                """
            )
        ),
        Entry(
            Words("--secret-fd N"),
            Words("the descriptor that secrets are read from", "le descripteur où sont lus les secrets")
        ),
        Entry(
            Words("-h, --help"),
            Words("explain the command, or all of them", "expliquer la commande, ou toutes")
        ),
        Entry(Words("--version"), Words("say which release this is", "dire quelle est cette version")),
        Entry(
            Words("--"),
            Words(
                "what comes behind is no option, though it begin with a dash",
                "ce qui suit n'est pas une option, même avec un tiret au début"
            )
        ),
    ]

    private static let exitCodes = [
        Entry(Words("0"), Words("done", "fait")),
        Entry(
            Words("1"),
            Words("refused: wrong secret, locked out, cancelled", "refusé : mauvais secret, bloqué, annulé")
        ),
        Entry(Words("2"), Words("usage")),
        Entry(Words("3"), Words("storage or device unavailable", "stockage ou appareil indisponible")),
        Entry(Words("4"), Words("verification failed", "vérification échouée")),
    ]

    private static let environment = [
        Entry(
            Words("LC_ALL, LC_MESSAGES, LANG"),
            Words("English or French; UTF-8 or ASCII", "anglais ou français ; UTF-8 ou ASCII")
        ),
        Entry(
            Words("NO_COLOR, CLICOLOR_FORCE"),
            Words(
                "no colours; colours elsewhere than on a terminal too",
                "sans couleurs ; couleurs hors d'un terminal aussi"
            )
        ),
        Entry(Words("COLUMNS"), Words("how wide the lines are", "la largeur des lignes")),
        Entry(
            Words("TERM"),
            Words(
                "where it is `dumb`, nothing is drawn: every line is text",
                "si c'est `dumb`, rien n'est dessiné : chaque ligne est du texte"
            )
        ),
    ]

    private static let files = [
        Entry(
            Words("$XDG_DATA_HOME/thumbturn/vault"),
            Words(
                "the vault, unless --vault names another; ~/.local/share by default",
                "le coffre, sauf si --vault en nomme un autre ; ~/.local/share par défaut"
            )
        ),
        Entry(
            Words("$XDG_STATE_HOME/thumbturn"),
            Words(
                "the keys of its device, in folders of their own; ~/.local/state by default",
                "les clés de son appareil, dans leurs dossiers ; ~/.local/state par défaut"
            )
        ),
        Entry(
            Words("$XDG_CONFIG_HOME/thumbturn/system-auth-users"),
            Words(
                "who is offered system authentication, one a line; ~/.config by default",
                "à qui est proposée l'authentification du système, un par ligne ; ~/.config par défaut"
            )
        ),
    ]
}
