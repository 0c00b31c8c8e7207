import Foundation
import Testing
import ThumbturnConsole
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCommand

struct CredentialCommandTests {
    static let token = "ghp_\"quoted\"/4f1d9c"

    @Test(.holds("V-01", "V-03")) func `a credential is stored, upgraded, read, downgraded and removed`() throws {
        try Transcript.play(
            """
            $ credential set mail
            3< \(Self.token)
            Stored: mail (without biometrics).
            $ credential get mail
            \(Self.token)
            $ simulate finger match finger match finger match
            simulated: 3 events
            $ credential upgrade mail
            Upgraded: mail (fingerprint).
            $ credential get mail --json
            {"name":"mail","protection":"biometrics","encoding":"utf-8","secret":"ghp_\\"quoted\\"/4f1d9c"}
            $ credential downgrade mail
            Downgraded: mail (without biometrics).
            $ credential get mail
            \(Self.token)
            $ credential remove mail --json
            {"removed":"mail"}
            $ credential get mail
            2> thumbturn: error: ERR-TT-402 No credentials are stored.
            2> hint: store one with `thumbturn --device simulated credential set NAME`
            = 1
            """,
            in: Box()
        )
    }

    @Test func `a reset leaves credentials, and says so`() throws {
        let box = try Box.withVault()
        try box.run(["credential", "set", "mail"], [Self.token])
        let reset = try box.run(["reset"], ["RESET"])
        #expect(reset.exitCode == 0 && reset.standardError.contains("credential remove"), "\(reset)")
        #expect(try box.run(["credential", "get", "mail"]).standardOutput == Self.token + "\n")
    }

    @Test(arguments: ["downgrade mail", "remove mail"])
    func `a former key that could not be deleted yet is told, and the next command deletes it`(command: String) throws {
        let box = try Box()
        try box.run(["simulate", "finger", "match", "finger", "match"])
        try box.run(["credential", "set", "mail", "--biometrics"], [Self.token]).succeeding()
        try box.run(["simulate", "fault", "delete-fails"])
        let told = try box.run(["credential"] + command.split(separator: " ").map(String.init))
        #expect(told.exitCode == 0 && told.standardError.contains("could not be deleted yet"), "\(told)")
        let next = try box.run(["credential", "get", "mail"])
        #expect(!next.standardError.contains("deleted yet"))
    }

    @Test(.holds("V-04")) func `what a credential's state does not have is refused, each for its own reason`() throws {
        try Transcript.play(
            """
            $ simulate finger match
            simulated: 1 event
            $ credential set mail --biometrics
            3< \(Self.token)
            Stored: mail (fingerprint).
            $ credential set mail
            3< another
            2> thumbturn: error: ERR-TT-407 Locked credentials are already stored.
            2> hint: remove it first: `thumbturn --device simulated credential remove NAME`
            = 1
            $ credential upgrade mail
            2> thumbturn: error: ERR-TT-407 Locked credentials are already stored.
            2> hint: remove it first: `thumbturn --device simulated credential remove NAME`
            = 1
            $ credential set plain --no-biometrics
            3< \(Self.token)
            Stored: plain (without biometrics).
            $ credential set plain
            3< another
            2> thumbturn: error: ERR-TT-408 Credentials are already stored without biometrics.
            2> hint: remove it first: `thumbturn --device simulated credential remove NAME`
            = 1
            $ credential set plain --biometrics
            3< another
            2> thumbturn: error: ERR-TT-409 Credentials are stored without biometrics: upgrade them.
            2> hint: run `thumbturn --device simulated credential upgrade NAME`
            = 1
            $ credential downgrade plain
            2> thumbturn: error: ERR-TT-403 The credentials are not behind biometrics.
            2> hint: correct the input and try again; nothing was changed
            = 1
            $ simulate sensor none
            simulated: 1 event
            $ credential upgrade plain
            2> thumbturn: error: ERR-TT-401 Biometrics can't be used on this device now.
            2> hint: enrol a finger or face on the device, or free a locked sensor with its passcode
            = 1
            $ credential get plain
            \(Self.token)
            """,
            in: Box()
        )
    }

    @Test(.holds("V-05")) func `a finger that does not match, or nobody's, changes nothing and prints nothing`() throws
    {
        let box = try Box()
        try box.run(["credential", "set", "mail"], [Self.token])
        for (touch, code) in [("mismatch", "ERR-107-030"), ("cancel", "ERR-107-031")] {
            try box.run(["simulate", "finger", touch])
            let refused = try box.run(["credential", "upgrade", "mail"])
            #expect(refused.exitCode == 1 && refused.standardError.contains(code), "\(refused)")
            #expect(refused.standardError.contains("hint: try again"))
            #expect(try box.run(["credential", "get", "mail"]).standardOutput == Self.token + "\n")
        }
        try box.run(["simulate", "finger", "match"])
        try box.run(["credential", "upgrade", "mail"]).succeeding()
        for words in [["get"], ["downgrade"]] {
            try box.run(["simulate", "finger", "mismatch"])
            let refused = try box.run(["credential"] + words + ["mail"])
            #expect(refused.exitCode == 1 && refused.standardOutput.isEmpty, "\(refused)")
        }
        // Nobody touches the sensor: no prompt waits for ever.
        #expect(try box.run(["credential", "get", "mail"]).standardError.contains("ERR-107-031"))
    }

    @Test(.holds("INV-107-07")) func `who changes the biometrics loses the credential, is told so, and starts anew`()
        throws
    {
        try Transcript.play(
            """
            $ simulate finger match
            simulated: 1 event
            $ credential set mail --biometrics
            3< \(Self.token)
            Stored: mail (fingerprint).
            $ simulate enroll finger match
            simulated: 2 events
            $ credential get mail
            2> thumbturn: error: ERR-107-060 Your biometric data have changed. Enable biometrics again.
            2> hint: the credential is lost: remove it with `thumbturn --device simulated credential remove NAME`, then store it again
            = 1
            $ credential remove mail
            Removed: mail.
            $ credential set mail --biometrics
            3< \(Self.token)
            Stored: mail (fingerprint).
            """,
            in: Box()
        )
    }

    @Test func `all are listed, without a prompt, a finger or the device`() throws {
        let box = try Box()
        try box.run(["simulate", "finger", "match"])
        try box.run(["credential", "set", "mail"], [Self.token]).succeeding()
        try box.run(["credential", "set", "ssh key", "--biometrics"], [Self.token]).succeeding()
        try box.run(["simulate", "lock-device", "sensor", "none"])
        let before = box.contents()
        try Transcript.play(
            """
            $ credential list
            mail     without biometrics
            ssh key  behind biometrics
            $ credential list --json
            {"credentials":[{"name":"mail","protection":"keychain","device":"simulated"},\
            {"name":"ssh key","protection":"biometrics","device":"simulated"}]}
            """,
            in: box
        )
        let french = try box.run(["credential", "list"], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput
        #expect(french == "mail     sans biométrie\nssh key  protégé par la biométrie\n")
        #expect(box.contents().filter { !$0.key.hasSuffix("-shm") } == before.filter { !$0.key.hasSuffix("-shm") })
    }

    @Test func `where nothing is stored the list is empty, and nothing is made`() throws {
        let box = try Box()
        try Transcript.play(
            """
            $ credential list
            There are no credentials.
            $ credential list --json
            {"credentials":[]}
            """,
            in: box
        )
        #expect(box.contents().isEmpty)
    }

    @Test func `what is damaged is listed as that, and no name acts on the terminal`() throws {
        let box = try Box()
        for name in ["mail", "other"] { try box.run(["credential", "set", name], [Self.token]).succeeding() }
        let format = Database.Format(
            applicationID: 0x5442_4331,
            schema: [
                """
                CREATE TABLE credential (name TEXT PRIMARY KEY, item TEXT NOT NULL, protection INTEGER NOT NULL, \
                device INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID
                """,
                "CREATE TABLE leftover (item TEXT PRIMARY KEY) WITHOUT ROWID",
            ]
        )
        let database = try Database(opening: box.vault + "/credentials/credentials.sqlite", format: format)
        try database.run("UPDATE credential SET protection = 7 WHERE name = 'mail'")
        try database.run("UPDATE credential SET name = ? WHERE name = 'other'", .text("o\u{1B}[2J"))
        database.close()
        let listed = try box.run(["credential", "list"])
        #expect(listed.exitCode == 4 && listed.standardError.contains("(1 of 2 credentials)"), "\(listed)")
        #expect(listed.standardOutput == "mail  does not open (ERR-TT-204)\n?     without biometrics\n", "\(listed)")
        let error = try #require(try box.json(["credential", "list"])["error"] as? [String: Any])
        #expect(error["code"] as? String == "ERR-TT-204")
    }

    @Test(arguments: [["get"], ["upgrade"], ["downgrade"], ["remove"]])
    func `what is not there is told, and nothing is made`(words: [String]) throws {
        let box = try Box()
        let missing = try box.run(["credential"] + words + ["mail"])
        #expect(missing.exitCode == 1 && missing.standardError.contains("ERR-TT-402"), "\(missing)")
        #expect(box.contents().isEmpty)
        try box.run(["credential", "set", "other"], ["x"])
        let before = box.contents()
        #expect(try box.run(["credential"] + words + ["mail"]).standardError.contains("ERR-TT-402"))
        #expect(box.contents() == before)
    }

    @Test(arguments: [("", "ERR-TT-317"), (String(repeating: "x", count: 1 << 20 | 1), "ERR-TT-317")])
    func `a credential that is empty or too long is refused, and nothing is made`(line: String, code: String) throws {
        let box = try Box()
        let refused = try box.run(["credential", "set", "mail"], [line])
        #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(refused)")
        #expect(try box.run(["credential", "set", "mail"]).standardError.contains("ERR-TT-302"))
        #expect(try box.run(["credential", "set", " "], ["x"]).standardError.contains("ERR-TT-310"))
        #expect(box.contents().isEmpty)
    }

    @Test func `bytes come back as they were, in JSON as base 64`() throws {
        let box = try Box()
        let made = try box.shell(
            "printf '\\377\\000\\001\\n' | \"$0\" --device simulated credential set bytes --secret-fd 0"
        )
        #expect(made.exitCode == 0, "\(made)")
        let object = try box.json(["credential", "get", "bytes"])
        #expect(object["secret"] as? String == "/wAB")
        #expect(object["encoding"] as? String == "base64")
        let printed = try box.shell("\"$0\" credential get bytes | od -An -tx1")
        #expect(printed.standardOutput == " ff 00 01\n")
    }

    @Test(.holds("B-10")) func `a credential is in no file in the open, and beside a vault it changes nothing of it`()
        throws
    {
        let box = try Box.withVault()
        try box.run(["credential", "set", "mail"], [Self.token]).succeeding()
        for (path, bytes) in box.contents() {
            #expect(Data(bytes).range(of: Data("4f1d9c".utf8)) == nil, "\(path)")
        }
        try box.run(["unlock"], [Box.pin]).succeeding()
        try box.run(["reset"], ["RESET"]).succeeding()
        #expect(try box.run(["credential", "get", "mail"]).standardOutput == Self.token + "\n")
    }

    @Test func `a vault can be made where credentials lie already`() throws {
        let box = try Box()
        try box.run(["credential", "set", "mail"], [Self.token]).succeeding()
        #expect(try box.run(["status"]).standardError.contains("ERR-TT-201"))
        try box.run(["init"], [Box.pin]).succeeding()
        try box.run(["unlock"], [Box.pin]).succeeding()
        #expect(try box.run(["credential", "get", "mail"]).standardOutput == Self.token + "\n")
    }

    @Test(.holds("A38"))
    func `of several processes that store one name at once, one does, and what it stored is there`()
        async throws
    {
        let box = try Box()
        try box.run(["credential", "set", "other"], ["x"])
        let ends = await withTaskGroup(of: (Int, Int32).self) { group in
            for number in 1...4 {
                group.addTask {
                    let run = try? box.run(["credential", "set", "mail"], ["token \(number)"])
                    return (number, run?.exitCode ?? -1)
                }
            }
            return await group.reduce(into: [Int: Int32]()) { $0[$1.0] = $1.1 }
        }
        let winners = ends.filter { $0.value == 0 }.keys
        #expect(winners.count == 1 && ends.values.allSatisfy { [0, 1].contains($0) }, "\(ends)")
        let read = try box.run(["credential", "get", "mail"]).standardOutput
        #expect(read == "token \(winners.first ?? 0)\n")
    }

    @Test func `the device is locked: a plain credential waits, and is there again`() throws {
        let box = try Box()
        try box.run(["credential", "set", "mail"], [Self.token])
        try box.run(["simulate", "lock-device"])
        let refused = try box.run(["credential", "get", "mail"])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-206"), "\(refused)")
        let removed = try box.run(["credential", "remove", "mail"])
        #expect(removed.exitCode == 0 && removed.standardError.contains("the next command tries again"), "\(removed)")
        try box.run(["simulate", "unlock-device"])
        #expect(try box.run(["credential", "get", "mail"]).standardError.contains("ERR-TT-402"))
    }
}
