import Foundation
import Testing
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

/// `docs/json.md` holds: what a command prints is there with its type, and what is there is printed.
struct JSONFieldTests {
    private struct Session {
        let box: Box
        var fields: JSONFields

        /// Runs a command of this name.
        @discardableResult
        mutating func run(
            _ command: String,
            _ rest: [String] = [],
            _ secrets: [String]? = nil,
            in other: Box? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> String {
            let words = command.split(separator: " ").map(String.init) + rest + ["--json"]
            let printed = try (other ?? box).run(words, secrets)
            try fields.take(printed.standardOutput, of: command, sourceLocation: sourceLocation)
            return printed.standardOutput
        }
    }

    @Test func `every field that a vault's commands print is on the page, and every field of the page is printed`()
        throws
    {
        var session = Session(box: try Box(), fields: try JSONFields())
        let pin = [Box.pin]
        try session.run("init", ["--biometrics"], pin)
        try session.run("wallet create", ["new"], pin)
        try session.run("wallet import", ["savings"], pin + [Box.mnemonic])
        try session.run("wallet import", ["--bulk"], pin + ["many\t\(Box.mnemonic)"])
        try session.run("wallet show", ["savings"], pin)
        try session.run("wallet rename", ["many", "few"], pin)
        try session.run("wallet list", [], pin)
        try session.run("wallet check", [], pin)
        try session.run("wallet export", ["savings"], pin)
        try session.run("wallet export", ["--all"], pin)
        try session.run("wallet export", ["savings", "--output", session.box.folder + "/file"], pin)
        try session.run("wallet delete", ["few"], pin + ["few"])
        try session.run("unlock", [], pin)
        try session.run("status")
        try session.run("biometrics status")
        try session.run("policy set", ["auto-lock", "1h"], pin)
        try session.run("policy show")
        try session.run("status")
        try session.run("biometrics disable", [], pin)
        try session.run("biometrics enable", [], pin)
        try session.run("pin change", [], pin + [Box.wrongPIN])
        try session.run("pin change", [], [Box.wrongPIN] + pin)

        let made = try session.run("recovery create", [], pin)
        let key = try #require(try Self.object(made)["recoveryKey"] as? String)
        try session.run("recovery status")
        try session.run("recovery check", [], pin + [key])
        try session.run("recovery status")
        let backup = session.box.folder + "/backup"
        try session.run("backup", [backup], pin)
        try session.run("backup verify", [backup], [key])
        try session.run("restore", [backup], [key] + pin, in: Box())
        let trail = session.box.folder + "/trail"
        try session.run("audit export", [trail], pin)
        try session.run("audit verify", [trail])
        try session.run("audit log", ["--all"])
        for name in ["whole", "revoked", "restored", "chain-cut", "chain-gap", "empty-log"] {
            try session.run("audit verify", [VectorFolder.own + "/audit/ledger/\(name).jsonl"])
        }
        try session.run("rekey", [], pin)
        try session.run("status", ["--vault", backup + "/vault"])
        try session.run("recovery remove", [], pin)
        try session.run("rekey", [], pin)
        try session.run("reset", [], ["RESET"])
        try failures(&session)
        try damage(&session)
        try systemMode(&session)
        try others(&session)

        let accounts = ["register", "devices", "move", "contact", "close"].map { "account \($0)" }
        let elsewhere = Set(session.fields.unseen(of: accounts) + Self.ofTPM + Self.ofAccounts)
        #expect(session.fields.unseen().filter { !elsewhere.contains($0) } == [])
    }

    /// What a TPM that answers tells, which has tests of its own.
    private static let ofTPM = ["`doctor`: tpm.doubts[]"]
    /// What an account's vault tells: `AccountFieldTests` holds it.
    private static let ofAccounts: [String] = {
        let delivery = ["undelivered", "deliveredAt", "origin", "halt", "refusal"].map { "delivery.\($0)" }
        return ["name", "service", "origin", "userId", "deviceId"].map { "`status`: account.\($0)" }
            + delivery.flatMap { ["`status`: trail.\($0)", "`audit log`: \($0)"] }
            + ["delivered", "undelivered", "origin"].map { "`audit push`: \($0)" }
    }()

    private static func object(_ printed: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
    }

    private func failures(_ session: inout Session) throws {
        let box = try Box.withVault()
        for _ in 0..<4 { try session.run("unlock", [], [Box.wrongPIN], in: box) }
        try session.run("unlock", [], [Box.pin], in: box)
        try session.run("status", [], in: box)
        try box.run(["simulate", "enroll"])
        // Failures that are counted, and a trail that is broken.
        _ = try box.run(["simulate", "advance", "1d"])
        _ = try box.recoveryKey()
        let other = try Box.withVault().recoveryKey()
        for _ in 0..<2 { try box.run(["unlock", "--recovery"], [other, Box.wrongPIN]) }
        try session.run("audit log", [], in: box)
        try box.sql { try $0.run("DELETE FROM event WHERE number = 2") }
        try session.run("audit log", [], in: box)
        let file = box.folder + "/trail"
        try session.run("audit export", [file], [Box.pin], in: box)
        try Data(Folders.contents(of: file).dropLast(9)).write(to: URL(fileURLWithPath: file))
        try session.run("audit verify", [file], in: box)
    }

    private func damage(_ session: inout Session) throws {
        let box = try Box.withVault()
        for name in ["Coins", "Label"] {
            try box.run(["wallet", "import", name], [Box.pin, Box.mnemonic]).succeeding()
        }
        let ids = try box.ids()
        try box.damageLabel(of: #require(ids["Label"]))
        try session.run("wallet list", [], [Box.pin], in: box)
        try box.damageSecret(of: #require(ids["Coins"]))
        for command in ["wallet list", "wallet check"] { try session.run(command, [], [Box.pin], in: box) }
        try session.run("wallet export", ["--all"], [Box.pin], in: box)
        try box.flip("SELECT mac FROM head WHERE id = ?", "UPDATE head SET mac = ? WHERE id = ?")
        try session.run("status", [], in: box)
        try session.run("recovery status", in: box)

        // What is told of folders and keys is told only where something is wrong with them.
        try #require(unsafe chmod(box.folder, 0o777) == 0)
        try box.replace(box.device + "/device.state", [1, 2, 3])
        try session.run("doctor", in: box)
        try #require(unsafe chmod(box.folder, 0o700) == 0)
    }

    private func systemMode(_ session: inout Session) throws {
        let box = try Box.withVault()
        _ = try box.recoveryKey()
        let list = box.folder + "/.config/thumbturn/system-auth-users"
        try Folders.makeParents(of: list)
        try Data("*\n".utf8).write(to: URL(fileURLWithPath: list))
        try session.run("system-auth enable", [], [Box.pin], in: box)
        try session.run("status", [], in: box)
        try box.run(["simulate", "finger", "passcode"])
        try session.run("system-auth disable", [], [Box.pin], in: box)
    }

    private func write(_ path: String) throws {
        try Data(FormerApp.Sealed.first.rawValue.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func others(_ session: inout Session) throws {
        let box = try Box()
        let file = box.folder + "/savings"
        try write(file)
        try session.run("migrate legacy", [file, "--dry-run"], [FormerApp.pin], in: box)
        try session.run("migrate legacy", [file], [FormerApp.pin], in: box)
        try write(file)
        try session.run("migrate legacy", [file], [FormerApp.pin], in: box)

        try session.run("simulate", ["finger", "match", "finger", "match"], in: box)
        try session.run("credential set", ["mail"], ["secret"], in: box)
        try session.run("credential upgrade", ["mail"], in: box)
        try session.run("credential get", ["mail"], in: box)
        try session.run("credential downgrade", ["mail"], in: box)
        try session.run("credential list", in: box)
        try session.run("credential remove", ["mail"], in: box)
        try session.run("doctor", in: box)
        try session.run("demo", in: box)
        for command in ["help", "man", "--version"] { try session.run(command, in: box) }
        try session.run("completion", ["bash"], in: box)
    }

    @Test func `the names that stand for something are on the page`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../docs/json.md"
        )
        let text = try String(contentsOf: page, encoding: .utf8)
        var names = StatusWarning.allCases.map(\.rawValue) + DeviceChoice.allCases.map(\.rawValue)
        names += Assurance.allCases.map(\.name) + DeviceKind.allCases.map(\.name) + SlotKind.allCases.map(\.name)
        names += BiometricCapability.BiometryType.allCases.map(\.label) + WalletKind.allCases.map(\.name)
        names += BiometricCapability.Reason.allCases.map(\.name)
        // What its owner turned off is shown as disabled.
        names += TrailReason.allCases.map(\.name) + TrailHealth.allCases.map(\.rawValue)
        names += RevocationReason.allCases.filter { $0 != .disabledByOwner }.map(\.name)
        names += CredentialProtection.allCases.map(\.name) + TPMProperties.Doubt.allCases.map(\.rawValue)
        for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
    }
}
