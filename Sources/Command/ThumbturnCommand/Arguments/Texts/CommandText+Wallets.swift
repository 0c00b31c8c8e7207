import Thumbturn
import ThumbturnConsole

// Help texts of wallet and migrate.
extension CommandText {
    static let createWallet = CommandText(
        Words("make a wallet with a new mnemonic", "créer un portefeuille et sa phrase"),
        secrets: [pin],
        more: Words(
            """
            On a terminal the words are shown once, until Enter, and some of them are asked back; with --no-show, as elsewhere, \
            they stay in the vault, and `wallet export` shows them.
            """,
            """
            Au terminal les mots sont affichés une fois, jusqu'à Entrée, et quelques-uns redemandés ; avec --no-show, comme \
            ailleurs, ils restent dans le coffre, et `wallet export` les affiche.
            """
        ),
        shared: [unlocking],
        examples: [
            "thumbturn wallet create savings",
            "thumbturn wallet create savings --words 12",
            "thumbturn wallet create savings --no-show",
        ]
    )
    static let importWallet = CommandText(
        Words("take in a secret that you have", "ajouter un secret que vous avez"),
        secrets: [pin, Words("the secret", "le secret")],
        more: Words(
            "With --bulk lines of NAME<TAB>MNEMONIC follow until the end: all are imported, or none. ",
            "Avec --bulk suivent des lignes NOM<TAB>PHRASE jusqu'à la fin : toutes sont importées, ou aucune. "
        )
            + Words(
                "A mnemonic may stand in one line or many, numbered, with commas, in the first four letters of each word. ",
                "Une phrase peut tenir en une ligne ou plusieurs, numérotée, avec virgules, en quatre lettres par mot. "
            )
            + Words(
                "With the secret on standard input the PIN is asked for at the terminal.",
                "Si le secret vient de l'entrée standard, le code est demandé au terminal."
            ),
        shared: [unlocking, severalLines],
        examples: [
            "thumbturn wallet import savings",
            "thumbturn wallet import savings < words.txt",
            "thumbturn wallet import keys --opaque --file keys.pem",
            "thumbturn wallet import --bulk --secret-fd 3 3< wallets.tsv",
        ]
    )
    static let listWallets = CommandText(
        Words("list the wallets", "lister les portefeuilles"),
        secrets: [pinOrRecoveryKey],
        shared: [unlocking, sources],
        examples: [
            "thumbturn wallet list",
            "thumbturn wallet list --from /media/stick/savings.backup",
        ]
    )
    static let checkWallets = CommandText(
        Words("check that every wallet opens", "vérifier que chaque portefeuille s'ouvre"),
        secrets: [pinOrRecoveryKey],
        more: Words(
            "Every name and every secret is opened, and none is printed.",
            "Chaque nom et chaque secret est ouvert, et aucun n'est affiché."
        ),
        shared: [unlocking, sources],
        examples: [
            "thumbturn wallet check",
            "thumbturn wallet check --from /media/stick/savings.backup",
        ]
    )
    static let showWallet = CommandText(
        Words("show what a wallet is, not its secret", "décrire un portefeuille, sans son secret"),
        secrets: [pinOrRecoveryKey],
        shared: [unlocking, sources],
        examples: [
            "thumbturn wallet show savings"
        ]
    )
    static let renameWallet = CommandText(
        Words("give a wallet another name", "renommer un portefeuille"),
        secrets: [pin],
        shared: [unlocking],
        examples: [
            "thumbturn wallet rename savings \"old savings\""
        ]
    )
    static let exportWallet = CommandText(
        Words("print a wallet's secret", "afficher le secret d'un portefeuille"),
        secrets: [pinOrRecoveryKey],
        more: ways + Words(" ") + severalWallets,
        shared: [raw, sources],
        examples: [
            "thumbturn wallet export savings",
            "thumbturn wallet export savings --clipboard",
            "thumbturn wallet export --all --output wallets.tsv",
            "thumbturn wallet export --all --recovery",
            "thumbturn wallet export keys --raw > keys.pem",
        ]
    )
    static let deleteWallet = CommandText(
        Words("delete a wallet for ever", "supprimer un portefeuille pour toujours"),
        secrets: [pin, Words("the wallet's name again", "encore le nom du portefeuille")],
        examples: [
            "thumbturn wallet delete savings"
        ]
    )
    static let migrateLegacy = CommandText(
        Words("take over a wallet that another app sealed", "reprendre un portefeuille d'une autre app"),
        secrets: [
            Words("PIN or password of the vault, where there is one", "code du coffre, s'il y en a un"),
            Words("PIN or password of the file; missing is the same", "code du fichier ; absent : le même"),
            Words(
                "new PIN or password, where a new vault refuses the file's",
                "nouveau code, si un nouveau coffre refuse celui du fichier"
            ),
        ],
        more: Words(
            """
            FILE is what `openssl enc -aes-256-cbc -md md5` or CryptoJS wrote, or a JSON object of cipher, iv, \
            salt and version. Where there is no vault, one is made, and the file's PIN becomes its PIN. \
            Once the wallet stands in the vault and was opened there, FILE is overwritten with zeros and \
            deleted; until then, and after any refusal, it is as it was. A second run ends what was cut off. \
            --dry-run takes the same lines, opens FILE, changes nothing, and asks nothing of the vault. The \
            wallet is named after the file, or by --name. --opaque takes over what is no mnemonic, byte by byte. Without FILE it takes over what `simulate legacy` left on the \
            simulated device: a finger makes the vault, and the next command that takes the PIN finishes it.
            """,
            """
            FICHIER est ce qu'écrivent `openssl enc -aes-256-cbc -md md5` ou CryptoJS, ou un objet JSON de \
            cipher, iv, salt et version. Sans coffre, il en est créé un, et le code du fichier devient le \
            sien. Une fois le portefeuille dans le coffre, et rouvert là, FICHIER est écrasé par des zéros et \
            supprimé ; avant, et après tout refus, il reste intact. Relancer achève ce qui fut coupé. \
            --dry-run prend les mêmes lignes, ouvre FICHIER, ne change rien et ne demande rien au coffre. Le \
            portefeuille prend le nom du fichier, ou celui de --name. --opaque reprend tel quel ce qui n'est pas une \
            phrase. Sans FICHIER il reprend ce que `simulate legacy` a \
            laissé sur l'appareil simulé : un doigt crée le coffre, et la prochaine commande qui prend le code l'achève.
            """
        ),
        examples: [
            "thumbturn migrate legacy savings.enc --dry-run",
            "thumbturn migrate legacy savings.enc --name savings",
            "thumbturn --device simulated migrate legacy",
        ]
    )

    private static let ways = Words(
        """
        On a terminal a mnemonic is shown with numbers, until Enter; elsewhere it is one line. --output writes what would be \
        printed to a new file that only you can read. --clipboard needs wl-copy, xclip or xsel: the command stays for 45 s, then clears the \
        clipboard, and so it does at Control-C.
        """,
        """
        Au terminal une phrase est affichée numérotée, jusqu'à Entrée ; ailleurs c'est une ligne. --output écrit ce qui serait \
        affiché dans un nouveau fichier que vous seul lisez. --clipboard demande wl-copy, xclip ou xsel : la commande reste 45 s, \
        puis vide le presse-papiers, de même à Ctrl-C.
        """
    )

    private static let severalWallets = Words(
        """
        Of several wallets it prints lines of NAME<TAB>SECRET, as `wallet import --bulk` takes them, with --json an object \
        of all; one whose secret is not one line is left to --json or to an export by itself, and the exit code is 2, or \
        4 where another does not open.
        """,
        """
        De plusieurs portefeuilles sont affichées des lignes NOM<TAB>SECRET, comme `wallet import --bulk` les prend, avec \
        --json un objet de tous ; un secret qui n'est pas une seule ligne reste à --json ou à une exportation à part, et le \
        code de sortie est 2, ou 4 si un autre ne s'ouvre pas.
        """
    )
}
