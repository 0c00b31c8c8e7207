import ThumbturnConsole
import ThumbturnService

// The commands about the audit ledger.
extension CommandTable {
    static let ledger: [Syntax] = [
        Syntax(
            name: CommandName(text: "export"),
            operands: "[--log N] [--store STORE]",
            options: [Option.log, Option.store],
            summary: Words(
                "write a log of the audit ledger to standard output",
                "écrire un journal d'audit sur la sortie standard"
            ),
            more: Words(
                """
                It is JSON lines, up to the last signed head; `thumbturn audit verify` reads it, with the public key alone. The \
                service may run meanwhile. Where there are several logs, --log says which; former ones, from before a `restored`, \
                come first.
                """,
                """
                Ce sont des lignes JSON, jusqu'à la dernière tête signée ; `thumbturn audit verify` les lit, avec la seule clé \
                publique. Le service peut tourner pendant ce temps. S'il y a plusieurs journaux, --log dit lequel ; les anciens, \
                d'avant un `restored`, viennent d'abord.
                """
            )
        ) { _, given throws(Failure) in .exportLog(try given[.log], try Places(given)) },
        Syntax(
            name: CommandName(text: "check"),
            operands: "[--before DATE] [--store STORE]",
            options: [Option.before, Option.store],
            summary: Words("verify the audit ledger", "vérifier le journal d'audit"),
            more: Words(
                """
                Every leaf is hashed anew, and held against tiles, signed heads, chains and what the devices signed. What is wrong \
                is named, and the exit code is 4. The service may run meanwhile. Compare the ids of the keys with `thumbturnd key \
                public`. With --before YYYY-MM-DD it also says how much of each log is older (UTC).
                """,
                """
                Chaque feuille est hachée de nouveau, et comparée aux tuiles, aux têtes signées, aux chaînes et à ce qu'ont signé \
                les appareils. Ce qui est faux est nommé, et le code de sortie est 4. Le service peut tourner pendant ce temps. \
                Comparez les identifiants des clés avec `thumbturnd key public`. Avec --before AAAA-MM-JJ, la commande dit aussi \
                quelle part de chaque journal est plus ancienne (UTC).
                """
            )
        ) { _, given throws(Failure) in .checkLedger(before: try given[.before], try Places(given)) },
        Syntax(
            name: CommandName(text: "auditor create"),
            operands: "NAME [--store STORE]",
            operandCount: 1...1,
            options: [Option.store],
            summary: Words(
                "let an auditor read the ledger, and print his token",
                "autoriser un auditeur à lire le journal, et afficher son jeton"
            ),
            more: Words(
                "The token is printed once, and valid until the auditor is removed. NAME is 1 to 64 of A-Z a-z 0-9 . _ @ -",
                "Le jeton est affiché une fois, et vaut jusqu'au retrait de l'auditeur. NOM a 1 à 64 signes de A-Z a-z 0-9 . _ @ -"
            )
        ) { operands, given throws(Failure) in .createAuditor(operands[0], try Places(given)) },
        Syntax(
            name: CommandName(text: "auditor remove"),
            operands: "NAME [--store STORE]",
            operandCount: 1...1,
            options: [Option.store],
            summary: Words("refuse an auditor's token from now on", "refuser désormais le jeton d'un auditeur")
        ) { operands, given throws(Failure) in .removeAuditor(operands[0], try Places(given)) },
    ]
}
