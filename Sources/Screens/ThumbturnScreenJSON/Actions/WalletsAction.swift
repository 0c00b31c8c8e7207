import ThumbturnJSON
package import ThumbturnRules

/// What the list of wallets asks of the vault.
package enum WalletsAction: Hashable, Sendable {
    /// Adds a wallet with a new mnemonic, under this name.
    case create(wallet: String)
    /// Adds a wallet with a mnemonic, which comes beside it, under this name.
    case `import`(wallet: String)
    /// Asks for a wallet's secret as its owner writes it down; it comes beside the answer.
    ///
    /// The PIN or password comes beside the action; without one the device's own prompt proves the owner, in system mode.
    case export(wallet: Identifier, withSecret: Bool)
    /// Renames a wallet.
    case rename(wallet: Identifier, to: String)
    /// Deletes a wallet and its secret; the owner is proved as for `export`.
    case delete(wallet: Identifier, withSecret: Bool)

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "create": self = .create(wallet: try members.text("wallet"))
        case "import":
            try members.secret()
            self = .import(wallet: try members.text("wallet"))
        case "export":
            self = .export(wallet: try members.identifier("wallet"), withSecret: try members.hasSecret())
        case "rename": self = .rename(wallet: try members.identifier("wallet"), to: try members.text("to"))
        case "delete":
            self = .delete(wallet: try members.identifier("wallet"), withSecret: try members.hasSecret())
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .create(let name): ActionForm("create", [("wallet", .string(name))])
        case .import(let name): ActionForm("import", [("wallet", .string(name))], takesSecret: true)
        case .export(let id, let withSecret):
            ActionForm("export", [("wallet", .string(id.text))], takesSecret: withSecret)
        case .rename(let id, let name): ActionForm("rename", [("to", .string(name)), ("wallet", .string(id.text))])
        case .delete(let id, let withSecret):
            ActionForm("delete", [("wallet", .string(id.text))], takesSecret: withSecret)
        }
    }

    /// Whether its answer has a secret beside it.
    var givesSecret: Bool {
        switch self {
        case .export: true
        case .create, .import, .rename, .delete: false
        }
    }
}
