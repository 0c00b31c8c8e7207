import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// `backup`, `backup verify` and `restore` as a person and a timer meet them.
struct BackupCommandTests {
    /// A vault with one wallet and a confirmed recovery key.
    static func boxWithKey() throws -> (Box, key: String) {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        return (box, try box.recoveryKey())
    }

    /// Makes a folder in the box.
    private func folder(_ name: String, in box: Box) throws -> String {
        let path = box.folder + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test func `in a folder a backup gets a name that tells the time`() throws {
        let (box, _) = try Self.boxWithKey()
        let folder = try folder("stick", in: box)
        let written = try #require(box.json(["backup", folder], [Box.pin])["backup"] as? String)
        let name = try #require(written.split(separator: "/").last.map(String.init))
        #expect(name.wholeMatch(of: /thumbturn-\d{8}T\d{6}Z\.backup/) != nil, "\(name)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
        let mode = try FileManager.default.attributesOfItem(atPath: written)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `--force replaces a backup of the vault, and nothing else`() throws {
        let (box, key) = try Self.boxWithKey()
        let (other, _) = try Self.boxWithKey()
        let file = box.folder + "/nightly"
        try box.run(["backup", file, "--force"], [Box.pin]).succeeding()
        try box.run(["wallet", "import", "Second"], [Box.pin, Box.mnemonic]).succeeding()
        let refused = try box.run(["backup", file], [Box.pin])
        #expect(refused.exitCode == 1 && refused.standardError.contains("--force replaces a backup of this vault"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file + ".partial"))
        try box.run(["backup", "--force", file], [Box.pin]).succeeding()
        #expect(try box.json(["backup", "verify", file], [key])["walletCount"] as? Int == 2)
        // No draft is left, and nothing of another's goes.
        #expect(try String(contentsOfFile: file + ".partial", encoding: .utf8) == "mine")
        let names = try FileManager.default.contentsOfDirectory(atPath: box.folder)
        #expect(names.filter { $0.contains("partial") }.count == 1)

        // Another vault's backup may be all that is left of it, and a copy of this vault's file is none.
        let text = box.folder + "/notes"
        try Folders.write(Array("my notes".utf8), to: text)
        let copy = try folder("copy", in: box) + "/vault.sqlite"
        try FileManager.default.copyItem(atPath: box.database, toPath: copy)
        let before = [file, text, copy].map(Folders.contents)
        for (place, who) in [(file, other), (text, box), (copy, box)] {
            let refused = try who.run(["backup", "--force", place], [Box.pin])
            #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-319"), "\(refused)")
            #expect(refused.standardError.contains("not a backup of this vault"))
        }
        #expect([file, text, copy].map(Folders.contents) == before)
    }

    @Test func `a backup goes through pipes, to be tried and to be restored`() throws {
        let (box, key) = try Self.boxWithKey()
        let (sent, other) = (box.folder + "/sent", try Box())
        let scratch = try folder("scratch", in: other)
        try Folders.write(Array((Box.pin + "\n").utf8), to: box.folder + "/pin")
        try Folders.write(Array("\(key)\n\(Box.wrongPIN)\n".utf8), to: other.folder + "/lines")
        try Folders.write(Array("\(key)\n".utf8), to: other.folder + "/key")
        let written = try box.shell("\"$0\" --secret-fd 3 backup - 3<'\(box.folder)/pin' | cat > '\(sent)'")
        #expect(written.standardOutput.isEmpty && written.standardError == "thumbturn: backup written: 1 wallet\n")
        #expect(!Folders.contents(of: sent).isEmpty)

        let tried = try other.shell(
            "TMPDIR='\(scratch)' \"$0\" --secret-fd 3 backup verify - 3<'\(other.folder)/key' < '\(sent)'"
        )
        #expect(tried.standardOutput == "The backup is complete, and all of it opens: 1 wallet.\n", "\(tried)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty && Folders.isAbsent(other.vault))

        let restored = try other.shell(
            "cat '\(sent)' | TMPDIR='\(scratch)' \"$0\" --device simulated --secret-fd 3 restore - 3<'\(other.folder)/lines'"
        )
        #expect(restored.exitCode == 0, "\(restored)")
        #expect(try other.run(["wallet", "export", "Savings"], [Box.wrongPIN]).standardOutput == Box.mnemonic + "\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)

        // One line of a descriptor can't be both.
        let both = try other.shell("\"$0\" --secret-fd 0 backup verify - < '\(sent)'")
        #expect(both.exitCode == 2 && both.standardError.contains("--secret-fd 3"))
        let json = try box.run(["backup", "-", "--json"], [Box.pin])
        #expect(json.exitCode == 2 && json.standardOutput.contains("ERR-TT-301"), "\(json)")
    }

    @Test func `a pipe that nobody reads ends a backup, and leaves nothing`() throws {
        let (box, _) = try Self.boxWithKey()
        try Folders.write(Array((Box.pin + "\n").utf8), to: box.folder + "/pin")
        let result = try box.shell("\"$0\" --secret-fd 3 backup - 3<'\(box.folder)/pin' > /dev/full; echo $? >&2")
        #expect(result.standardError.contains("ERR-TT-207") && result.standardError.hasSuffix("3\n"), "\(result)")
        #expect(Folders.files(below: box.vault).allSatisfy { !$0.contains("partial") })
    }

    @Test func `a backup that is damaged anywhere is told, with what to do, and nothing is made`() throws {
        let (box, key) = try Self.boxWithKey()
        let file = box.folder + "/backup"
        try box.run(["backup", file], [Box.pin]).succeeding()
        let bytes = Folders.contents(of: file)
        try box.run(["backup", "verify", file], [key]).succeeding()
        let secret = try #require(box.ids()["Savings"]).bytes
        // The id stands in the row, and before the secret.
        let places = bytes.indices.filter { bytes[$0...].starts(with: secret) && bytes[$0 - 18] == 1 }
        let sealed = try #require(places.first)
        for (name, change) in [("secret", sealed + 60), ("header", 20)] {
            var changed = bytes
            changed[change] ^= 1
            try Folders.write(changed, to: box.folder + "/" + name)
            let refused = try box.run(["backup", "verify", box.folder + "/" + name], [key])
            #expect(refused.exitCode == 4 || refused.exitCode == 3, "\(name): \(refused)")
            #expect(refused.standardError.contains("--from \(box.folder)/\(name)`"), "\(name): \(refused)")
            #expect(refused.standardOutput.isEmpty)
        }
        #expect(Folders.contents(of: file) == bytes)
        let absent = try box.run(["backup", "verify", box.folder + "/none"], [key])
        #expect(absent.standardError.contains("There is no file"))
        let wrong = try box.run(["backup", "verify", file], [Self.boxWithKey().key])
        #expect(wrong.exitCode == 1 && wrong.standardError.contains("ERR-107-040"), "\(wrong)")
    }

    @Test(arguments: [("en_US.UTF-8", "this backup is damaged"), ("fr_FR.UTF-8", "cette sauvegarde est abîmée")])
    func `a damaged backup in a pipe says nothing against the vault that is there`(locale: String, told: String) throws
    {
        let (box, key) = try Self.boxWithKey()
        let file = box.folder + "/backup"
        try box.run(["backup", file], [Box.pin]).succeeding()
        var bytes = Folders.contents(of: file)
        let secret = try #require(box.ids()["Savings"]).bytes
        let sealed = try #require(bytes.indices.first { bytes[$0...].starts(with: secret) && bytes[$0 - 18] == 1 })
        bytes[sealed + 60] ^= 1
        try Folders.write(bytes, to: box.folder + "/flipped")
        bytes[60] ^= 1
        try Folders.write(bytes, to: box.folder + "/newer")
        try Folders.write(Array("\(key)\n\(Box.wrongPIN)\n".utf8), to: box.folder + "/lines")
        try Folders.write(Array("\(key)\n".utf8), to: box.folder + "/key")
        let lines = [("backup verify", "key"), ("--vault '\(box.folder)/new' restore", "lines")]
        for input in ["/etc/passwd", box.folder + "/flipped", box.folder + "/newer"] {
            for (command, given) in lines {
                let refused = try box.shell(
                    "LC_ALL=\(locale) \"$0\" --device simulated --secret-fd 3 \(command) - 3<'\(box.folder)/\(given)' < '\(input)'"
                )
                #expect(refused.exitCode >= 3 && refused.standardError.contains(told), "\(refused)")
                #expect(refused.standardError.contains("`thumbturn wallet export --all --from "), "\(refused)")
                #expect(
                    !refused.standardError.contains(".damaged") && !refused.standardError.contains(box.vault),
                    "\(refused)"
                )
                // Of a backup it speaks as of a backup.
                #expect(!refused.standardError.contains("The vault was changed"), "\(refused)")
                #expect(!refused.standardError.contains("Le coffre a été modifié"), "\(refused)")
            }
        }
        // Of a file its own name is told, whatever is wrong with it.
        let newer = try box.run(["backup", "verify", box.folder + "/newer"], [key])
        #expect(newer.standardError.contains("--from \(box.folder)/newer`"), "\(newer)")
    }

    @Test func `a folder that is not there is named, before the PIN is asked`() throws {
        let (box, _) = try Self.boxWithKey()
        try Folders.write([], to: box.folder + "/plain")
        for folder in ["none", "none/deep", "plain"].map({ box.folder + "/" + $0 }) {
            for words in [["backup"], ["backup", "--force"], ["wallet", "export", "Savings", "--output"]] {
                let refused = try box.run(words + [folder + "/x"])
                #expect(refused.exitCode == 3, "\(refused)")
                #expect(refused.standardError.contains("There is no folder \(folder)."), "\(refused)")
                #expect(refused.standardError.contains("hint: make it, or name another"), "\(refused)")
            }
        }
        let inside = try box.run(["backup", "none/x"], nil, ["LC_ALL": "fr_FR.UTF-8"])
        #expect(inside.standardError.contains("Il n'y a pas de dossier none."), "\(inside)")
    }

    @Test func `a folder, and a file that can't be read, are told as that`() throws {
        let box = try Box()
        for words in [["backup", "verify", box.folder], ["restore", box.folder]] {
            let refused = try box.run(words)
            #expect(refused.exitCode == 2 && refused.standardError.contains("is a folder"), "\(refused)")
            #expect(refused.standardError.contains("name the backup in it"), "\(refused)")
        }
    }

    @Test func `what is no backup at all is refused before anything is asked`() throws {
        let (box, other) = (try Box(), try Box())
        try Folders.write([], to: other.folder + "/empty")
        for file in ["/etc/passwd", other.folder + "/empty"] {
            for words in [["backup", "verify", file], ["restore", file]] {
                // Nobody is there who could answer.
                let refused = try box.run(words)
                #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-204"), "\(refused)")
            }
        }
        #expect(Folders.isAbsent(box.vault))
    }

    #if os(Linux)
    @Test func `what comes through a pipe leaves the terminal to the questions`() throws {
        let (box, key) = try Self.boxWithKey()
        let file = box.folder + "/sent"
        try box.run(["backup", file], [Box.pin]).succeeding()
        let desk = try Desk(Box())
        desk.start("cat \(file) | $T --device simulated restore -", until: "Recovery key: ", answering: key)
        desk.keyboard.wait(for: "nothing like 123456): ")
        desk.keyboard.write(Box.wrongPIN)
        desk.keyboard.wait(for: "The same again: ")
        desk.keyboard.write(Box.wrongPIN)
        let shown = desk.waitForShell()
        #expect(shown.contains("Restored into"), "\(shown)")
        #expect(!desk.keyboard.everything.contains(key) && !desk.keyboard.everything.contains(Box.wrongPIN))
        let sent = desk.run("$T backup -").replacing("\n  ", with: " ")
        #expect(sent.contains("a backup can't be shown on a terminal"), "\(sent)")
        let typed = desk.run("$T backup verify -").replacing("\n  ", with: " ")
        #expect(typed.contains("a backup can't be typed"), "\(typed)")
    }
    #endif
}
