import Foundation
import Testing
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

struct VaultCommandTests {
    #if os(Linux)
    @Test(.holds("A38"), arguments: [false, true])
    func `whoever is asked for a PIN while another makes the vault is told that there is one`(
        isUnfinished: Bool
    ) throws {
        let box = try Box()
        if isUnfinished { try box.leaveUnfinishedVault() }
        let start = { () throws -> RunningChild in
            try RunningChild(
                Box.tool,
                ["--device", "simulated", "--secret-fd", "3", "init", "--no-biometrics"],
                environment: box.environment([:]),
                hasSecrets: true
            )
        }
        // The other has looked when it is asked for its PIN.
        let other = try start()
        let one = try start()
        one.give(Array("\(Box.pin)\n".utf8))
        one.input?.closeWrite()
        let made = one.finish()
        #expect(made.exitCode == 0, "\(made)")
        other.give(Array("\(Box.pin)\n".utf8))
        other.input?.closeWrite()
        let refused = other.finish()
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-202"), "\(refused)")
        #expect(try box.run(["unlock"], [Box.pin]).exitCode == 0)
    }
    #endif

    @Test(.holds("A4"), arguments: ["", "insecureTest"])
    func `a guess costs 64 MiB and three passes, and what was cheaper is sealed anew when it opens`(
        asked: String
    ) throws {
        let box = try Box.withVault()
        func cost() throws -> Argon2Parameters? {
            let store = try VaultStore(openingIn: box.vault, vfs: nil)
            defer { store.close() }
            return try store.contents().slots.map { try SlotRecord(parsing: $0.record) }.compactMap(\.argon2).first
        }
        #expect(try cost() == Argon2Parameters(memoryKiB: 19_456, passes: 2))
        let usual = Argon2Parameters(memoryKiB: 65_536, passes: 3)
        try box.run(["unlock"], [Box.pin], ["THUMBTURN_TEST_ARGON2": asked]).succeeding()
        #expect(try cost() == usual)
        try box.run(["reset"], ["RESET"], ["THUMBTURN_TEST_ARGON2": asked]).succeeding()
        try box.run(["init"], [Box.pin], ["THUMBTURN_TEST_ARGON2": asked]).succeeding()
        #expect(try cost() == usual)
    }

    @Test func `a vault is made, opens, and is erased`() throws {
        try Transcript.play(
            """
            $ init
            3< PIN
            Vault made in BOX/data/thumbturn/vault.
            Device: simulated; it protects nothing.
            Biometrics are off.
            $ init
            3< PIN
            2> thumbturn: error: ERR-TT-202 There is already a vault here.
            2> hint: open it, name another folder with --vault DIR, or erase it with `thumbturn --device simulated reset`
            = 1
            $ unlock
            3< PIN
            Unlocked (PIN or password), 0 wallets. Locked again.
            $ unlock
            3< WRONG
            2> thumbturn: error: ERR-107-040 You could not be authenticated.
            2> hint: the PIN or password is wrong; 3 more tries before a wait
            = 1
            $ unlock --json
            3< PIN
            {"unlocked":true,"with":"localSecret","walletCount":0,"device":"simulated"}
            $ reset
            3< reset
            2> thumbturn: error: ERR-TT-318 The confirmation was not given.
            2> hint: type RESET, letter for letter; nothing was erased
            = 1
            $ unlock
            3< PIN
            Unlocked (PIN or password), 0 wallets. Locked again.
            $ reset
            3< RESET
            Everything was erased.
            $ unlock
            3< PIN
            2> thumbturn: error: ERR-TT-201 There is no vault here.
            2> hint: make a vault with `thumbturn --device simulated init`, or get one back with `thumbturn --device simulated restore BACKUP`
            = 3
            $ init --no-biometrics
            3< PIN
            Vault made in BOX/data/thumbturn/vault.
            Device: simulated; it protects nothing.
            Biometrics are off.
            """,
            in: Box()
        )
    }

    @Test(.holds("A22")) func `a new PIN counts, and is not done while the device keeps what the former one needs`()
        throws
    {
        let box = try Box.withVault()
        try box.run(["simulate", "fault", "delete-fails"])
        let changed = try box.run(["pin", "change"], [Box.pin, "a whole sentence"])
        #expect(changed.exitCode == 3 && changed.standardError.contains("ERR-TT-219"), "\(changed)")
        let hint = "hint: the new one is set; `thumbturn --device simulated status` tries again"
        #expect(changed.standardError.contains(hint), "\(changed)")
        for isKept in [true, false] {
            if isKept { try box.run(["simulate", "fault", "delete-fails"]) }
            let warnings = try #require(try box.json(["status"])["warnings"] as? [String])
            #expect(warnings.contains("formerSecretRemains") == isKept)
        }
        try box.run(["unlock"], ["a whole sentence"]).succeeding()
    }

    @Test func `the PIN is changed, and the old one opens nothing`() throws {
        try Transcript.play(
            """
            $ pin change
            3< PIN
            3< a whole sentence
            The PIN or password was changed.
            2> thumbturn: once it is changed, older copies of the vault's folder no longer open, as there is no recovery key; `thumbturn --device simulated recovery create` makes one
            $ unlock
            3< PIN
            2> thumbturn: error: ERR-107-040 You could not be authenticated.
            2> hint: the PIN or password is wrong; 3 more tries before a wait
            = 1
            $ unlock
            3< a whole sentence
            Unlocked (PIN or password), 0 wallets. Locked again.
            """,
            in: Box.withVault()
        )
    }

    @Test(arguments: [Box.pin, Box.wrongPIN])
    func `a new PIN that is the present one is refused before anything is counted or written`(pin: String) throws {
        let box = try Box.withVault()
        let before = box.contents()
        let refused = try box.run(["pin", "change"], [pin, pin])
        #expect(refused.exitCode == 2 && !refused.standardError.contains(pin), "\(refused)")
        #expect(refused.standardError.contains("ERR-TT-301 The new PIN or password is the same"), "\(refused)")
        #expect(refused.standardError.hasSuffix("hint: choose another one; nothing was changed\n"))
        #expect(box.contents() == before)
        let object = try box.json(["pin", "change"], [pin, pin])
        #expect((object["error"] as? [String: Any])?["code"] as? String == "ERR-TT-301")
    }

    @Test(.holds("A35")) func `wrong PINs make the next one wait, and erase nothing`() throws {
        let box = try Box.withVault()
        for _ in 0..<4 { #expect(try box.run(["unlock"], [Box.wrongPIN]).exitCode == 1) }
        let refused = try box.run(["unlock", "--json"], [Box.pin])
        #expect(refused.exitCode == 1)
        #expect(refused.standardError.contains("ERR-TT-102") && refused.standardError.contains("s)."))
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(refused.standardOutput.utf8)) as? [String: [String: Any]]
        )
        let wait = try #require(object["error"]?["retryAfterSeconds"] as? Int)
        #expect(20...30 ~= wait)
        try box.run(["simulate", "advance", "31s"])
        try box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test func `a vault opens in the folder that --vault names`() throws {
        let box = try Box()
        try Transcript.play(
            """
            $ --vault BOX/mine init --no-biometrics
            3< PIN
            Vault made in BOX/mine.
            Device: simulated; it protects nothing.
            Biometrics are off.
            $ unlock --vault BOX/mine
            3< PIN
            Unlocked (PIN or password), 0 wallets. Locked again.
            $ unlock
            3< PIN
            2> thumbturn: error: ERR-TT-201 There is no vault here.
            2> hint: make a vault with `thumbturn --device simulated init`, or get one back with `thumbturn --device simulated restore BACKUP`
            = 3
            """,
            in: box
        )
    }

    @Test func `what the tool makes is this user's alone`() throws {
        let box = try Box.withVault()
        for path in Folders.files(below: box.folder) {
            #expect(try mode(path) == 0o600, "\(path)")
            #expect(try mode((path as NSString).deletingLastPathComponent) == 0o700, "\(path)")
        }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
}
