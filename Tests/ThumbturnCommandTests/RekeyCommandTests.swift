#if os(Linux)
import Foundation
import Testing

@testable import ThumbturnCommand

/// `thumbturn rekey`.
@Suite struct RekeyCommandTests {
    private func boxWithWallet() throws -> Box {
        let box = try Box.withVault("--biometrics")
        let made = try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic])
        try #require(made.exitCode == 0, "\(made)")
        return box
    }

    private func expectWhole(_ box: Box) throws {
        #expect(try box.run(["wallet", "export", "Savings"], [Box.pin]).standardOutput == Box.mnemonic + "\n")
    }

    @Test func `A21: without a recovery key the PIN is enough, and says that leaked wallets must be moved`() throws {
        let box = try boxWithWallet()
        let done = try box.run(["rekey"], [Box.pin])
        #expect(done.exitCode == 0 && done.standardOutput.contains("sealed anew: 1 wallet."), "\(done)")
        #expect(done.standardError.contains("move the coins"))
        try expectWhole(box)
        try box.run(["simulate", "finger", "match"])
        #expect(try box.run(["unlock"], []).exitCode == 0)
        let json = try box.json(["rekey"], [Box.pin])
        #expect(json["rekeyed"] as? Bool == true && json["walletCount"] as? Int == 1)
        #expect(json["biometricsAreOff"] as? Bool == false)
    }

    @Test func `A21: with one nothing is changed until the new one was typed back, and the former one opens no more`()
        throws
    {
        let box = try boxWithWallet()
        let former = try box.recoveryKey()
        for (lines, code) in [([], "ERR-TT-302"), ([former], "ERR-107-040"), (["ABCD"], "ERR-TT-")] {
            let refused = try box.run(["rekey", "--json"], [Box.pin] + lines)
            #expect(refused.exitCode != 0)
            let object = try JSONSerialization.jsonObject(with: Data(refused.standardOutput.utf8)) as? [String: Any]
            #expect(object?["rekeyed"] as? Bool == false && object?["recoveryKey"] is String, "\(refused)")
            let error = object?["error"] as? [String: Any]
            #expect((error?["code"] as? String)?.hasPrefix(code) == true, "\(refused)")
        }
        #expect(try box.run(["recovery", "check"], [Box.pin, former]).exitCode == 0)

        let desk = try Keyboard()
        let child = try RunningChild(
            "/bin/sh",
            ["-c", "exec \"$0\" rekey 2>&0 >&0", Box.tool],
            environment: box.environment([:]),
            hasSecrets: false,
            standardInput: desk.path
        )
        desk.wait(for: "PIN or password: ")
        desk.write(Box.pin)
        desk.wait(for: "\n")
        let shown = desk.wait(for: "Type it back: ")
        let key = try #require(shown.split(separator: "\n").first { $0.count == 69 })
        desk.write(String(key))
        #expect(child.finish().exitCode == 0)
        try expectWhole(box)
        #expect(try box.run(["recovery", "check"], [Box.pin, former]).exitCode != 0)
        #expect(try box.run(["recovery", "check"], [Box.pin, String(key)]).exitCode == 0)
    }

    @Test func `a wrong PIN, and one line too many, change nothing`() throws {
        let box = try boxWithWallet()
        #expect(try box.run(["rekey"], [Box.wrongPIN]).exitCode != 0)
        #expect(try box.run(["rekey"], [Box.pin, "more"]).exitCode == 2)
        try expectWhole(box)
    }
}
#endif
