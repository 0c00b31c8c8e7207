import ThumbturnConsole

/// The commands, in the order in which help lists them.
enum CommandTable {
    typealias Syntax = CommandSyntax<Command>

    static let all: CommandGrammar<Command> = CommandGrammar(
        of: Tool.name,
        [
            CommandGroup(
                Words("commands", "commandes"),
                [serve] + account + key + ledger + serviceKey + [restored, help, version]
            )
        ],
        optionsOfAll: [Option.json],
        common: CommandGrammar<Command>.Common(version: .version) { .help($0) }
    )

    private static let stores = Words(
        "STORE is a path or sqlite:PATH, or a PostgreSQL URI, postgres://…",
        "BASE est un chemin ou sqlite:CHEMIN, ou une URI PostgreSQL, postgres://…"
    )

    private static let signers = Words(
        "SIGNER is file:PATH or pkcs11:token=…;object=…?module-path=…&pin-source=… (RFC 7512).",
        "SIGNATAIRE est file:CHEMIN ou pkcs11:token=…;object=…?module-path=…&pin-source=… (RFC 7512)."
    )

    private static let serve = Syntax(
        name: CommandName(text: "serve"),
        operands: ServeOptions.operands,
        options: ServeOptions.options,
        summary: Words("serve accounts until SIGTERM or SIGINT", "servir les comptes jusqu'à SIGTERM ou SIGINT"),
        more: stores + Words(" ") + signers
            + Words(
                """
                 Without options it listens on 127.0.0.1:8107, with a database and a service key below \
                $XDG_STATE_HOME/thumbturnd, made at the first start. Any address but this machine's own needs TLS. \
                SIGHUP reloads certificate and key. The log goes to standard error, one JSON object per line. \
                --signer may be given twice, the new one first, while a key is replaced.
                """,
                """
                 Sans option il écoute sur 127.0.0.1:8107, avec une base et une clé de service sous \
                $XDG_STATE_HOME/thumbturnd, créées au premier lancement. Toute adresse autre que celle de la machine même \
                demande TLS. SIGHUP recharge certificat et clé. Le journal va sur l'erreur standard, un objet JSON par ligne. \
                --signer se donne deux fois, la nouvelle d'abord, pendant le remplacement d'une clé.
                """
            )
    ) { _, given throws(Failure) in .serve(try ServeOptions(given)) }

    private static let account: [Syntax] = [
        Syntax(
            name: CommandName(text: "account show"),
            operands: "NAME " + Places.operands,
            operandCount: 1...1,
            options: Places.options,
            summary: Words("show what is known about an account", "montrer ce qu'on sait d'un compte")
        ) { operands, given throws(Failure) in .showAccount(operands[0], try Places(given)) },
        Syntax(
            name: CommandName(text: "account close"),
            operands: "NAME " + Places.operands,
            operandCount: 1...1,
            options: Places.options,
            summary: Words("close an account without its password", "fermer un compte sans son mot de passe"),
            more: Words(
                """
                All of it is deleted at once, as when its owner closes it: verifier, envelope, logins and devices. Its name is \
                free again. The vaults on the owner's devices stay, and open with a recovery key.
                """,
                """
                Tout est supprimé d'un coup, comme si son propriétaire le fermait : vérifieur, enveloppe, sessions et appareils. Son \
                nom est de nouveau libre. Les coffres sur ses appareils restent, et s'ouvrent avec une clé de secours.
                """
            )
        ) { operands, given throws(Failure) in .closeAccount(operands[0], try Places(given)) },
        Syntax(
            name: CommandName(text: "account count"),
            operands: Places.operands,
            options: Places.options,
            summary: Words("count the accounts", "compter les comptes")
        ) { _, given throws(Failure) in .countAccounts(try Places(given)) },
    ]

    private static let key: [Syntax] = [
        Syntax(
            name: CommandName(text: "key create"),
            operands: "[--signer SIGNER]... [--witness-key file:PATH] [--service-key FILE]",
            options: [Option.signer, Option.witnessKey, Option.serviceKey],
            summary: Words("make a key that signs the audit ledger", "créer une clé qui signe le journal d'audit"),
            more: Words(
                """
                Without options it makes audit.pem beside the service key, as the first start of serve does. A file is never \
                replaced. A key on a token is made by the token's own tool. \
                --witness-key makes the Ed25519 key of the line that public witnesses ask for.
                """,
                """
                Sans option, elle crée audit.pem à côté de la clé de service, comme le premier lancement de serve. Un fichier n'est \
                jamais remplacé. Une clé sur un jeton est créée par l'outil du jeton. \
                --witness-key crée la clé Ed25519 de la ligne que demandent les témoins publics.
                """
            )
        ) { _, given throws(Failure) in
            .createKeys(try given.signers(), try given[.witnessKey], try Places(given))
        },
        Syntax(
            name: CommandName(text: "key public"),
            operands: "[--signer SIGNER]... [--service-key FILE]",
            options: [Option.signer, Option.serviceKey],
            summary: Words("print the public keys, for auditors", "afficher les clés publiques, pour les auditeurs"),
            more: signers
        ) { _, given throws(Failure) in .showPublicKeys(try given.signers(), try Places(given)) },
    ]

    private static let serviceKey: [Syntax] = [
        Syntax(
            name: CommandName(text: "service-key create"),
            operands: "[--service-key FILE]",
            options: [Option.serviceKey],
            summary: Words("make the service key", "créer la clé de service"),
            more: Words(
                "Keep a copy apart from the database's backups: without it all accounts are lost. It is never printed.",
                "Gardez-en une copie à part des sauvegardes : sans elle, tous les comptes sont perdus. Elle n'est jamais affichée."
            )
        ) { _, given throws(Failure) in .createServiceKey(try Places(given)) },
        Syntax(
            name: CommandName(text: "service-key id"),
            operands: "[--service-key FILE]",
            options: [Option.serviceKey],
            summary: Words("show the id of the service key", "montrer l'identifiant de la clé de service")
        ) { _, given throws(Failure) in .showServiceKey(try Places(given)) },
        Syntax(
            name: CommandName(text: "service-key rotate"),
            operands: Places.operands + " [--prepare]",
            options: Places.options + [Option.prepare],
            summary: Words("seal every row under a new key", "resceller chaque ligne sous une nouvelle clé"),
            more: Words(
                """
                The service can run meanwhile: both keys open rows until every row is resealed, then the former is deleted. If \
                interrupted, run it again: it resumes. If instances have files of their own, --prepare only adds the new key to \
                this one: copy the file to each, then rotate.
                """,
                """
                Le service peut tourner pendant ce temps : les deux clés ouvrent jusqu'à ce que chaque ligne soit rescellée, \
                puis l'ancienne est supprimée. Après une interruption, relancez la commande : elle reprend. Si des instances ont \
                leur propre fichier, --prepare ne fait qu'ajouter la nouvelle clé à celui-ci : copiez le fichier vers chacune, \
                puis lancez la rotation.
                """
            )
        ) { _, given throws(Failure) in
            .rotateServiceKey(try Places(given), isPreparation: given[.prepare])
        },
    ]

    private static let restored = Syntax(
        name: CommandName(text: "restored"),
        operands: Places.operands,
        options: Places.options,
        summary: Words(
            "declare that the database was restored from a backup",
            "déclarer que la base a été restaurée d'une sauvegarde"
        ),
        more: Words(
            """
            Run it before the service starts again: it ends all logins, and raises every account's epoch past any that a \
            device has seen, so that each device asks for the password. Passwords that were changed since the backup are the \
            former ones again. Each audit log ends, and the next begins. If interrupted, run it again: it resumes.
            """,
            """
            À lancer avant de redémarrer le service : elle termine toutes les sessions, et porte l'époque de chaque compte \
            au-delà de celles qu'un appareil a vues, pour que chacun demande le mot de passe. Les mots de passe changés \
            depuis la sauvegarde sont de nouveau les anciens. Chaque journal d'audit est clos, et le suivant commence. Après une \
            interruption, relancez la commande : elle reprend.
            """
        )
    ) { _, given throws(Failure) in .restored(try Places(given)) }

    private static let help = Syntax(
        name: CommandName(text: "help"),
        operands: "[COMMAND]",
        operandCount: 0...2,
        summary: Words("explain a command", "expliquer une commande")
    ) { operands, _ throws(Failure) in .help(try all.subject(operands)) }

    private static let version = Syntax(
        name: CommandName(text: "version"),
        summary: Words("print the version", "afficher la version")
    ) { _, _ in .version }
}
