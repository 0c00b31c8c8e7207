/// What a person does with a vault by a command, and what that may cost.
enum Deed: String, CaseIterable {
    case status, unlock, list, export, `import`, rename, delete, backup, verify, restore, bulk, rekey
    case exportAll = "export-all", changePIN = "pin-change", makeVault = "init", setCredential = "credential-set"

    var words: String {
        switch self {
        case .status, .unlock, .rekey: rawValue
        case .list, .export, .import, .rename, .delete: "wallet \(rawValue)"
        case .exportAll: "wallet export --all"
        case .bulk: "wallet import --bulk"
        case .backup, .restore: "\(rawValue) FILE"
        case .verify: "backup verify"
        case .changePIN: "pin change"
        case .makeVault: "init"
        case .setCredential: "credential set, the first"
        }
    }

    /// Those whose cost may depend on how many wallets there are.
    static var ofSizes: [Deed] {
        [
            .unlock, .list, .export, .import, .rename, .delete, .changePIN, .exportAll, .bulk, .backup, .verify,
            .restore,
            .rekey,
        ]
    }

    /// How much longer it may take with many wallets than with 10: so many times, or so many seconds for each wallet.
    func limit(at wallets: Int) -> (ratio: Double?, aWallet: Double?) {
        switch self {
        case .unlock, .changePIN: (1.5, nil)
        case .export where wallets <= 10_000: (1.5, nil)
        case .import where wallets <= 10_000: (1.6, nil)
        case .exportAll: (nil, 25e-6)
        case .bulk: (nil, 50e-6)
        default: (nil, nil)
        }
    }

    /// How often it may wait for the disk; nil where that is another deed's.
    ///
    /// What each of these is for, `FlushTests` says.
    var flushes: Double? {
        switch self {
        case .status, .verify: 0
        case .unlock, .list, .export, .exportAll: 5
        case .import, .rename, .backup: 7
        case .delete: 8
        case .changePIN: 30
        case .restore, .makeVault: 24
        case .setCredential: 11
        case .bulk, .rekey: nil
        }
    }

    /// How many calls for files and locked memory it may make; nil where that is another deed's.
    var calls: Double? {
        switch self {
        case .status: 450
        case .unlock: 680
        case .list: 700
        case .export: 710
        case .import: 820
        default: nil
        }
    }
}
