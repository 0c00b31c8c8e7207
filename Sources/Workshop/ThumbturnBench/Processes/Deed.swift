/// What a user does with a vault by a command, and its limits.
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

    /// The deeds whose cost may depend on the number of wallets.
    static var ofSizes: [Deed] {
        [
            .unlock, .list, .export, .import, .rename, .delete, .changePIN, .exportAll, .bulk, .backup, .verify,
            .restore,
            .rekey,
        ]
    }

    /// Returns how much longer it may take with many wallets than with 10: a factor, or seconds per wallet.
    var growth: (ratio: Double?, aWallet: Double?) {
        switch self {
        case .unlock, .changePIN, .export, .rename, .delete: (1.5, nil)
        case .import: (1.6, nil)
        case .exportAll: (nil, 25e-6)
        case .bulk: (nil, 50e-6)
        default: (nil, nil)
        }
    }

    /// The maximum number of waits for the disk; `nil` if another deed covers it.
    ///
    /// `FlushTests` explains what each of them is for.
    var flushes: Double? {
        switch self {
        case .status, .verify: 0
        case .unlock, .list: 6
        case .export, .exportAll: 7
        case .import, .rename, .backup: 8
        case .delete: 9
        case .changePIN: 30
        case .restore, .makeVault: 24
        case .setCredential: 11
        case .bulk, .rekey: nil
        }
    }

    /// The maximum number of calls for files and locked memory; `nil` if another deed covers it.
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
