import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

struct SystemAuthCommandTests {
    private static let newPIN = "90514862"

    /// A box whose vault has a confirmed recovery key, with the flag as `list` says; nil is no file.
    private func box(flag list: String? = "*") throws -> (box: Box, key: String) {
        let box = try Box.withVault("--biometrics")
        if let list { try write(list, in: box) }
        let printed = try box.run(["recovery", "create"], [Box.pin]).standardOutput
        let key = String(printed.prefix { $0 != "\n" })
        try #require(box.run(["recovery", "check"], [Box.pin, key]).exitCode == 0)
        return (box, key)
    }

    private func write(_ list: String, in box: Box) throws {
        let folder = box.folder + "/.config/thumbturn"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(list.utf8).write(to: URL(fileURLWithPath: folder + "/system-auth-users"))
    }

    private func status(_ box: Box, _ key: String) throws -> String? { try box.json(["status"])[key] as? String }

    @Test(.holds("S-04", "S-05", "S-06")) func `on with the PIN, open with finger or passcode, off with a new PIN`()
        throws
    {
        let (box, _) = try box()
        try box.run(["simulate", "finger", "match", "finger", "passcode", "finger", "cancel", "finger", "match"])
        try Transcript.play(
            """
            $ system-auth enable
            3< PIN
            System authentication is enabled; the PIN no longer opens the vault.
            2> thumbturn: The wallet will open with this device's own authentication, and with nothing else.
            2> thumbturn: The PIN will no longer open it, and Biometric Unlock is turned off.
            2> thumbturn: Anyone who knows this device's passcode, or is enrolled on it, can open the wallet.
            2> thumbturn: If the device loses its passcode, only the recovery key opens the wallet.
            $ unlock
            Unlocked (system authentication), 0 wallets. Locked again.
            $ unlock
            3< PIN
            Unlocked (system authentication), 0 wallets. Locked again.
            $ unlock
            3< PIN
            2> thumbturn: error: ERR-TT-116 The device did not recognise you.
            2> hint: run the command again; `thumbturn --device simulated reset` erases the wallets
            = 1
            $ system-auth disable
            3< 90514862
            System authentication is off; the new PIN opens the vault.
            2> thumbturn: The wallet will open with a new PIN, and no longer with this device's own authentication.
            2> thumbturn: The wallet locks, and asks for the new PIN.
            $ unlock
            3< PIN
            2> thumbturn: error: ERR-107-040 You could not be authenticated.
            2> hint: the PIN or password is wrong; 3 more tries before a wait
            = 1
            $ unlock
            3< 90514862
            Unlocked (PIN or password), 0 wallets. Locked again.
            $ system-auth disable
            3< 90514862
            2> thumbturn: error: ERR-TT-113 System authentication is not enabled.
            2> hint: correct the input and try again; nothing was changed
            = 1
            """,
            in: box
        )
    }

    @Test(.holds("S-01"), arguments: [nil, "", "# *\nsomebody-else\n"] as [String?])
    func `to whom the flag is closed nothing is asked and nothing changes`(list: String?) throws {
        let (box, _) = try box(flag: list)
        let before = box.contents()
        let refused = try box.run(["system-auth", "enable"], [Box.pin])
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-114"))
        #expect(refused.standardError.contains(".config/thumbturn/system-auth-users"))
        #expect(refused.standardError.split(separator: "\n").count == 2)
        #expect(box.contents() == before)
    }

    @Test(.holds("S-01")) func `a list of names opens the flag to this user by name`() throws {
        let (box, _) = try box(flag: "# reviewers\n\(Environment.userName) # me\n")
        #expect(!Environment.userName.isEmpty)
        try box.run(["system-auth", "enable"], [Box.pin]).succeeding()
    }

    @Test(.holds("S-01", "A58"))
    func `flipping the flag changes nothing stored, and a vault in the mode is used and left`() throws {
        let (box, _) = try box()
        try box.run(["system-auth", "enable"], [Box.pin]).succeeding()
        let stored = { box.contents().filter { !$0.key.contains("/.config/") } }
        let before = stored()
        for list in ["", "*", "somebody-else"] {
            try write(list, in: box)
            #expect(try status(box, "mode") == "system")
        }
        #expect(stored() == before)
        try box.run(["simulate", "finger", "match", "finger", "passcode"])
        try box.run(["unlock"]).succeeding()
        try box.run(["system-auth", "disable"], [Self.newPIN]).succeeding()
        try write("*", in: box)
        #expect(try status(box, "mode") == "local", "an open flag turns nothing on")
        try box.run(["unlock"], [Self.newPIN]).succeeding()
    }

    @Test(.holds("S-04"))
    func `a vault without a confirmed recovery key, or a device without a passcode, says so first`() throws {
        let box = try Box.withVault()
        try write("*", in: box)
        let refused = try box.run(["system-auth", "enable"], [Box.pin])
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-115"))
        #expect(refused.standardError.contains("recovery create"))
        let (other, _) = try self.box()
        try other.run(["simulate", "passcode-off"])
        let bare = try other.run(["system-auth", "enable"], [Box.pin])
        #expect(bare.exitCode == 1 && bare.standardError.contains("ERR-TT-117"))
    }

    @Test(.holds("S-06")) func `PIN and biometrics are refused by name; what a PIN opened the device's word opens`()
        throws
    {
        let (box, key) = try box()
        let made = try box.run(["wallet", "import", "savings"], [Box.pin, Box.mnemonic])
        try #require(made.exitCode == 0)
        try box.run(["system-auth", "enable"], [Box.pin]).succeeding()
        for words in [["pin", "change"], ["biometrics", "enable"], ["system-auth", "enable"]] {
            let refused = try box.run(words, words == ["pin", "change"] ? [Box.pin, Self.newPIN] : [Box.pin])
            #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-112"), "\(refused)")
        }
        let touches = (1...6).flatMap { _ in ["finger", "match"] }
        try box.run(["simulate"] + touches)
        #expect(try box.run(["wallet", "export", "savings"]).standardOutput == Box.mnemonic + "\n")
        // From a descriptor the line of the PIN is there, and may be empty.
        try box.run(["wallet", "import", "two"], ["", Box.mnemonic]).succeeding()
        try box.run(["wallet", "delete", "two"], ["", "two"]).succeeding()
        try box.run(["recovery", "check"], ["", key]).succeeding()
        try box.run(["backup", box.folder + "/copy"], [""]).succeeding()
        #expect(try box.run(["recovery", "remove"], [""]).standardError.contains("ERR-TT-115"))
    }

    @Test(.holds("A31")) func `the status says who can open, and counts nothing`() throws {
        let (box, _) = try box()
        try box.run(["system-auth", "enable"], [Box.pin]).succeeding()
        let status = try box.json(["status"])
        #expect(status["mode"] as? String == "system" && status["state"] as? String == "locked")
        #expect((status["decision"] as? [String: Any])?["action"] as? String == "promptSystem")
        #expect((status["warnings"] as? [String])?.contains("passcodeOpens") == true)
        let picture = try box.run(["status"]).standardOutput
        #expect(picture.contains("anyone who knows this device's passcode opens the vault"))
        #expect(picture.contains("system authentication") && !picture.contains("attempts"))
        let french = try box.run(["status"], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput
        #expect(french.contains("le code de cet appareil ouvre le coffre"))
        #if os(Linux)
        for locale in ["en_US.UTF-8", "fr_FR.UTF-8"] {
            let drawn = try box.screen(["status"], columns: 80, nil, ["LANG": locale])
            for line in drawn.split(separator: "\n") { #expect(line.columns == 80, "\(line)") }
        }
        #endif
    }

    @Test(.holds("A26")) func `with the device's passcode its key goes, and the recovery key makes a PIN again`() throws
    {
        let (box, key) = try box()
        try box.run(["system-auth", "enable"], [Box.pin]).succeeding()
        try box.run(["simulate", "passcode-off"])
        let lost = try box.run(["unlock"])
        #expect(lost.exitCode == 3 && lost.standardError.contains("ERR-TT-209"))
        #expect(lost.standardError.contains("--recovery"))
        try box.run(["unlock", "--recovery"], [key, Self.newPIN]).succeeding()
        #expect(try status(box, "mode") == "local")
        try box.run(["unlock"], [Self.newPIN]).succeeding()
    }

    @Test(.holds("S-07")) func `a vault in system mode is reset by the typed word, without a prompt`() throws {
        let (box, _) = try box()
        try box.run(["system-auth", "enable"], [Box.pin]).succeeding()
        #expect(try box.run(["reset"], ["reset"]).exitCode == 1)
        try box.run(["reset"], ["RESET"]).succeeding()
        #expect(try box.run(["status"]).standardError.contains("ERR-TT-201"))
        try box.run(["init"], [Self.newPIN]).succeeding()
    }
}
