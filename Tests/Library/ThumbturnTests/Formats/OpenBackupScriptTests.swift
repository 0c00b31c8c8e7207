import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import Thumbturn

/// `Examples/open_backup.py`, a program that was written from `docs/formats.md` alone, opens what we write.
@Suite(.enabled(if: OpenBackupScript.canRun, "the system's python3 has no `cryptography`"))
struct OpenBackupScriptTests {
    @Test(arguments: FrozenFile.all) func `every frozen backup and vault opens with its recovery key`(
        file: FrozenFile
    ) throws {
        let facts = try file.facts
        let result = try OpenBackupScript(["--json", file.path], typing: facts.recoveryKey)
        #expect(result.end == .exited(0))
        #expect(try result.wallets.map(\.secret) == facts.secrets)
        if let wallets = facts.wallets { #expect(try result.wallets.map(\.name) == wallets.map(\.name)) }
    }

    @Test func `a backup made today shows what ours shows, in both forms`() async throws {
        let sample = try await FrozenVault.make()
        let backup = try OpenedBackup(at: sample.backupPath, recoveryKey: SecretBytes(text: sample.facts.recoveryKey))
        let ours = backup.inventory.wallets.map { [$0.name.text, $0.kind.name, $0.id.text] }
        let json = try OpenBackupScript(["--json", sample.backupPath], typing: sample.facts.recoveryKey.lowercased())
        #expect(json.end == .exited(0))
        #expect(try json.wallets.map { [$0.name, $0.kind, $0.id] } == ours)
        let lines = try OpenBackupScript([sample.backupPath], typing: sample.facts.recoveryKey)
        #expect(lines.end == .exited(0))
        #expect(lines.text == sample.facts.wallets.map { "\($0.name)\t\($0.text)" })
    }

    @Test func `another recovery key opens nothing, and none that is typed is shown`() throws {
        let key = try FrozenFile.backup.facts.recoveryKey
        let other = try #require(try FrozenFile.all.map { try $0.facts.recoveryKey }.first { $0 != key })
        let mistyped = key.dropLast() + (key.hasSuffix("R") ? "S" : "R")
        for (typed, code) in [(other, 1), (String(mistyped), 2), (String(key.dropLast()), 2)] as [(String, Int32)] {
            let refused = try OpenBackupScript([FrozenFile.backup.path], typing: typed)
            #expect(refused.end == .exited(code))
            #expect(refused.text.count == 1)
            let said = refused.text.joined().uppercased().filter { $0 != "-" }
            #expect(!said.contains(typed.filter { $0 != "-" }))
        }
    }

    /// By column, how many complaints there are, and how many of three wallets are shown.
    @Test(arguments: [
        ("head.body", 3, 3), ("head.mac", 1, 3), ("slot.id", 1, 3), ("slot.record", 1, 3), ("slot_copy.record", 1, 3),
        ("slot_copy.digest", 1, 3), ("wallet.id", 4, 2), ("wallet.tag", 3, 3), ("wallet.label", 3, 3),
        ("wallet.secret", 3, 2), ("wallet_index.digests", 1, 3),
    ])
    func `a changed byte of any column is told, and what is whole is shown`(
        column: String,
        complaints: Int,
        shown: Int
    ) throws {
        let file = FrozenFile.backup
        let folder = try TemporaryFolder()
        try folder.write(Array(Data(contentsOf: URL(fileURLWithPath: file.path))), to: "backup")
        let change = """
            import sqlite3, sys
            table, column = sys.argv[2].split(".")
            database = sqlite3.connect(sys.argv[1])
            value, = database.execute(f"SELECT {column} FROM {table}").fetchone()
            changed = value[:-1] + bytes([value[-1] ^ 1])
            database.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (changed, value))
            database.commit()
            """
        try #require(try OpenBackupScript.python(["-c", change, folder.file("backup"), column]).end == .exited(0))
        let result = try OpenBackupScript(["--json", folder.file("backup")], typing: file.facts.recoveryKey)
        #expect(result.end == .exited(4))
        #expect(result.text.count == complaints + 1)
        #expect(try result.wallets.count == shown)
    }
}

/// A file of a frozen sample that a recovery key opens.
struct FrozenFile: CustomTestStringConvertible {
    struct Facts: Decodable {
        let recoveryKey: String
        let wallets: [FrozenVault.Facts.Wallet]?
        /// The secret of an account's only wallet.
        let wallet: String?

        var secrets: [String] { wallets?.map(\.text) ?? [wallet].compactMap(\.self) }
    }

    static let backup = FrozenFile(path: VectorFolder.own + "/vault/v1/vault.backup")

    let path: String

    /// Two of each sample: one that lacks its backup fails.
    static let all: [FrozenFile] = {
        let folder = VectorFolder.own + "/vault"
        let samples = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return samples.sorted().flatMap { sample in
            ["vault.backup", "vault.sqlite"].map { FrozenFile(path: "\(folder)/\(sample)/\($0)") }
        }
    }()

    var facts: Facts {
        get throws {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            return try JSONDecoder().decode(
                Facts.self,
                from: Data(contentsOf: folder.appendingPathComponent("facts.json"))
            )
        }
    }

    var testDescription: String { path.split(separator: "/").suffix(2).joined(separator: "/") }
}

/// The script, run to its end.
struct OpenBackupScript {
    struct Wallet: Decodable {
        let name: String
        let kind: String
        let id: String
        let encoding: String
        let secret: String
    }

    private struct Shown: Decodable { let wallets: [Wallet] }

    /// Debian's own, which has the package that `setup.sh` brings; one that shadows it on the PATH may not.
    private static let interpreter = "/usr/bin/python3"
    static let canRun =
        FileManager.default.isExecutableFile(atPath: interpreter)
        && (try? python(["-c", "import cryptography"]).end) == .exited(0)

    /// What it printed, on both outputs: its complaints first.
    let text: [String]
    let end: TestChild.End

    var wallets: [Wallet] {
        get throws { try JSONDecoder().decode(Shown.self, from: Data((text.last ?? "").utf8)).wallets }
    }

    init(_ words: [String], typing key: String) throws {
        let path = URL(fileURLWithPath: VectorFolder.own).appendingPathComponent("../../Examples/open_backup.py").path
        self = try Self.python([path] + words, typing: key)
    }

    private init(text: [String], end: TestChild.End) {
        (self.text, self.end) = (text, end)
    }

    static func python(_ words: [String], typing line: String? = nil) throws -> OpenBackupScript {
        let child = try TestChild(["-c", #"exec "$0" "$@" 2>&1"#, interpreter] + words, of: "/bin/sh")
        if let line { child.send(Array((line + "\n").utf8)) }
        let (text, end) = child.finish()
        return OpenBackupScript(text: text, end: end)
    }
}
