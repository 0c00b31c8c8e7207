import ThumbturnConsole

/// What a user does by a command that only tells an event, besides what an attempt at the PIN writes.
enum Way: String, CaseIterable {
    case pin, finger, system
    case wrongPIN = "wrong-pin", export = "wallet-export"

    var words: String {
        switch self {
        case .pin: "thumbturn unlock, by the PIN"
        case .wrongPIN: "thumbturn unlock, by a wrong PIN"
        case .finger: "thumbturn unlock, by a finger"
        case .system: "thumbturn unlock, by system authentication"
        case .export: "thumbturn wallet export"
        }
    }

    /// The maximum number of waits for the disk that are for the vault's files.
    ///
    /// For the attempt: the log's first page, and its row. For each event: one. For the close, if anything was written:
    /// log and file.
    var flushes: Double {
        switch self {
        case .pin, .wrongPIN: 5
        case .finger, .system: 4
        case .export: 6
        }
    }
}

/// A vault on a simulated device that commands open in every way, to count how often its files wait for the disk.
final class WaysVault {
    private static let mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    private static let wrongPIN = "402817396255"
    private let home: CommandHome

    /// - Parameter folder: is created.
    init(in folder: String, program: String) throws {
        home = try CommandHome(folder, program: program, device: "simulated")
        _ = try home.run(["init", "--biometrics"], [BenchVault.pin])
        _ = try home.run(["wallet", "import", "Savings"], [BenchVault.pin, Self.mnemonic])
    }

    /// Returns how often the vault's files wait for the disk.
    ///
    /// - Parameter calls: the calls that wait, in strace's syntax.
    func flushes(_ way: Way, counting calls: String) throws -> Double {
        var (words, lines) = (["unlock"], [BenchVault.pin])
        switch way {
        case .pin: break
        case .wrongPIN: lines = [Self.wrongPIN]
        case .export: words = ["wallet", "export", "Savings"]
        case .finger, .system:
            if way == .system { try enableSystem() }
            _ = try home.run(["simulate", "finger", "match"])
            lines = []
        }
        let exitCode: Int32 = way == .wrongPIN ? 1 : 0
        return try home.run(words, lines, counting: calls, on: "/vault.sqlite", expecting: exitCode).calls
    }

    private func enableSystem() throws {
        let list = home.folder + "/.config/thumbturn/system-auth-users"
        try Folders.makeParents(of: list)
        try Folders.write(Array("*".utf8), to: list)
        _ = try home.makeRecoveryKey(BenchVault.pin)
        _ = try home.run(["system-auth", "enable"], [BenchVault.pin])
    }
}
