import ThumbturnConsole

enum Command: Sendable {
    case serve(ServeOptions)
    case createServiceKey(Places)
    case showServiceKey(Places)
    /// With `isPreparation`, only adds the new key to the file, so that the file can be copied to other instances.
    case rotateServiceKey(Places, isPreparation: Bool)
    case restored(Places)
    case showAccount(String, Places)
    case closeAccount(String, Places)
    case countAccounts(Places)
    /// Help for one command, for a group of commands, or for all of them.
    case help(CommandName?)
    case version
}
