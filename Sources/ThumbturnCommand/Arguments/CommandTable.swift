import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

/// The commands, in the order in which help lists them.
enum CommandTable {
    typealias Syntax = CommandSyntax<Command>

    static let all = CommandGrammar(
        of: Tool.name,
        vault + account + system + wallets + secrets + migrations + credentials + playing,
        optionsOfAll: Options.forms,
        common: CommandGrammar.Common(version: .version) { .help($0) }
    )

    private static let pin = Words("PIN or password", "code ou mot de passe")
    private static let newPIN = Words("new PIN or password", "nouveau code ou mot de passe")
    private static let recoveryKey = Words("recovery key", "clé de secours")
    private static let pinOrRecoveryKey = Words(
        "PIN or password; the recovery key with --recovery or --from",
        "code ou mot de passe ; la clé de secours avec --recovery ou --from"
    )
    private static let sources = Words(
        """
        --recovery opens with the recovery key. So does --from BACKUP, which reads a backup in place of the vault, or a \
        vault's file, vault.sqlite, where it is too damaged to be opened. What is whole opens; what does not is named by \
        its label, else by its id, which stands for a name, and the exit code is 4.
        """,
        """
        --recovery ouvre avec la clé de secours. De même --from BACKUP, qui lit une sauvegarde au lieu du coffre, ou un \
        fichier de coffre, vault.sqlite, trop abîmé pour être ouvert. Ce qui est intact s'ouvre ; le reste est nommé par \
        son nom, sinon par son identifiant, qui vaut un nom, et le code de sortie est 4.
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
    private static let unlocking = Words(
        """
        A finger or face opens where the policy allows it, else the PIN. From a descriptor a PIN in its \
        line opens, and an empty line asks for the finger. In system mode the device asks instead, and \
        every line of a PIN may be empty.
        """,
        """
        Un doigt ou un visage ouvre si la règle le permet, sinon le code. Avec un descripteur, un code \
        dans sa ligne ouvre, et une ligne vide demande le doigt. En mode système l'appareil demande à sa \
        place, et toute ligne d'un code peut être vide.
        """
    )

    static let severalLines = Words(
        """
        --file FILE takes a secret of several lines, every byte of FILE; with `-` all that follows on \
        --secret-fd, else standard input to its end.
        """,
        """
        --file FICHIER prend un secret de plusieurs lignes, chaque octet du fichier ; avec `-` tout ce qui \
        suit sur --secret-fd, sinon l'entrée standard jusqu'à sa fin.
        """
    )
    static let raw = Words(
        """
        A secret with control characters other than ends of lines and tabs is not printed on a terminal, \
        unless --raw asks for it as it is, without an end of line behind it.
        """,
        """
        Un secret avec des caractères de contrôle autres que fins de ligne et tabulations n'est pas affiché \
        au terminal, sauf avec --raw, qui le donne tel quel, sans fin de ligne ajoutée.
        """
    )
    private static let withoutTPM = Words(
        "Where the vault lies on a TPM that is gone for good, --device files goes on without it.",
        "Si le coffre est sur un TPM perdu pour toujours, --device files s'en passe."
    )

    private static let vault: [Syntax] = [
        Syntax(
            name: CommandName(text: "init"),
            operands: "[--biometrics|--no-biometrics]",
            options: [Option.biometrics, Option.noBiometrics],
            summary: Words("make a vault", "créer un coffre"),
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
        ) { _, given throws(Failure) in
            let (on, off) = (given[.biometrics], given[.noBiometrics])
            guard !(on && off) else { throw .usage(Words("two options exclude each other", "deux options s'excluent")) }
            return .initialize(biometrics: on || off ? on : nil)
        },
        Syntax(
            name: CommandName(text: "status"),
            summary: Words(
                "show all that may be known of a locked vault",
                "montrer ce qu'un coffre verrouillé peut dire"
            )
        ) { _, _ in .status },
        Syntax(
            name: CommandName(text: "unlock"),
            operands: "[--recovery] [--accept-older-copy]",
            options: [Option.recovery, Option.acceptOlderCopy],
            summary: Words("check that the vault opens, and close it", "vérifier que le coffre s'ouvre, et le fermer"),
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
        ) { _, given in
            let recovery = given[.recovery]
            return given[.acceptOlderCopy]
                ? .acceptOlderCopy(withRecoveryKey: recovery) : .unlock(withRecoveryKey: recovery)
        },
        Syntax(
            name: CommandName(text: "reset"),
            summary: Words("erase every wallet, slot and key", "effacer portefeuilles, accès et clés"),
            secrets: [Words("the word \(ResetConfirmation.phrase)", "le mot \(ResetConfirmation.phrase)")],
            more: withoutTPM
        ) { _, _ in .reset },
        Syntax(
            name: CommandName(text: "rekey"),
            operands: "[--give-up WALLET...] [--missing N]",
            operandCount: 0...4_096,
            options: [Option.giveUp, Option.missing],
            summary: Words("give the vault a new master key", "donner au coffre une nouvelle clé maîtresse"),
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
        ) { operands, given throws(Failure) in
            guard operands.isEmpty != given[.giveUp] else {
                throw .usage(Words("--give-up goes with wallets", "--give-up va avec des portefeuilles"))
            }
            return .rekey(givingUp: operands, missing: try given[.missing])
        },
        Syntax(
            name: CommandName(text: "pin change"),
            summary: Words("change the PIN or password", "changer le code ou mot de passe"),
            secrets: [pin, newPIN]
        ) { _, _ in .changePIN },
        Syntax(
            name: CommandName(text: "biometrics status"),
            summary: Words("show where biometrics stand", "état de la biométrie")
        ) { _, _ in .biometricsStatus },
        Syntax(
            name: CommandName(text: "biometrics enable"),
            summary: Words("let whoever is enrolled open the vault", "laisser ouvrir toute personne enrôlée"),
            secrets: [pin]
        ) { _, _ in .enableBiometrics },
        Syntax(
            name: CommandName(text: "biometrics disable"),
            summary: Words("take that back", "revenir en arrière"),
            secrets: [pin]
        ) { _, _ in .disableBiometrics },
    ]

    private static let system: [Syntax] = [
        Syntax(
            name: CommandName(text: "system-auth enable"),
            summary: Words(
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
        ) { _, _ in .enableSystemAuthentication },
        Syntax(
            name: CommandName(text: "system-auth disable"),
            summary: Words("go back to a PIN, a new one", "revenir à un code, un nouveau"),
            secrets: [newPIN],
            more: Words(
                "The device asks for its owner first. The feature flag has no say in this.",
                "L'appareil demande d'abord son propriétaire. La liste des utilisateurs n'y change rien."
            )
        ) { _, _ in .disableSystemAuthentication },
    ]

    private static let wallets: [Syntax] = [
        Syntax(
            name: CommandName(text: "wallet create"),
            operands: "NAME [--words 12|15|18|21|24]",
            operandCount: 1...1,
            options: [Option.words],
            summary: Words("make a wallet with a new mnemonic", "créer un portefeuille et sa phrase"),
            secrets: [pin],
            more: unlocking
        ) { operands, given throws(Failure) in
            .createWallet(operands[0], words: try given[.words] ?? .twentyFour)
        },
        Syntax(
            name: CommandName(text: "wallet import"),
            operands: "NAME [--mnemonic|--private-key|--opaque [--file FILE]]\nthumbturn wallet import --bulk",
            operandCount: 0...1,
            options: [Option.mnemonic, Option.privateKey, Option.opaque, Option.bulk, Option.file],
            summary: Words("take in a secret that you have", "ajouter un secret que vous avez"),
            secrets: [pin, Words("the secret", "le secret")],
            more: unlocking
                + Words(
                    " With --bulk lines of NAME<TAB>MNEMONIC follow until the end: all are imported, or none. ",
                    " Avec --bulk suivent des lignes NOM<TAB>PHRASE jusqu'à la fin : toutes sont importées, ou aucune. "
                ) + severalLines
        ) { operands, given throws(Failure) in
            let kinds: [(Option<Void>, WalletKind)] = [
                (.mnemonic, .mnemonic), (.privateKey, .privateKey), (.opaque, .opaque),
            ]
            let chosen = kinds.filter { given[$0.0] }.map(\.1)
            let isBulk = given[.bulk]
            guard operands.isEmpty == isBulk, chosen.count <= (isBulk ? 0 : 1) else {
                throw .usage(Words("it takes a name, or --bulk alone", "il faut un nom, ou --bulk seul"))
            }
            let source = try given[.file] ?? .line
            guard source == .line || chosen == [.opaque] else {
                throw .usage(Words("--file goes with --opaque", "--file va avec --opaque"))
            }
            return isBulk ? .importWallets : .importWallet(operands[0], chosen.first ?? .mnemonic, from: source)
        },
        Syntax(
            name: CommandName(text: "wallet list"),
            operands: WalletSource.operands,
            options: WalletSource.options,
            summary: Words("list the wallets", "lister les portefeuilles"),
            secrets: [pinOrRecoveryKey],
            more: unlocking + Words(" ") + sources
        ) { _, given throws(Failure) in .listWallets(from: try WalletSource(given)) },
        Syntax(
            name: CommandName(text: "wallet show"),
            operands: "NAME \(WalletSource.operands)",
            operandCount: 1...1,
            options: WalletSource.options,
            summary: Words("show what a wallet is, not its secret", "décrire un portefeuille, sans son secret"),
            secrets: [pinOrRecoveryKey],
            more: unlocking + Words(" ") + sources
        ) { operands, given throws(Failure) in .showWallet(operands[0], from: try WalletSource(given)) },
        Syntax(
            name: CommandName(text: "wallet rename"),
            operands: "NAME NEW-NAME",
            operandCount: 2...2,
            summary: Words("give a wallet another name", "renommer un portefeuille"),
            secrets: [pin],
            more: unlocking
        ) { operands, _ in .renameWallet(operands[0], to: operands[1]) },
        Syntax(
            name: CommandName(text: "wallet export"),
            operands: "NAME...|--all \(WalletSource.operands)\nthumbturn wallet export NAME [--raw]",
            operandCount: 0...4_096,
            options: WalletSource.options + [Option.raw, Option.all],
            summary: Words("print a wallet's secret", "afficher le secret d'un portefeuille"),
            secrets: [pinOrRecoveryKey],
            more: raw + Words(" ") + severalWallets + Words(" ") + sources
        ) { operands, given throws(Failure) in
            let (isAll, isRaw) = (given[.all], given[.raw])
            guard operands.isEmpty == isAll else {
                throw .usage(Words("it takes names, or --all alone", "il faut des noms, ou --all seul"))
            }
            guard operands.count != 1 else {
                return .exportWallet(operands[0], raw: isRaw, from: try WalletSource(given))
            }
            guard !isRaw else { throw .usage(Words("--raw goes with one name", "--raw va avec un seul nom")) }
            return .exportWallets(operands, from: try WalletSource(given))
        },
        Syntax(
            name: CommandName(text: "wallet delete"),
            operands: "NAME",
            operandCount: 1...1,
            summary: Words("delete a wallet for ever", "supprimer un portefeuille pour toujours"),
            secrets: [pin, Words("the wallet's name again", "encore le nom du portefeuille")]
        ) { operands, _ in .deleteWallet(operands[0]) },
    ]

    private static let secrets: [Syntax] = [
        Syntax(
            name: CommandName(text: "recovery create"),
            summary: Words("make a recovery key and print it once", "créer une clé de secours, affichée une fois"),
            secrets: [pin, Words("the key typed back, if at once", "la clé retapée, si c'est tout de suite")],
            more: Words(
                "The key counts once it was typed back, here or by `recovery check`.",
                "La clé compte une fois retapée, ici ou par `recovery check`."
            )
        ) { _, _ in .createRecoveryKey },
        Syntax(
            name: CommandName(text: "recovery check"),
            summary: Words("confirm the recovery key", "confirmer la clé de secours"),
            secrets: [pin, recoveryKey]
        ) { _, _ in .checkRecoveryKey },
        Syntax(
            name: CommandName(text: "recovery remove"),
            summary: Words("remove the recovery key", "retirer la clé de secours"),
            secrets: [pin]
        ) { _, _ in .removeRecoveryKey },
        Syntax(
            name: CommandName(text: "backup"),
            operands: "FILE",
            operandCount: 1...1,
            summary: Words("write a backup for the recovery key", "écrire une sauvegarde pour la clé de secours"),
            secrets: [pin]
        ) { operands, _ in .backUp(to: operands[0]) },
        Syntax(
            name: CommandName(text: "restore"),
            operands: "FILE",
            operandCount: 1...1,
            summary: Words("make a vault from a backup", "créer un coffre depuis une sauvegarde"),
            secrets: [recoveryKey, newPIN]
        ) { operands, _ in .restore(from: operands[0]) },
    ]

    private static let playing: [Syntax] = [
        Syntax(
            name: CommandName(text: "doctor"),
            summary: Words(
                "tell what this machine has to guard a vault",
                "dire ce que cette machine offre à un coffre"
            ),
            more: Words(
                "Nothing is made or changed. With --require hardware the exit code says whether hardware guards keys here.",
                "Rien n'est créé ni changé. Avec --require hardware le code de sortie dit si du matériel garde les clés."
            )
        ) { _, _ in .doctor },
        Syntax(
            name: CommandName(text: "demo"),
            summary: Words(
                "tour a vault on a simulated device, each step checked",
                "visite guidée, chaque étape vérifiée"
            )
        ) { _, _ in .demo },
        Syntax(
            name: CommandName(text: "bench"),
            operands: "[--stack DIR] [NAME...]",
            operandCount: 0...32,
            options: [Option.stack],
            summary: Words("measure", "mesurer"),
            more: Words(
                """
                --stack also measures the Linux device, with a software TPM, on the bus, fprintd and virtual reader \
                that Scripts/linux-stack.sh put up in DIR.
                """,
                """
                --stack mesure aussi l'appareil Linux, avec un TPM logiciel, sur le bus, le fprintd et le lecteur \
                virtuel que Scripts/linux-stack.sh a lancés dans DIR.
                """
            )
        ) { operands, given throws(Failure) in .bench(operands, stack: try given[.stack]) },
        Syntax(
            name: CommandName(text: "simulate"),
            operands: "EVENT...",
            operandCount: 1...256,
            summary: Words("let something happen to the simulated device", "simuler un événement de l'appareil"),
            more: Words(eventWords)
        ) { operands, _ throws(Failure) in
            var events: [SimulatedEvent] = []
            var rest = operands[...]
            while !rest.isEmpty {
                guard let (event, count) = SimulatedEvent.parse(rest) else {
                    throw .usage(Words("a word is no event", "un mot n'est pas un événement"))
                }
                events.append(event)
                rest = rest.dropFirst(count)
            }
            return .simulate(events)
        },
        Syntax(
            name: CommandName(text: "help"),
            operands: "[COMMAND]",
            operandCount: 0...2,
            summary: Words("explain a command", "expliquer une commande")
        ) { operands, _ throws(Failure) in .help(try all.subject(operands)) },
    ]

    private static let eventWords =
        """
        finger match|mismatch|cancel|mismatch-cancel|fallback|passcode|wait, enroll, unenroll, \
        passcode-off, passcode-on, passcode, lockout, reboot, advance 31m, sleep 1h, clock -1y, \
        reinstall, restore-elsewhere, lock-device, unlock-device, permission-denied, \
        permission-granted, sensor none|touch|face, fault
        """
        + " " + SimulatedFault.allCases.map(\.rawValue).joined(separator: " | ")
}
