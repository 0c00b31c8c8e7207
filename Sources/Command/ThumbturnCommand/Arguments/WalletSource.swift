import Thumbturn
import ThumbturnConsole

/// Where wallets are read from, and the secret that opens it.
enum WalletSource: Hashable, Sendable {
    /// The vault, opened as usual.
    case vault
    /// `--recovery`: the vault, opened by its recovery key.
    case vaultByRecoveryKey
    /// `--from FILE`: a backup or a possibly damaged vault file, opened by the recovery key.
    case file(String)

    /// The options of a command that reads wallets.
    static let options: [any OptionForm] = [Option.recovery, Option.from]
    static let operands = "[--recovery] [--from BACKUP]"

    init(_ given: GivenOptions) throws(Failure) {
        if let path = try given[.from] {
            self = .file(path)
        } else {
            self = given[.recovery] ? .vaultByRecoveryKey : .vault
        }
    }

    /// The first secret to ask for.
    var question: Question { self == .vault ? .pin : .recoveryKey }
}
