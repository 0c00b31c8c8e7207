import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

/// What the tool can be told to do.
enum Command: Hashable, Sendable {
    /// `nil` asks on a terminal, and skips elsewhere.
    case initialize(biometrics: Bool?)
    case status
    case unlock(withRecoveryKey: Bool)
    case acceptOlderCopy(withRecoveryKey: Bool)
    case reset
    case showPolicy
    case setPolicy(PolicySetting)
    /// Of a damaged vault: the wallets that are given up, as `wallet list` names them, and how many more are missing.
    case rekey(givingUp: [String] = [], missing: Int? = nil)
    case createRecoveryKey
    case checkRecoveryKey
    case recoveryStatus
    case removeRecoveryKey
    /// `-` stands for standard output, a folder for a dated name in it.
    case backUp(to: String, replacing: Bool = false)
    /// `-` stands for standard input.
    case verifyBackup(String)
    case restore(from: String)
    /// `shows` is whether its words are shown to who is at a terminal.
    case createWallet(String, words: Mnemonic.WordCount, shows: Bool = true)
    case importWallet(String, WalletKind, from: SecretSource = .line)
    case importWallets
    case listWallets(from: WalletSource = .vault)
    case checkWallets(from: WalletSource = .vault)
    case showWallet(String, from: WalletSource = .vault)
    case renameWallet(String, to: String)
    /// `raw` is the secret as it is, whatever a terminal makes of it.
    case exportWallet(String, raw: Bool = false, from: WalletSource = .vault, to: SecretTarget = .output)
    /// Several by name, or without a name all.
    case exportWallets([String], from: WalletSource = .vault, to: SecretTarget = .output)
    case deleteWallet(String)
    case changePIN
    case biometricsStatus
    case enableBiometrics
    case disableBiometrics
    case enableSystemAuthentication
    case disableSystemAuthentication
    case migrateLegacy(String, name: String?, isOpaque: Bool = false, isRehearsal: Bool)
    /// What another app left on the device, by a finger.
    case migrateFromDevice
    case setCredential(String, biometrics: Bool, from: SecretSource = .line)
    case getCredential(String, raw: Bool = false)
    case listCredentials
    case upgradeCredential(String)
    case downgradeCredential(String)
    case removeCredential(String)
    case register(AccountOptions)
    /// Nil where the vault that is there says which account.
    case logIn(AccountOptions?, acceptsWeaker: Bool = false)
    case changePassword
    case devices(revoking: String?)
    case moveAccount(to: ServiceOptions)
    case contact
    case closeAccount
    case doctor
    case demo
    case simulate([SimulatedEvent])
    case leaveLegacy(FormerWallet)
    case completion(CompletionShell)
    case man
    /// Help for one command, for a group of them, or for all.
    case help(CommandName?)
    case version
}

/// Where an exported secret goes.
enum SecretTarget: Hashable, Sendable {
    /// What is printed: at a terminal, words that are gone from it after Enter.
    case output
    /// `--output FILE`: a new file.
    case file(String)
    /// `--clipboard`: the desktop's, for a while.
    case clipboard
}

/// What names an account and its service.
struct AccountOptions: Hashable, Sendable {
    var name: String
    var service: ServiceOptions
    var allowsOffline = false
    /// What the account is to call this device; nil is the kind of system.
    var deviceName: String?
}

/// Where a service is, and what vouches for it.
struct ServiceOptions: Hashable, Sendable {
    var address: String
    var authority: String?
    var pin: String?
}
