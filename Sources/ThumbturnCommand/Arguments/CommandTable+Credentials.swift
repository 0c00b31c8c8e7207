import Thumbturn
import ThumbturnConsole

// The rows of `credential`.
extension CommandTable {
    static let credentials: [Syntax] = [
        Syntax(
            name: CommandName(text: "credential set"),
            operands: "NAME [--biometrics|--no-biometrics] [--file FILE]",
            operandCount: 1...1,
            options: [Option.biometrics, Option.noBiometrics, Option.file],
            summary: Words("store a credential that can be fetched again", "enregistrer un identifiant remplaçable"),
            secrets: [Words("the credential", "l'identifiant")],
            more: Words(
                """
                It lies beside the wallets, not among them: no PIN guards it, and whoever changes the \
                biometrics loses it. With --biometrics the prompt is shown once, to prove that the \
                credential can be read back; without, any program of the unlocked device's user can \
                read it. \(severalLines.english)
                """,
                """
                Il est à côté des portefeuilles, pas parmi eux : aucun code ne le garde, et changer la \
                biométrie le perd. Avec --biometrics le capteur est demandé une fois, pour prouver \
                que l'identifiant se relit ; sans, tout programme de l'utilisateur de l'appareil \
                déverrouillé peut le lire. \(severalLines.french)
                """
            )
        ) { operands, given throws(Failure) in
            let (on, off) = (given[.biometrics], given[.noBiometrics])
            guard !(on && off) else { throw .usage(Words("two options exclude each other", "deux options s'excluent")) }
            return .setCredential(operands[0], biometrics: on, from: try given[.file] ?? .line)
        },
        Syntax(
            name: CommandName(text: "credential get"),
            operands: "NAME [--raw]",
            operandCount: 1...1,
            options: [Option.raw],
            summary: Words("print a credential, after one prompt if it is locked", "afficher un identifiant"),
            more: raw
        ) { operands, given in .getCredential(operands[0], raw: given[.raw]) },
        Syntax(
            name: CommandName(text: "credential upgrade"),
            operands: "NAME",
            operandCount: 1...1,
            summary: Words("put a credential behind biometrics, after one prompt", "protéger par la biométrie")
        ) { operands, _ in .upgradeCredential(operands[0]) },
        Syntax(
            name: CommandName(text: "credential downgrade"),
            operands: "NAME",
            operandCount: 1...1,
            summary: Words("take the biometrics away, after one prompt", "retirer la biométrie")
        ) { operands, _ in .downgradeCredential(operands[0]) },
        Syntax(
            name: CommandName(text: "credential remove"),
            operands: "NAME",
            operandCount: 1...1,
            summary: Words("delete a credential, locked or not", "supprimer un identifiant"),
            more: Words(
                "Where its key lies on a TPM that is gone for good, --device files goes on without it.",
                "Si sa clé est sur un TPM perdu pour toujours, --device files s'en passe."
            )
        ) { operands, _ in .removeCredential(operands[0]) },
    ]
}
