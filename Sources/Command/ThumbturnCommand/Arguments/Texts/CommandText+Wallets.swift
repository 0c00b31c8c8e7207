import Thumbturn
import ThumbturnConsole

// Help texts of wallet and migrate.
extension CommandText {
    static let createWallet = CommandText(
        Words("make a wallet with a new mnemonic", "créer un portefeuille et sa phrase mnémonique"),
        secrets: [pin],
        more: Words(
            """
            A terminal shows the words until Enter, then asks for some of them. With --no-show, or without a terminal, they are \
            not shown: `wallet export` shows them.
            """,
            """
            Un terminal affiche les mots jusqu'à Entrée, puis en redemande quelques-uns. Avec --no-show, ou sans terminal, ils \
            ne sont pas affichés : `wallet export` les affiche.
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
        Words("import a secret that you have", "importer un secret que vous avez"),
        secrets: [pin, Words("the secret", "le secret")],
        more: Words(
            "With --bulk, lines of NAME<TAB>MNEMONIC follow until the end: all are imported, or none. ",
            "Avec --bulk, des lignes NOM<TAB>PHRASE suivent jusqu'à la fin : toutes sont importées, ou aucune. "
        )
            + Words(
                "A mnemonic may have one line or many, numbers, commas, and words cut to their first four letters. ",
                "Une phrase peut avoir une ou plusieurs lignes, des numéros, des virgules, des mots réduits à quatre lettres. "
            )
            + Words(
                "If the secret comes on standard input, the terminal asks for the PIN.",
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
        examples: ["thumbturn wallet list", "thumbturn wallet list --from /media/stick/savings.backup"]
    )
    static let checkWallets = CommandText(
        Words("check that every wallet opens", "vérifier que chaque portefeuille s'ouvre"),
        secrets: [pinOrRecoveryKey],
        more: Words(
            "It opens every name and every secret, and prints none.",
            "Chaque nom et chaque secret est ouvert, et aucun n'est affiché."
        ),
        shared: [unlocking, sources],
        examples: ["thumbturn wallet check", "thumbturn wallet check --from /media/stick/savings.backup"]
    )
    static let showWallet = CommandText(
        Words("describe a wallet, without its secret", "décrire un portefeuille, sans son secret"),
        secrets: [pinOrRecoveryKey],
        shared: [unlocking, sources],
        examples: ["thumbturn wallet show savings"]
    )
    static let renameWallet = CommandText(
        Words("rename a wallet", "renommer un portefeuille"),
        secrets: [pin],
        shared: [unlocking],
        examples: ["thumbturn wallet rename savings \"old savings\""]
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
        Words("delete a wallet permanently", "supprimer un portefeuille définitivement"),
        secrets: [pin, Words("the wallet's name again", "le nom du portefeuille, à nouveau")],
        examples: ["thumbturn wallet delete savings"]
    )
    static let migrateLegacy = CommandText(
        Words("import a wallet that another app sealed", "importer un portefeuille scellé par une autre app"),
        secrets: [
            Words("PIN or password of the vault, if there is one", "code du coffre, s'il y en a un"),
            Words("PIN or password of the file; the same if missing", "code du fichier ; le même s'il manque"),
            Words(
                "new PIN or password, if a new vault refuses the file's",
                "nouveau code, si un nouveau coffre refuse celui du fichier"
            ),
        ],
        more: Words(
            """
            FILE is what `openssl enc -aes-256-cbc -md md5` or CryptoJS wrote, or a JSON object of cipher, iv, \
            salt and version. If there is no vault, one is made with the file's PIN. Once the wallet is in the \
            vault and was opened there, FILE is overwritten with zeros and deleted; until then, and after any \
            refusal, it stays as it was. After an interruption, run it again. --dry-run reads the same lines \
            and opens FILE, but changes nothing and does not open the vault. The wallet is named after the \
            file, or by --name. --opaque imports what is not a mnemonic, byte by byte. Without FILE it imports \
            what `simulate legacy` left on the simulated device: a finger makes the vault, and the next command \
            that takes the PIN finishes the move.
            """,
            """
            FICHIER est ce qu'écrivent `openssl enc -aes-256-cbc -md md5` ou CryptoJS, ou un objet JSON de \
            cipher, iv, salt et version. S'il n'y a pas de coffre, il en est créé un avec le code du fichier. \
            Une fois le portefeuille dans le coffre et rouvert, FICHIER est écrasé par des zéros et supprimé ; \
            avant, et après tout refus, il reste intact. Après une interruption, relancez la commande. \
            --dry-run lit les mêmes lignes et ouvre FICHIER, mais ne change rien et n'ouvre pas le coffre. Le \
            portefeuille prend le nom du fichier, ou celui de --name. --opaque importe tel quel ce qui n'est \
            pas une phrase. Sans FICHIER, la commande importe ce que `simulate legacy` a laissé sur l'appareil \
            simulé : un doigt crée le coffre, et la prochaine commande qui demande le code achève le transfert.
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
        A terminal shows a mnemonic with numbers, until Enter; elsewhere it is one line. --output writes it to a new file \
        that only you can read. --clipboard needs wl-copy, xclip or xsel: the command waits for 45 s, or for Control-C, then \
        clears the clipboard.
        """,
        """
        Un terminal affiche une phrase avec des numéros, jusqu'à Entrée ; ailleurs c'est une ligne. --output l'écrit dans un \
        nouveau fichier que vous seul pouvez lire. --clipboard demande wl-copy, xclip ou xsel : la commande attend 45 s, ou \
        Ctrl-C, puis vide le presse-papiers.
        """
    )

    private static let severalWallets = Words(
        """
        Several wallets are printed as lines of NAME<TAB>SECRET, as `wallet import --bulk` reads them, or with --json as one \
        object. A secret that is not one line needs --json or an export by itself: otherwise the exit code is 2, or 4 if \
        another wallet does not open.
        """,
        """
        Plusieurs portefeuilles sont affichés en lignes NOM<TAB>SECRET, que lit `wallet import --bulk`, ou avec --json en un \
        objet. Un secret qui ne tient pas sur une ligne demande --json ou une exportation à part : sinon le code de sortie \
        est 2, ou 4 si un autre ne s'ouvre pas.
        """
    )
}
