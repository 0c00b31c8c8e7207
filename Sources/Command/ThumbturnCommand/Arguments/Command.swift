import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

/// A command that the tool can run.
enum Command: Hashable, Sendable {
    /// `nil` asks on a terminal, and enables no biometrics elsewhere.
    case initialize(biometrics: Bool?)
    case status
    case unlock(withRecoveryKey: Bool)
    case acceptOlderCopy(withRecoveryKey: Bool)
    case reset
    case showPolicy
    case setPolicy(PolicySetting)
    /// Names the damaged vault's wallets to give up, as `wallet list` shows them, and how many more are missing.
    case rekey(givingUp: [String] = [], missing: Int? = nil)
    case createRecoveryKey
    case checkRecoveryKey
    case recoveryStatus
    case removeRecoveryKey
    /// `-` means standard output; in a folder, the backup gets a dated name.
    case backUp(to: String, replacing: Bool = false)
    /// `-` means standard input.
    case verifyBackup(String)
    case restore(from: String)
    /// `shows` tells whether a terminal displays the new words.
    case createWallet(String, words: Mnemonic.WordCount, shows: Bool = true)
    case importWallet(String, WalletKind, from: SecretSource = .line)
    case importWallets
    case listWallets(from: WalletSource = .vault)
    case checkWallets(from: WalletSource = .vault)
    case showWallet(String, from: WalletSource = .vault)
    case renameWallet(String, to: String)
    /// `raw` prints the secret unchanged, control characters included.
    case exportWallet(String, raw: Bool = false, from: WalletSource = .vault, to: SecretTarget = .output)
    /// Exports the named wallets, or all of them where no name is given.
    case exportWallets([String], from: WalletSource = .vault, to: SecretTarget = .output)
    case deleteWallet(String)
    /// `all` shows every event, rather than the newest.
    case showTrail(all: Bool)
    case exportTrail(to: String, former: Bool)
    /// Delivers the trail to the account's log.
    case pushTrail
    /// `-` means standard input; without the PEM files of keys, any device's export is accepted.
    case verifyTrail(String, keys: [String])
    case changePIN
    case biometricsStatus
    case enableBiometrics
    case disableBiometrics
    case enableSystemAuthentication
    case disableSystemAuthentication
    case migrateLegacy(String, name: String?, isOpaque: Bool = false, isRehearsal: Bool)
    /// Migrates what another app left on the device, with a finger.
    case migrateFromDevice
    case setCredential(String, biometrics: Bool, from: SecretSource = .line)
    case getCredential(String, raw: Bool = false)
    case listCredentials
    case upgradeCredential(String)
    case downgradeCredential(String)
    case removeCredential(String)
    case register(AccountOptions)
    /// `nil` logs in to the account of the existing vault.
    case logIn(AccountOptions?, acceptsWeaker: Bool = false)
    case changePassword
    case devices(revoking: String?)
    case moveAccount(to: ServiceOptions)
    case contact
    case closeAccount
    case doctor
    case demo
    /// Port 0 takes a free one.
    case playground(port: UInt16)
    case simulate([SimulatedEvent])
    case leaveLegacy(FormerWallet)
    case completion(CompletionShell)
    case man
    /// Help for one command, for a group of commands, or for all of them.
    case help(CommandName?)
    case version
}

extension Command {
    /// The path of a backup that means standard input or output.
    static let pipe = "-"
}

/// Where an exported secret goes.
enum SecretTarget: Hashable, Sendable {
    /// Standard output; a terminal shows the words until Enter is pressed.
    case output
    /// `--output FILE`: a new file.
    case file(String)
    /// `--clipboard`: the desktop's clipboard, for a limited time.
    case clipboard
}

/// An account's name and its service.
struct AccountOptions: Hashable, Sendable {
    var name: String
    var service: ServiceOptions
    var allowsOffline = false
    /// The name the account lists this device under; `nil` uses the kind of system.
    var deviceName: String?
}

/// A service's address, and the certificate authority or key to trust for it.
struct ServiceOptions: Hashable, Sendable {
    var address: String
    var authority: String?
    var pin: String?
}
