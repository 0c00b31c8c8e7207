import Testing
import ThumbturnConsole
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

/// Seed 001 on the simulated device: a finger takes another app's wallet over, and its PIN finishes that.
struct CompletingCommandTests {
    private static let pin = FormerWallet.wallet.pin

    /// A box in which a finger has made a vault of what another app left.
    private static func half(_ former: FormerWallet = .wallet) throws -> Box {
        let box = try Box()
        try box.run(["simulate", "legacy", former.rawValue]).succeeding()
        try touch(box)
        let made = try box.run(["migrate", "legacy"])
        try #require(made.exitCode == 0 && made.standardOutput.contains("Imported: Former."), "\(made)")
        return box
    }

    private static func touch(_ box: Box) throws { try box.run(["simulate", "finger", "match"]).succeeding() }

    private static func kinds(_ box: Box) throws -> [String] {
        try #require(box.json(["status"])["slots"] as? [[String: Any]]).compactMap { $0["kind"] as? String }
    }

    private static func warns(_ box: Box) throws -> Bool {
        try #require(box.json(["status"])["warnings"] as? [String]).contains("halfMigrated")
    }

    @Test(.holds("K-07")) func `a finger takes the wallet over, and nothing else does`() throws {
        let box = try Box()
        #expect(try box.run(["migrate", "legacy"]).standardError.contains("ERR-TT-213"))
        try box.run(["simulate", "legacy", "wallet"]).succeeding()
        #expect(try box.run(["migrate", "legacy"]).exitCode == 1)
        #expect(try box.run(["status"]).exitCode == 3, "without the finger there is no vault")
        let half = try Self.half()
        #expect(try Self.kinds(half) == ["biometric"] && Self.warns(half))
        #expect(try half.run(["migrate", "legacy"]).standardError.contains("ERR-TT-213"), "it is here already")
        #expect(try half.run(["migrate", "legacy", "--dry-run"]).exitCode == 2)
        #expect(try Box().run(["--device", "files", "migrate", "legacy"]).exitCode == 2)
        for words in [["legacy"], ["legacy", "nothing"], ["legacy", "wallet", "enroll"]] {
            #expect(try half.run(["simulate"] + words).exitCode == 2)
        }
    }

    @Test(.holds("K-08")) func `the PIN asks for the finger, and then opens the same vault; biometrics stay`() throws {
        let box = try Self.half()
        let alone = try box.run(["unlock"], [Self.pin])
        #expect(alone.exitCode == 1 && alone.standardError.contains("ERR-TT-119"), "\(alone)")
        #expect(try Self.kinds(box) == ["biometric"])
        try Self.touch(box)
        let done = try box.run(["unlock"], [Self.pin])
        #expect(done.exitCode == 0 && done.standardError.contains("biometrics stay"), "\(done)")
        #expect(try Self.kinds(box) == ["biometric", "localSecret"] && !Self.warns(box))
        try Self.touch(box)
        #expect(try box.run(["wallet", "list"]).standardOutput.contains("Former"))
    }

    @Test(.holds("K-07", "A25"))
    func `without what counted the guesses the former PIN is named as what opens, and it does`() async throws {
        let box = try Self.half()
        let device = try SimulatedDevice(folder: box.device)
        for name in try device.itemNames() where name.contains("device-secret") {
            try await device.delete(#require(ItemName(text: name)))
        }
        let status = try box.run(["status"])
        #expect(status.standardOutput.contains("only the former PIN opens"), "\(status)")
        #expect(!status.standardOutput.contains("nothing opens"), "\(status)")
        // No finger counts before that, so it is done without.
        try box.run(["unlock"], [Self.pin, "y"]).succeeding()
        #expect(try !Self.warns(box) && Self.kinds(box) == ["localSecret"])
    }

    @Test(.holds("K-08")) func `creating a wallet and disabling biometrics take the PIN, and go on`() throws {
        let box = try Self.half()
        try Self.touch(box)
        #expect(try box.run(["wallet", "create", "New"]).standardError.contains("ERR-TT-118"))
        try Self.touch(box)
        try box.run(["wallet", "create", "New"], [Self.pin]).succeeding()
        #expect(try Self.kinds(box) == ["biometric", "localSecret"])

        let other = try Self.half()
        try Self.touch(other)
        try other.run(["biometrics", "disable"], [Self.pin]).succeeding()
        #expect(try Self.kinds(other) == ["localSecret"])
    }

    @Test(.holds("K-08")) func `what the PIN turns out to need is given in further lines too`() throws {
        let weak = try Self.half(.weakPIN)
        func run(_ box: Box, _ lines: String..., touching touches: Int = 1) throws -> ChildProcess {
            for _ in 0..<touches { try Self.touch(box) }
            return try box.run(["unlock"], lines)
        }
        let refused = try run(weak, "123456")
        #expect(refused.exitCode == 2 && refused.standardError.contains("on the next line"), "\(refused)")
        #expect(try run(weak, "123456", "654321").exitCode == 2 && Self.kinds(weak) == ["biometric"])
        try run(weak, "123456", Box.pin).succeeding()
        #expect(try Self.kinds(weak) == ["biometric", "localSecret"])
        try weak.run(["unlock"], [Box.pin]).succeeding()

        let without = try Self.half()
        for (lines, exitCode) in [([Self.pin], 1), ([Self.pin, "n"], 1), ([Self.pin, "y"], 0)] {
            let ended = try without.run(["unlock"], lines)
            #expect(ended.exitCode == exitCode, "\(ended)")
            #expect(ended.standardError.contains("a `y` on the next line") == (lines.count == 1), "\(ended)")
            #expect(try Self.kinds(without) == [exitCode == 0 ? "localSecret" : "biometric"])
        }

        let two = try Self.half(.twoWallets)
        let unnamed = try run(two, Self.pin)
        #expect(unnamed.standardError.contains("name the one under the PIN"), "\(unnamed)")
        try run(two, Self.pin, "From the PIN").succeeding()
        let list = try two.run(["wallet", "list"], [Self.pin]).standardOutput
        #expect(list.contains("Former") && list.contains("From the PIN"), "\(list)")
    }

    @Test(.holds("K-08")) func `a command's own lines come behind those`() throws {
        let box = try Self.half(.weakPIN)
        try Self.touch(box)
        let deleted = try box.run(["wallet", "delete", "Former"], ["123456", Box.pin, "former"])
        #expect(deleted.exitCode == 1 && deleted.standardError.contains("ERR-TT-318"), "\(deleted)")
        #expect(
            try Self.kinds(box) == ["biometric", "localSecret"],
            "the move is done, and no text says that nothing was"
        )
        #expect(deleted.standardError.contains("no wallet was deleted"), "\(deleted)")
    }

    #if os(Linux)
    @Test(.holds("K-08")) func `on a terminal a change asks for the PIN in the same command`() throws {
        let box = try Self.half()
        try box.run(["simulate", "finger", "match"])
        let desk = try Desk(box)
        desk.start("$T --device simulated wallet create New", until: "PIN or password: ", answering: Self.pin)
        #expect(desk.waitForShell().contains("Added: New"))
        #expect(try Self.kinds(box) == ["biometric", "localSecret"])
    }

    @Test(.holds("K-08")) func `where no finger answers, its owner is told what will be new, and may go on`() throws {
        for answer in ["n", "y"] {
            let box = try Self.half()
            let desk = try Desk(box)
            desk.start("$T --device simulated unlock", until: "PIN or password: ", answering: Self.pin)
            #expect(desk.keyboard.wait(for: "Continue? [y/N]").contains("the vault gets a new key"))
            desk.keyboard.write(answer)
            let shown = desk.waitForShell()
            #expect(try Self.kinds(box) == [answer == "y" ? "localSecret" : "biometric"], "\(shown)")
            #expect(shown.contains(answer == "y" ? "biometrics enable" : "ERR-TT-119"))
        }
    }

    @Test(.holds("K-08")) func `a former PIN that is refused is asked for a better one`() throws {
        let box = try Self.half(.weakPIN)
        try Self.touch(box)
        try Self.touch(box)
        let desk = try Desk(box)
        desk.start("$T --device simulated biometrics disable", until: "PIN or password: ", answering: "123456")
        desk.keyboard.wait(for: "123456): ")
        desk.keyboard.write(Box.pin)
        desk.keyboard.wait(for: "The same again: ")
        desk.keyboard.write(Box.pin)
        let shown = desk.waitForShell()
        #expect(try Self.kinds(box) == ["localSecret"], "\(shown)")
        try box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test(.holds("K-08", "K-09")) func `two wallets both come in, under a name that is asked for`() throws {
        let box = try Self.half(.twoWallets)
        let desk = try Desk(box)
        try box.run(["simulate", "finger", "cancel", "finger", "match"]).succeeding()
        desk.start("$T --device simulated unlock", until: "PIN or password: ", answering: Self.pin)
        desk.keyboard.wait(for: "Name of the wallet under the PIN: ")
        desk.keyboard.write("From the PIN")
        let shown = desk.waitForShell()
        let list = try box.run(["wallet", "list"], [Self.pin]).standardOutput
        #expect(list.contains("Former") && list.contains("From the PIN"), "\(shown)\(list)")
    }
    #endif
}
