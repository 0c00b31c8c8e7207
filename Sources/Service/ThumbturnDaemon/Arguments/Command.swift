import ThumbturnConsole
import ThumbturnRules
import ThumbturnService

enum Command: Sendable {
    case serve(ServeOptions)
    case createServiceKey(Places)
    case showServiceKey(Places)
    /// With `isPreparation`, only adds the new key to the file, so that the file can be copied to other instances.
    case rotateServiceKey(Places, isPreparation: Bool)
    /// Makes these keys, or the default one if none is named.
    case createKeys([SignerLocation], WitnessLocation?, Places)
    case showPublicKeys([SignerLocation], Places)
    case restored(Places)
    /// Writes a log's export; the only one if none is named.
    case exportLog(Int?, Places)
    case checkLedger(before: Milliseconds?, Places)
    case createAuditor(String, Places)
    case removeAuditor(String, Places)
    case showAccount(String, Places)
    case closeAccount(String, Places)
    case countAccounts(Places)
    /// Help for one command, for a group of commands, or for all of them.
    case help(CommandName?)
    case version
}
