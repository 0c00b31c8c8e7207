#if os(Linux)
import Foundation
import Glibc
import Testing
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnCommand

/// Secrets that are shown, written to a file or put on the clipboard, as their owner meets them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ShowingTests {
    private static let pinQuestion = "PIN or password: "
    private static let opened = "\u{1B}[?1049h\u{1B}[2J\u{1B}[H"
    private static let wiped = "\u{1B}[2J\u{1B}[H\u{1B}[?1049l"
    /// A terminal that can do more than show line after line.
    private static let command = "TERM=xterm $T"

    private static func boxWithWallet() throws -> Box {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        return box
    }

    /// The words of a screen, by their numbers.
    private func words(of screen: String) -> [Int: String] {
        let found = screen.matches(of: /(\d+) ([a-z]+)/).compactMap { match in
            Int(match.1).map { ($0, String(match.2)) }
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Whether three words in a row of a mnemonic are in a text: one alone may be any word of English.
    private func shows(_ mnemonic: [String], in text: String) -> Bool {
        let found = text.split { !$0.isLetter }.map(String.init)
        return mnemonic.indices.dropLast(2).contains { index in
            found.indices.contains { found[$0...].starts(with: mnemonic[index...index + 2]) }
        }
    }

    /// Runs a line that shows something, up to the question below it.
    private func screen(of line: String, on desk: Desk, until question: String) -> String {
        desk.start("\(Self.command) \(line)", until: Self.pinQuestion, answering: Box.pin)
        let before = desk.keyboard.wait(for: Self.opened)
        #expect(words(of: before).isEmpty)
        return desk.keyboard.wait(for: question)
    }

    @Test(arguments: [12, 24]) func `a new wallet's words are shown once, wiped, and asked back`(count: Int) throws {
        let desk = try Desk(.withVault())
        let shown = screen(of: "wallet create Coins --words \(count)", on: desk, until: "written down: ")
        let words = words(of: shown)
        #expect(words.count == count && shown.contains("who reads them has its coins"), "\(shown)")
        let rows = shown.split(separator: "\n").filter { $0.contains(#/^ ?\d+ [a-z]/#) }
        #expect(rows.count == count / 4 && rows.allSatisfy { self.words(of: String($0)).count == 4 }, "\(shown)")
        desk.keyboard.write("")
        #expect(desk.keyboard.wait(for: Self.wiped).hasSuffix(Self.wiped))
        var asked: [Int] = []
        for _ in 0..<3 {
            let question = desk.keyboard.wait(for: ": ")
            let number = try #require(question.firstMatch(of: #/Word (\d+): /#).flatMap { Int($0.1) }, "\(question)")
            asked.append(number)
            desk.keyboard.write(" \(words[number, default: "?"].uppercased()) ")
        }
        #expect(asked == asked.sorted() && Set(asked).count == 3)
        let end = desk.waitForShell()
        #expect(end.contains("Added: Coins (mnemonic).") && end.contains("recovery create`, then"), "\(end)")
        let inOrder = (1...count).compactMap { words[$0] }
        #expect(shows(inOrder, in: shown) && !shows(inOrder, in: end), "\(end)")
        let stored = try desk.box.run(["wallet", "export", "Coins"], [Box.pin]).standardOutput
        #expect(stored == inOrder.joined(separator: " ") + "\n")
    }

    @Test func `who mistypes a word sees them again, and after the third time is told where they are`() throws {
        let desk = try Desk(.withVault())
        var shown = screen(of: "wallet create 'My coins'", on: desk, until: "written down: ")
        for turn in 1...3 {
            #expect(words(of: shown).count == 24, "\(turn)")
            desk.keyboard.write("")
            desk.keyboard.wait(for: Self.wiped)
            desk.keyboard.wait(for: ": ")
            desk.keyboard.write("zoo7")
            guard turn < 3 else { break }
            shown = desk.keyboard.wait(for: "written down: ")
            // On the screen, where it is seen.
            let screen = shown.firstRange(of: Self.opened).map { shown[$0.upperBound...] } ?? ""
            #expect(screen.hasPrefix("That is another word"), "\(shown)")
        }
        let end = desk.waitForShell().replacing("\n  ", with: " ")
        #expect(end.contains("ERR-TT-306 The wallet is in the vault") && end.contains("export 'My coins'`"), "\(end)")
        #expect(desk.run("echo $?").contains("\n2\n"))
        #expect(try desk.box.run(["wallet", "export", "My coins"], [Box.pin]).exitCode == 0)
    }

    @Test(arguments: [
        ("", "TERM=dumb"), ("", "env -u TERM"), ("--no-show", "TERM=xterm"), ("--json", "TERM=xterm"),
        ("| cat", "TERM=xterm"), ("2>&1 | cat", "TERM=xterm"),
    ])
    func `words go to no pipe and no terminal that can't forget them, and their owner is told`(
        rest: String,
        terminal: String
    ) throws {
        let desk = try Desk(.withVault())
        desk.start("\(terminal) $T wallet create 'My coins' \(rest)", until: Self.pinQuestion, answering: Box.pin)
        let end = desk.waitForShell().replacing("\n  ", with: " ")
        #expect(end.contains(rest == "--json" ? "\"name\":\"My coins\"" : "Added: My coins"), "\(end)")
        #expect(end.contains("its words were not shown: `thumbturn wallet export 'My coins'`"), "\(end)")
        #expect(end.contains("next: `thumbturn recovery create`, then"), "\(end)")
        let stored = try desk.box.run(["wallet", "export", "My coins"], [Box.pin]).standardOutput
        #expect(!shows(stored.split { $0 == " " || $0 == "\n" }.map(String.init), in: end), "\(end)")
        #expect(!end.contains("\u{1B}"))
    }

    @Test func `who interrupts a new wallet's words knows where they are`() throws {
        let desk = try Desk(.withVault())
        let shown = screen(of: "wallet create Coins", on: desk, until: "written down: ")
        #expect(words(of: shown).count == 24)
        desk.press("C")
        let end = desk.waitForShell()
        #expect(end.contains(Self.wiped), "\(end)")
        let told = desk.keyboard.everything.replacing("\n  ", with: " ")
        #expect(told.contains("`thumbturn wallet export Coins` shows its words again"), "\(told)")
    }

    @Test(arguments: [(30, 2), (40, 3), (49, 3), (50, 4), (80, 4), (200, 4)])
    func `an exported mnemonic is numbered, and gone after Enter`(columns: Int, perLine: Int) throws {
        let desk = try Desk(Self.boxWithWallet())
        desk.keyboard.resize(toColumns: columns)
        let shown = screen(of: "wallet export Savings", on: desk, until: "wipe it: ")
        let expected = Box.mnemonic.split(separator: " ").enumerated().map { ($0 + 1, String($1)) }
        #expect(words(of: shown) == Dictionary(uniqueKeysWithValues: expected), "\(shown)")
        let rows = shown.split(separator: "\n").filter { $0.contains(/^ ?\d+ [a-z]/) }
        #expect(rows.dropLast().allSatisfy { self.words(of: String($0)).count == perLine }, "\(shown)")
        #expect(shown.split(separator: "\n").allSatisfy { $0.columns <= columns }, "\(shown)")
        desk.keyboard.write("")
        let end = desk.waitForShell()
        #expect(end.contains(Self.wiped) && !end.contains("ozone"), "\(end)")
        // Who asks for it as it is has it in a line.
        desk.start("\(Self.command) wallet export Savings --raw", until: Self.pinQuestion, answering: Box.pin)
        #expect(desk.waitForShell().contains(columns > 90 ? Box.mnemonic : "ozone"))
    }

    @Test(arguments: ["C", "\\"]) func `a signal that ends the command wipes the words, and Control-Z waits`(
        key: Character
    ) throws {
        let desk = try Desk(Self.boxWithWallet())
        let shown = screen(of: "wallet export Savings", on: desk, until: "wipe it: ")
        #expect(shown.contains("ozone"))
        desk.press("Z")
        desk.press(key)
        let end = desk.waitForShell()
        #expect(end.contains(Self.wiped) && !end.contains("ozone") && !end.contains("Stopped"), "\(end)")
        #expect(desk.keyboard.echoes)
    }

    @Test func `French is whole, and a private key goes the same way`() throws {
        let box = try Box.withVault()
        let digits = String(repeating: "4f", count: 32)
        try box.run(["wallet", "import", "Clé", "--private-key"], [Box.pin, digits]).succeeding()
        let desk = try Desk(box)
        desk.start(
            "LC_ALL=fr_FR.UTF-8 \(Self.command) wallet export Clé",
            until: "Code ou mot de passe : ",
            answering: Box.pin
        )
        let shown = desk.keyboard.wait(for: "pour l'effacer : ")
        #expect(shown.contains("Qui lit ceci a les fonds de Clé.") && shown.contains(digits), "\(shown)")
        desk.keyboard.write("")
        #expect(desk.waitForShell().contains(Self.wiped))
    }

    /// The key on a screen.
    private func key(of screen: String) throws -> String {
        let lines = screen.split(separator: "\n").filter { $0.contains(#/^[A-Z0-9-]{10,}$/#) }
        let key = lines.joined()
        try #require(key.count == 69, "\(screen)")
        return key
    }

    @Test(arguments: [40, 80]) func `a new recovery key is wiped before it is typed back, and counts then`(
        columns: Int
    ) throws {
        let desk = try Desk(.withVault())
        desk.keyboard.resize(toColumns: columns)
        var shown = screen(of: "recovery create", on: desk, until: "written down: ")
        let key = try key(of: shown)
        #expect(shown.split(separator: "\n").allSatisfy { $0.columns <= columns }, "\(shown)")
        for typed in ["nothing", key.lowercased()] {
            desk.keyboard.write("")
            desk.keyboard.wait(for: Self.wiped)
            desk.keyboard.wait(for: "Type it back: ")
            desk.keyboard.write(typed)
            if typed == "nothing" {
                shown = desk.keyboard.wait(for: "written down: ")
                let screen = shown.firstRange(of: Self.opened).map { shown[$0.upperBound...] } ?? ""
                #expect(screen.hasPrefix("That is not the key"), "\(shown)")
                #expect(try self.key(of: shown) == key)
            }
        }
        let end = desk.waitForShell().replacing("\n  ", with: " ")
        #expect(end.contains("the recovery key is confirmed"), "\(end)")
        #expect(end.contains("next: `thumbturn backup FILE`"), "\(end)")
        #expect(!end.contains(key.prefix(14)))
        #expect(try desk.box.run(["recovery", "status"]).standardOutput.contains("is confirmed"))
    }

    @Test func `init offers the recovery key at once, and says what comes next`() throws {
        for answer in ["", "n"] {
            let desk = try Desk(Box())
            let line = "\(Self.command) --device simulated init --no-biometrics"
            desk.start(line, until: "nothing like 123456): ", answering: Box.pin)
            desk.answer("The same again: ", Box.pin)
            let offer = desk.keyboard.wait(for: "[Y/n]: ")
            #expect(offer.contains("Vault made in") && offer.contains("lose this device"), "\(offer)")
            desk.keyboard.write(answer)
            if answer.isEmpty {
                let key = try key(of: desk.keyboard.wait(for: "written down: "))
                desk.keyboard.write("")
                desk.keyboard.wait(for: "Type it back: ")
                desk.keyboard.write(key)
            }
            let end = desk.waitForShell().replacing("\n  ", with: " ")
            #expect(end.contains("simulated wallet create NAME`"), "\(end)")
            #expect(end.contains("until then there is no backup") == (answer == "n"))
            let status = try desk.box.json(["recovery", "status"])
            #expect(status["isConfirmed"] as? Bool == answer.isEmpty)
        }
    }

    @Test func `--output makes a file for its owner alone, and never takes another's place`() throws {
        let box = try Self.boxWithWallet()
        let file = box.folder + "/words"
        let written = try box.run(["wallet", "export", "Savings", "--output", file], [Box.pin])
        #expect(written.standardOutput == "Written: \(file)\n" && written.standardError.isEmpty, "\(written)")
        #expect(String(decoding: Folders.contents(of: file), as: UTF8.self) == Box.mnemonic + "\n")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // Refused before anything is asked: no line is given.
        let refused = try box.run(["wallet", "export", "Savings", "--output", file])
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-319"), "\(refused)")
        #expect(refused.standardError.contains("name another file"), "\(refused)")
        // A folder is no file, and neither is it touched.
        let folder = try box.run(["wallet", "export", "Savings", "--output", box.folder], [Box.pin])
        #expect(folder.exitCode == 1 && !folder.standardError.contains("file exists"), "\(folder)")
        let link = box.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: box.folder + "/nowhere")
        let linked = try box.run(["wallet", "export", "Savings", "--output", link], [Box.pin])
        #expect(linked.exitCode == 1 && linked.standardError.contains("ERR-TT-319"), "\(linked)")

        let other = box.folder + "/other"
        #expect(try box.run(["wallet", "export", "Savings", "--output", other], [Box.wrongPIN]).exitCode == 1)
        #expect(try box.run(["wallet", "export", "None", "--output", other], [Box.pin]).exitCode == 1)
        #expect(Folders.isAbsent(other) && Folders.isAbsent(box.folder + "/nowhere"))
        let printed = try box.json(["wallet", "export", "--all", "--output", other], [Box.pin])
        #expect(printed.keys.sorted() == ["output"] && printed["output"] as? String == other)
        let object = try JSONSerialization.jsonObject(with: Data(Folders.contents(of: other))) as? [String: Any]
        #expect(((object?["wallets"] as? [[String: Any]])?.first?["secret"] as? String) == Box.mnemonic)
    }

    @Test func `what opens is in the file, though something else does not`() throws {
        let box = try Self.boxWithWallet()
        try box.run(["wallet", "import", "Lost"], [Box.pin, Box.mnemonic]).succeeding()
        try box.damageSecret(of: #require(box.ids()["Lost"]))
        let file = box.folder + "/all"
        let written = try box.run(["wallet", "export", "--all", "--output", file], [Box.pin])
        #expect(written.exitCode == 4 && written.standardOutput == "Written: \(file)\n", "\(written)")
        #expect(written.standardError.contains("what opens is in the file"), "\(written)")
        #expect(String(decoding: Folders.contents(of: file), as: UTF8.self) == "Savings\t\(Box.mnemonic)\n")
    }

    @Test func `one name that is missing leaves the rest in the file, which is told`() throws {
        let box = try Self.boxWithWallet()
        let (file, other) = (box.folder + "/some", box.folder + "/none")
        let words = ["wallet", "export", "Savings", "None", "--output"]
        let written = try box.run(words + [file], [Box.pin])
        #expect(written.exitCode == 1 && written.standardOutput == "Written: \(file)\n", "\(written)")
        #expect(written.standardError.contains("ERR-TT-312") && !written.standardError.contains("nothing was changed"))
        #expect(String(decoding: Folders.contents(of: file), as: UTF8.self) == "Savings\t\(Box.mnemonic)\n")
        let french = try box.run(words + [file + ".fr"], [Box.pin], ["LC_ALL": "fr_FR.UTF-8"])
        #expect(
            french.standardOutput == "Écrit : \(file).fr\n" && !french.standardError.contains("rien n'a"),
            "\(french)"
        )
        let printed = try box.json(words + [file + ".json"], [Box.pin])
        #expect(printed.keys.sorted() == ["error", "output"] && printed["output"] as? String == file + ".json")
        // Where nothing was there to be written, nothing is.
        let refused = try box.run(["wallet", "export", "None", "Nobody", "--output", other], [Box.pin])
        #expect(refused.exitCode == 1 && refused.standardOutput.isEmpty && Folders.isAbsent(other), "\(refused)")
    }

    @Test(arguments: ["-", ""]) func `--output takes a file, and nothing that stands for another thing`(path: String)
        throws
    {
        let box = try Self.boxWithWallet()
        let refused = try box.run(["wallet", "export", "Savings", "--output", path], [Box.pin])
        #expect(refused.exitCode == 2 && refused.standardError.contains("ERR-TT-301"), "\(refused)")
        #expect(refused.standardOutput.isEmpty && Folders.isAbsent("-"))
    }
}

/// The clipboard, with a tool that acts as those of a desktop do.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ClipboardTests {
    /// A folder of programs with a tool that owns the clipboard while it runs, and ends the one before.
    ///
    /// Nothing else of the desktop on which the test runs is there, so it may have tools of its own.
    private static func tool(_ name: String, in box: Box) throws -> String {
        let folder = box.folder + "/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for program in ["cat", "sleep"] {
            try? FileManager.default.createSymbolicLink(
                atPath: folder + "/" + program,
                withDestinationPath: "/bin/" + program
            )
        }
        let script = """
            #!/bin/sh
            cd '\(box.folder)'
            text=$(cat; echo .)
            [ -f owner ] && kill "$(cat owner)" 2>/dev/null
            echo $$ > owner
            printf '%s' "$text" > clipboard
            echo "$0 $* $TMPDIR" >> calls
            exec sleep 600

            """
        let path = folder + "/" + name
        try Folders.write(Array(script.utf8), to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return folder
    }

    private static func text(_ name: String, in box: Box) -> String {
        String(decoding: Folders.contents(of: box.folder + "/" + name), as: UTF8.self)
    }

    /// Waits until a tool offers the secret, however late it starts.
    private static func waitForSecret(in box: Box) {
        let end = time(nil) + Keyboard.patience
        while text("clipboard", in: box) != "secret." {
            guard time(nil) < end else {
                Issue.record("no tool took the secret")
                return
            }
            sched_yield()
        }
    }

    private static func isRunning(in box: Box) -> Bool {
        pid_t(text("owner", in: box).trimmingCharacters(in: .newlines)).map { kill($0, 0) == 0 } ?? false
    }

    @Test(arguments: [("wl-copy", "WAYLAND_DISPLAY=wayland-0"), ("xclip", "DISPLAY=:0"), ("xsel", "DISPLAY=:0")])
    func `the command stays in front, and Control-C clears the clipboard`(name: String, desktop: String) throws {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        let path = try Self.tool(name, in: box)
        let desk = try Desk(box)
        let line = "PATH=\(path) \(desktop) XDG_RUNTIME_DIR=\(box.folder) $T wallet export Savings --clipboard"
        desk.start(line, until: "PIN or password: ", answering: Box.pin)
        let told = desk.keyboard.wait(for: "at once").replacing("\n  ", with: " ")
        #expect(told.contains("on the clipboard for 45 s") && !told.contains("ozone"), "\(told)")
        #expect(Self.text("clipboard", in: box) == Box.mnemonic + ".")
        let held = Self.text("calls", in: box)
        #expect(held.contains("/\(name) ") && held.contains("\(box.folder)/thumbturn-clipboard."))
        desk.press("Z")
        desk.press("C")
        let end = desk.waitForShell()
        #expect(end.contains("the clipboard is cleared") && !end.contains("Stopped"), "\(end)")
        #expect(desk.run("echo $?").contains("\n130\n"))
        #expect(Self.text("clipboard", in: box) == " ." && !Self.isRunning(in: box))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: box.folder).filter { $0.contains("clipboard.") } == []
        )
    }

    @Test func `where there is none, nothing is asked`() throws {
        let box = try Box.withVault()
        let words = ["wallet", "export", "Savings", "--clipboard"]
        let desktop = ["PATH": box.folder, "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"]
        let refused = try box.run(words, [Box.pin], desktop)
        #expect(refused.exitCode == 3 && refused.standardError.contains("There is no clipboard here."), "\(refused)")
        #expect(refused.standardError.contains("install wl-clipboard, xclip or xsel"))
        let attempts = try #require(box.json(["status"])["attempts"] as? [String: Any])
        #expect(attempts["failures"] as? Int == 0)
        for words in [
            ["--clipboard", "--json"], ["--clipboard", "--raw"], ["--clipboard", "--output", "f"],
            ["B", "--clipboard"],
        ] {
            #expect(try box.run(["wallet", "export", "A"] + words, [Box.pin]).exitCode == 2, "\(words)")
        }
    }

    @Test func `its time ends, something else is copied, and a tool that gives up is followed or told`() async {
        // In a process of its own: what it says of path and desktop is no concern of other suites.
        await #expect(processExitsWith: .success) {
            let box = try Box()
            let path = try ClipboardTests.tool("xclip", in: box)
            unsafe setenv("PATH", path, 1)
            unsafe unsetenv("WAYLAND_DISPLAY")
            unsafe setenv("DISPLAY", ":0", 1)
            let clipboard = try #require(Clipboard.find())
            let secret = SecretBytes(text: "secret")
            let cleared = try clipboard.hold(secret, for: Milliseconds(100)) { ClipboardTests.waitForSecret(in: box) }
            #expect(cleared == .cleared)
            #expect(ClipboardTests.text("clipboard", in: box) == " ." && !ClipboardTests.isRunning(in: box))
            let end = try clipboard.hold(secret, for: Milliseconds(120_000)) {
                ClipboardTests.waitForSecret(in: box)
                let owner = ClipboardTests.text("owner", in: box).trimmingCharacters(in: .newlines)
                pid_t(owner).map { _ = kill($0, SIGTERM) }
            }
            #expect(end == .replaced && ClipboardTests.text("clipboard", in: box) == "secret.")
            // It takes all, so that nothing else is wrong before it gives up.
            try Data("#!/bin/sh\ncat >/dev/null\nexit 1\n".utf8).write(to: URL(fileURLWithPath: path + "/xclip"))
            _ = try ClipboardTests.tool("xsel", in: box)
            let followed = try #require(Clipboard.find())
            let next = try followed.hold(secret, for: Milliseconds(100), settling: Milliseconds(2_000)) {
                ClipboardTests.waitForSecret(in: box)
            }
            #expect(next == .cleared)
            #expect(ClipboardTests.text("calls", in: box).split(separator: "\n").last?.contains("/xsel ") == true)
            let told = try #require(throws: Failure.self) {
                _ = try clipboard.hold(secret, for: Milliseconds(100), settling: Milliseconds(10_000))
            }
            #expect(told.message(in: .english) == "The clipboard accepts nothing now.")
        }
    }
}
#endif
