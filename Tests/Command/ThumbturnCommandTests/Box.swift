import Foundation
import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

/// A machine of its own for one test: folders that end with it, and the real command in them.
final class Box: Sendable {
    static let pin = "83251947"
    static let wrongPIN = "40718263"
    static let mnemonic = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"

    let folder: String
    var vault: String { folder + "/data/thumbturn/vault" }
    var database: String { vault + "/vault.sqlite" }
    var device: String { folder + "/state/thumbturn/simulated-device" }

    init() throws {
        folder = NSTemporaryDirectory() + "thumbturn-command-" + UUID().uuidString
        // A folder that a group may write would be told of.
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
    }

    deinit { Folders.remove(folder) }

    /// A box with a vault in it.
    static func withVault(_ options: String...) throws -> Box {
        let box = try Box()
        let made = try box.run(["init"] + options, [pin])
        try #require(made.exitCode == 0, "\(made)")
        return box
    }

    /// Runs the command with lines on descriptor 3, on the simulated device unless another is named.
    @discardableResult
    func run(_ words: [String], _ secrets: [String]? = nil, _ variables: [String: String] = [:]) throws -> ChildProcess
    {
        try ChildProcess.run(
            Self.tool,
            (words.contains { $0.hasPrefix("--device") } ? [] : ["--device", "simulated"])
                + (secrets == nil ? [] : ["--secret-fd", "3"]) + words,
            environment: environment(variables),
            secrets: secrets.map { Array($0.map { $0 + "\n" }.joined().utf8) }
        )
    }

    /// Runs it through the shell, for redirections: `$0` is the command.
    func shell(_ script: String) throws -> ChildProcess {
        try ChildProcess.run("/bin/sh", ["-c", script, Self.tool], environment: environment([:]))
    }

    /// The object that a command prints.
    func json(_ words: [String], _ secrets: [String]? = nil) throws -> [String: Any] {
        let printed = try run(words + ["--json"], secrets).standardOutput
        return try #require(JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
    }

    func environment(_ variables: [String: String]) -> [String] {
        var all = [
            "HOME": folder, "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state",
            "LANG": "en_US.UTF-8", "SWIFT_BACKTRACE": "enable=no", "THUMBTURN_TEST_ARGON2": "cheapest",
        ]
        // Which mutant is chosen too: the command has it as well.
        let handedOn = [
            "LD_LIBRARY_PATH", "LSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE",
            "THUMBTURN_MUTANT", "MUTANT_SECONDS",
        ]
        for variable in handedOn { all[variable] = ProcessInfo.processInfo.environment[variable] }
        all.merge(variables) { $1 }
        return all.map { "\($0)=\($1)" }
    }

    /// Every file of vault and device with its bytes: what a refusal must leave as it was.
    ///
    /// The memory that SQLite's processes share holds nothing of a vault, nor does an empty log.
    func contents() -> [String: [UInt8]] {
        let all = Folders.files(below: folder).map { ($0, Folders.contents(of: $0)) }
        return Dictionary(uniqueKeysWithValues: all).filter { path, bytes in
            !path.hasSuffix("-shm") && !(path.hasSuffix("-wal") && bytes.isEmpty)
        }
    }

    /// The built command, beside the test bundle, unless another build of it is to be tested.
    static let tool: String = {
        if let path = ProcessInfo.processInfo.environment["THUMBTURN_TEST_COMMAND"] { return path }
        #if os(macOS)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let products = (bundle ?? .main).bundleURL.deletingLastPathComponent()
        #else
        let products = Bundle.main.bundleURL
        #endif
        return products.appendingPathComponent("thumbturn").path
    }()
}
