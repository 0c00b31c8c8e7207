import ThumbturnConsole

/// The text of `thumbturn help`.
enum Help {
    static let all = CommandHelp(
        CommandTable.all,
        GeneralText(
            purpose: Words(
                "keep mnemonics and other small secrets in a vault that a finger, a face or a PIN opens",
                "garder des phrases mnémoniques et d'autres petits secrets dans un coffre qu'ouvre une empreinte, un visage ou un code"
            ),
            usage: Words(
                "thumbturn [--vault DIR] [--device D] [--require hardware] [--json] [--secret-fd N] COMMAND",
                "thumbturn [--vault DOSSIER] [--device D] [--require hardware] [--json] [--secret-fd N] COMMANDE"
            ),
            introduction: [
                Words(
                    """
                    Secrets are read from the terminal without echo, or from --secret-fd N: one line each, in the order that \
                    `thumbturn help COMMAND` lists, and no more. They are never arguments. Each command opens the vault, does its \
                    work and locks it again.
                    """,
                    """
                    Les secrets sont lus au terminal sans écho, ou depuis --secret-fd N : une ligne chacun, dans l'ordre que donne \
                    `thumbturn help COMMANDE`, et pas une de plus. Ils ne sont jamais des arguments. Chaque commande ouvre le \
                    coffre, fait son travail et le reverrouille.
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
        Entry(Words("--vault DIR", "--vault DOSSIER"), Words("the vault's folder", "le dossier du coffre")),
        Entry(
            Words("--device D"),
            Words(
                """
                linux: a TPM if one answers, else files; files; simulated: protects nothing. Needed only to make a vault, on linux \
                by default; from then on the vault opens on the device it was made on. If its TPM is gone, --recovery and reset \
                accept files
                """,
                """
                linux : un TPM s'il répond, sinon des fichiers ; files : des fichiers ; simulated : l'appareil simulé, qui ne \
                protège rien. Ne sert qu'à créer un coffre, par défaut sur linux ; ensuite le coffre s'ouvre sur l'appareil où il a \
                été créé. Si son TPM est perdu, --recovery et reset acceptent files
                """
            )
        ),
        Entry(
            Words("--require hardware"),
            Words(
                "refuse a device without hardware to guard its keys",
                "refuser un appareil sans matériel qui garde ses clés"
            )
        ),
        Entry(
            Words("--json"),
            Words(
                """
                one object on standard output; a failure is {"error":{"code", "message","hint","retryAfterSeconds"?, \
                "underlying"?}}, and text on standard error
                """,
                """
                un objet sur la sortie standard ; un échec est {"error":{"code", "message","hint","retryAfterSeconds"?, \
                "underlying"?}}, et du texte sur l'erreur standard
                """
            )
        ),
        Entry(
            Words("--secret-fd N"),
            Words("the file descriptor to read secrets from", "le descripteur où lire les secrets")
        ),
        Entry(Words("-h, --help"), Words("explain the command, or all of them", "expliquer la commande, ou toutes")),
        Entry(Words("--version"), Words("print the version", "afficher la version")),
        Entry(
            Words("--"),
            Words(
                "what follows is not an option, even with a leading dash",
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
        Entry(Words("4"), Words("verification failed", "échec de la vérification")),
    ]

    private static let environment = [
        Entry(
            Words("LC_ALL, LC_MESSAGES, LANG"),
            Words("English or French; UTF-8 or ASCII", "anglais ou français ; UTF-8 ou ASCII")
        ),
        Entry(
            Words("NO_COLOR, CLICOLOR_FORCE"),
            Words("no colours; colours even outside a terminal", "sans couleurs ; couleurs même hors d'un terminal")
        ),
        Entry(Words("COLUMNS"), Words("the width of lines", "la largeur des lignes")),
        Entry(
            Words("TERM"),
            Words("`dumb` means plain lines, without boxes", "`dumb` signifie des lignes simples, sans cadre")
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
                "the keys of its device, in a folder for each kind; ~/.local/state by default",
                "les clés de son appareil, un dossier par type ; ~/.local/state par défaut"
            )
        ),
        Entry(
            Words("$XDG_CONFIG_HOME/thumbturn/system-auth-users"),
            Words(
                "the users who are offered system authentication, one per line; ~/.config by default",
                "les utilisateurs à qui l'authentification du système est proposée, un par ligne ; ~/.config par défaut"
            )
        ),
    ]
}
