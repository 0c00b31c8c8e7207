import ThumbturnConsole

/// What the program can be told to do.
enum Command: Sendable {
    case serve(ServeOptions)
    case createServiceKey(Places)
    case showServiceKey(Places)
    /// A preparation adds the new key to the file and stops there, so that the file can be handed to other instances.
    case rotateServiceKey(Places, isPreparation: Bool)
    case restored(Places)
    case showAccount(String, Places)
    case closeAccount(String, Places)
    case countAccounts(Places)
    /// Help for one command, for a group of them, or for all.
    case help(CommandName?)
    case version
}
