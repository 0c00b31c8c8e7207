import Thumbturn
import ThumbturnConsole

// The row of `migrate`.
extension CommandTable {
    static let migrations: [Syntax] = [
        Syntax(
            name: CommandName(text: "migrate legacy"),
            operands: "FILE [--name NAME] [--dry-run]",
            operandCount: 1...1,
            options: [Option.name, Option.dryRun],
            summary: Words("take over a wallet that another app sealed", "reprendre un portefeuille d'une autre app"),
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
                wallet is named after the file, or by --name.
                """,
                """
                FILE est ce qu'écrivent `openssl enc -aes-256-cbc -md md5` ou CryptoJS, ou un objet JSON de \
                cipher, iv, salt et version. Sans coffre, il en est créé un, et le code du fichier devient le \
                sien. Une fois le portefeuille dans le coffre, et rouvert là, FILE est écrasé par des zéros et \
                supprimé ; avant, et après tout refus, il reste intact. Relancer achève ce qui fut coupé. \
                --dry-run prend les mêmes lignes, ouvre FILE, ne change rien et ne demande rien au coffre. Le \
                portefeuille prend le nom du fichier, ou celui de --name.
                """
            )
        ) { operands, given throws(Failure) in
            .migrateLegacy(operands[0], name: try given[.name], isRehearsal: given[.dryRun])
        }
    ]
}
