import Thumbturn
import ThumbturnConsole

/// What wallets are read from, and what opens that.
enum WalletSource: Hashable, Sendable {
    /// The vault, by its PIN or what else it asks for.
    case vault
    /// `--recovery`: the vault, by its recovery key.
    case vaultByRecoveryKey
    /// `--from FILE`: a backup, or a vault's file that may be damaged, by the recovery key.
    case file(String)

    /// The options of a command that takes it.
    static let options: [any OptionForm] = [Option.recovery, Option.from]
    static let operands = "[--recovery] [--from BACKUP]"

    init(_ given: GivenOptions) throws(Failure) {
        if let path = try given[.from] {
            self = .file(path)
        } else {
            self = given[.recovery] ? .vaultByRecoveryKey : .vault
        }
    }

    /// What it asks for first.
    var question: Question { self == .vault ? .pin : .recoveryKey }
}
