#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnCommand

/// What is mistyped, and words as people have them: at a terminal, on standard input and on a descriptor.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct MistakeTests {
    private static let pinQuestion = "PIN or password: "
    private static let mnemonicQuestion = "Mnemonic (BIP-39): "
    private static let numberQuestion = "(Enter: type all again): "
    private static let long =
        "letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid "
        + "letter advice cage absurd amount doctor acoustic bless"
    /// Its first half is a mnemonic too, by chance.
    private static let double =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about "
        + "zoo legal winner thank year wave sausage worth useful letter advice anchor"
    private static let french =
        "abaisser abandon abdiquer abeille abolir aborder aboutir aboyer abrasif abreuver abriter abroger"

    private static func numbered(_ words: String, _ end: String = "\n") -> String {
        words.split(separator: " ").enumerated().map { "\($0 + 1). \($1)" }.joined(separator: end)
    }

    /// A line as the terminal shows it, where it may be broken.
    private func unbroken(_ shown: String) -> String { shown.replacing("\n  ", with: " ") }

    private func failures(in box: Box) throws -> Int? {
        try #require(box.json(["status"])["attempts"] as? [String: Any])["failures"] as? Int
    }

    /// Starts an import, up to the question for the words.
    private func startImport(on desk: Desk) {
        desk.start("$T wallet import Savings", until: Self.pinQuestion, answering: Box.pin)
        desk.keyboard.wait(for: Self.mnemonicQuestion)
    }

    private func expectStored(_ words: String, in box: Box, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let exported = try box.run(["wallet", "export", "Savings"], [Box.pin])
        #expect(exported.standardOutput == words + "\n", "\(exported)", sourceLocation: sourceLocation)
    }

    // MARK: PINs

    @Test(arguments: ["unlock", "wallet create A --no-show", "wallet list", "backup b", "pin change"])
    func `a wrong PIN says so, and how many tries are free, and is asked for again`(command: String) throws {
        let desk = try Desk(.withVault())
        _ = try desk.box.recoveryKey()
        desk.start("cd \(desk.box.folder); $T \(command)", until: Self.pinQuestion, answering: Box.wrongPIN)
        let told = unbroken(desk.keyboard.wait(for: Self.pinQuestion))
        #expect(told.contains("the PIN or password is wrong; 3 more tries before a wait"), "\(told)")
        desk.keyboard.write(Box.pin)
        if command == "pin change" {
            for question in ["123456): ", "The same again: "] {
                desk.keyboard.wait(for: question)
                desk.keyboard.write("70418263")
            }
        }
        let end = desk.waitForShell()
        #expect(!end.contains("error"), "\(end)")
        #expect(desk.run("echo $?").contains("\n0\n"))
        #expect(try failures(in: desk.box) == 0)
    }

    @Test func `after three wrong ones it gives up, and elsewhere than on a terminal after one`() throws {
        let desk = try Desk(.withVault())
        desk.start("$T unlock", until: Self.pinQuestion, answering: Box.wrongPIN)
        for left in [3, 2] {
            let told = unbroken(desk.keyboard.wait(for: Self.pinQuestion))
            #expect(told.contains("\(left) more tries before a wait"), "\(told)")
            desk.keyboard.write(Box.wrongPIN)
        }
        let end = unbroken(desk.waitForShell())
        #expect(end.contains("error: ERR-107-040") && end.contains("wrong; 1 more try before a wait"), "\(end)")
        #expect(desk.run("echo $?").contains("\n1\n"))
        #expect(try failures(in: desk.box) == 3)
        let refused = try Box.withVault().run(["unlock"], [Box.wrongPIN, Box.pin])
        #expect(refused.exitCode == 2 && refused.standardError.contains("too many lines were given"))
    }

    @Test(arguments: [0, 1, 2])
    func `the last try is told before the one that ends the command, and no other`(failures: Int) throws {
        let desk = try Desk(.withVault())
        for _ in 0..<failures { try desk.box.run(["unlock"], [Box.wrongPIN]) }
        // The third ends it, or the fourth in a row, which begins a wait.
        let most = min(3, 4 - failures)
        desk.start("$T unlock", until: Self.pinQuestion, answering: Box.wrongPIN)
        for turn in 1..<most {
            let told = unbroken(desk.keyboard.wait(for: Self.pinQuestion))
            let isLast = turn == most - 1
            #expect(told.contains("this is the last try: after it the command ends") == isLast, "\(turn): \(told)")
            desk.keyboard.write(Box.wrongPIN)
        }
        let end = unbroken(desk.waitForShell())
        #expect(end.contains("ERR-107-040") && !end.contains("last try"), "\(end)")
    }

    @Test(.holds("A35")) func `before the tenth wrong PIN its owner is told what that does, where it does it`() throws {
        for hasKey in [false, true] {
            let box = try Box.withVault()
            if hasKey { _ = try box.recoveryKey() }
            for count in 1...9 {
                let told = try box.run(["unlock"], [Box.wrongPIN]).standardError
                #expect(told.contains("only the recovery key opens") == (hasKey && count == 9), "\(count): \(told)")
                try box.run(["simulate", "advance", "5h"])
            }
            try box.run(["unlock"], [Box.wrongPIN])
            try box.run(["simulate", "advance", "25h"])
            let tenth = try box.run(["unlock"], [Box.pin])
            #expect(tenth.standardError.contains("ERR-TT-103") == hasKey && (tenth.exitCode == 0) != hasKey, "\(tenth)")
        }
    }

    @Test func `a wait is said and not tried through`() throws {
        let desk = try Desk(.withVault())
        for _ in 0..<3 { try desk.box.run(["unlock"], [Box.wrongPIN]) }
        desk.start("$T unlock", until: Self.pinQuestion, answering: Box.wrongPIN)
        let end = unbroken(desk.waitForShell())
        #expect(end.contains("ERR-107-040") && end.contains("is wrong; the next try is in 30 s"), "\(end)")
        #expect(!end.contains(Self.pinQuestion))
        #expect(try failures(in: desk.box) == 4)
        let refused = try desk.box.run(["unlock"], [Box.wrongPIN])
        #expect(refused.standardError.contains("ERR-TT-102"), "\(refused)")
        #expect(try failures(in: desk.box) == 4)
    }

    @Test func `two new PINs that differ, and a weak one, are asked for again, with the rule in the question`() throws {
        let desk = try Desk(Box())
        desk.start("$T --device simulated init --no-biometrics", until: "New PIN or password", answering: nil)
        let rule = desk.keyboard.wait(for: ": ")
        #expect(rule == " (at least 6 digits or 8 characters, nothing like 123456): ")
        desk.keyboard.write("123456")
        let common = unbroken(desk.keyboard.wait(for: "123456): "))
        #expect(common.contains("ERR-TT-304"), "\(common)")
        desk.keyboard.write(Box.pin)
        desk.keyboard.wait(for: "The same again: ")
        desk.keyboard.write(Box.wrongPIN)
        let differs = unbroken(desk.keyboard.wait(for: "123456): "))
        #expect(differs.contains("ERR-TT-306"), "\(differs)")
        desk.keyboard.write(Box.pin)
        desk.keyboard.wait(for: "The same again: ")
        desk.keyboard.write(Box.pin)
        let end = desk.waitForShell()
        #expect(end.contains("Vault made in"), "\(end)")
        try desk.box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test func `where software keeps the keys the rule is longer, and three differing ones are enough`() throws {
        let desk = try Desk(Box())
        desk.start("LANG=fr_FR.UTF-8 $T --device files init", until: "Nouveau code ou mot de passe")
        for turn in 1...3 {
            let rule = unbroken(desk.keyboard.wait(for: ": "))
            #expect(rule.contains("(au moins 12 chiffres ou 8 caractères, rien de tel que 123456) :"), "\(rule)")
            desk.keyboard.write("une phrase entière")
            desk.keyboard.wait(for: "Encore une fois : ")
            desk.keyboard.write("une autre phrase")
            guard turn < 3 else { break }
            let told = desk.keyboard.wait(for: "Nouveau code ou mot de passe")
            #expect(told.contains("dernier essai") == (turn == 2), "\(told)")
        }
        #expect(desk.waitForShell().contains("ERR-TT-306"))
        #expect(desk.run("echo $?").contains("\n2\n"))
        #expect(Folders.isAbsent(desk.box.vault))
    }

    @Test func `a former wallet's PIN, and a recovery key that is mistyped, are asked for again`() throws {
        let desk = try Desk(.withVault())
        let key = try desk.box.recoveryKey()
        let file = desk.box.folder + "/wallet"
        try Data(FormerApp.Sealed.first.rawValue.utf8).write(to: URL(fileURLWithPath: file))
        let question = "PIN or password of the file: "
        desk.start("$T migrate legacy \(file) --dry-run", until: question, answering: FormerApp.wrongPIN)
        #expect(desk.keyboard.wait(for: question).contains("ERR-TT-323"))
        desk.keyboard.write(FormerApp.pin)
        #expect(desk.waitForShell().contains("the PIN is right"))

        desk.start("$T unlock --recovery", until: "Recovery key: ")
        desk.keyboard.write(String(key.dropLast()) + (key.hasSuffix("0") ? "1" : "0"))
        #expect(desk.keyboard.wait(for: "Recovery key: ").contains("ERR-TT-308"))
        desk.keyboard.write(key)
        for question in ["123456): ", "The same again: "] {
            desk.keyboard.wait(for: question)
            desk.keyboard.write(Box.wrongPIN)
        }
        #expect(desk.waitForShell().contains("Unlocked (recovery key)"))
        try desk.box.run(["unlock"], [Box.wrongPIN]).succeeding()
    }

    // MARK: Words

    @Test(arguments: [
        long, long.split(separator: " ").joined(separator: ","), numbered(long, " "), numbered(long),
        numbered(long, "\n\n"),
        long.split(separator: " ").map { $0.prefix(4).uppercased() }.joined(separator: ", "),
        long.split(separator: " ").joined(separator: "\n"), long.replacing(" doctor", with: "\ndoctor"), double,
        double.replacing(" zoo", with: "\nzoo"), Box.mnemonic + "\necho ra''n >&2",
    ])
    func `words are pasted in one line or many, numbered, in four letters, with commas`(paste: String) throws {
        let desk = try Desk(.withVault())
        startImport(on: desk)
        desk.keyboard.write(paste)
        let end = unbroken(desk.waitForShell())
        let words = paste.hasPrefix("ozone") ? Box.mnemonic : paste.hasPrefix("abandon") ? Self.double : Self.long
        let list = words.split(separator: " ")
        #expect(end.contains("\(list.count) words, and their checksum is right"), "\(end)")
        #expect(end.contains("Added: Savings"), "\(end)")
        #expect(!end.contains("ran") && !end.lowercased().contains(list[1].prefix(4)), "\(end)")
        try expectStored(words, in: desk.box)
        try desk.expectNothingLeft()
    }

    @Test func `typed line by line it says how far one is, and wrong words are asked for by their number`() throws {
        let desk = try Desk(.withVault())
        startImport(on: desk)
        desk.keyboard.write("letter advice cage absrd amount doctor acoustic avoid")
        let told = unbroken(desk.keyboard.wait(for: "Word 4: "))
        #expect(told.contains("word 4 is not in the English list of BIP-39; near it: absurd"), "\(told)")
        desk.keyboard.write("absurdd")
        desk.keyboard.wait(for: "Word 4: ")
        desk.keyboard.write("absurd")
        desk.keyboard.wait(for: "Word 9 and following (Enter to end): ")
        desk.keyboard.write("letter advice cage absurd amount doctor acoustic avoid")
        desk.keyboard.wait(for: "Word 17 and following (Enter to end): ")
        desk.keyboard.write("letter advice cage absurd amount doctor acustic bless")
        desk.keyboard.wait(for: "Word 23: ")
        desk.keyboard.write("23. acou")
        let end = desk.waitForShell()
        #expect(end.contains("Added: Savings"), "\(end)")
        #expect(!["absrd", "absurdd", "acustic"].contains { desk.keyboard.everything.contains($0) })
        try expectStored(Self.long, in: desk.box)
    }

    @Test func `a word that is wrong three times ends it, and so does a mnemonic in another language`() throws {
        let desk = try Desk(.withVault())
        startImport(on: desk)
        desk.keyboard.write(Box.mnemonic.replacing("fiber", with: "fibre"))
        for _ in 0..<3 {
            desk.keyboard.wait(for: "Word 4: ")
            desk.keyboard.write("fibrre")
        }
        let end = unbroken(desk.waitForShell())
        #expect(end.contains("error: ERR-TT-313") && end.contains("(word 4)") && !end.contains("fibrre"), "\(end)")
        startImport(on: desk)
        desk.keyboard.write(Self.french)
        let refused = unbroken(desk.waitForShell())
        #expect(refused.contains("error: ERR-TT-313") && refused.contains("--opaque"), "\(refused)")
        let given = try desk.box.run(["wallet", "import", "Savings"], [Box.pin, Self.french])
        #expect(given.exitCode == 2 && given.standardError.contains("use --opaque"), "\(given)")
        #expect(try desk.box.json(["status"])["walletCount"] as? Int == 0)
        try desk.expectNothingLeft()
    }

    @Test func `several words in the place of one are told as such, and cost no try`() throws {
        let desk = try Desk(.withVault())
        startImport(on: desk)
        desk.keyboard.write(Box.mnemonic.replacing("fiber", with: "fibre"))
        desk.keyboard.wait(for: "Word 4: ")
        for _ in 0..<4 {
            desk.keyboard.write("fiber curtain grace")
            let told = unbroken(desk.keyboard.wait(for: "Word 4: "))
            #expect(told.contains("these are 3 words: type word 4 alone"), "\(told)")
        }
        desk.keyboard.write("\u{201C}fiber\u{201D}")
        desk.keyboard.wait(for: "Word 13 and following (Enter to end): ")
        desk.keyboard.write("")
        #expect(desk.waitForShell().contains("Added: Savings"))
        try expectStored(Box.mnemonic, in: desk.box)
    }

    @Test(arguments: [
        ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", "a private key (WIF)"),
        (String(repeating: "4f", count: 32), "hexadecimal digits"),
        (
            "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
            "an extended key (xprv)"
        ),
    ])
    func `a key in the place of words is met with --opaque`(key: String, form: String) throws {
        let desk = try Desk(.withVault())
        startImport(on: desk)
        desk.keyboard.write(key)
        let end = unbroken(desk.waitForShell())
        #expect(end.contains("ERR-TT-313") && end.contains(form) && end.contains("--opaque"), "\(end)")
        #expect(!end.contains(key.prefix(8)), "\(end)")
        let given = try desk.box.run(["wallet", "import", "Key"], [Box.pin, key])
        #expect(given.exitCode == 2 && given.standardError.contains("`--opaque`"), "\(given)")
        try desk.box.run(["wallet", "import", "Key", "--opaque"], [Box.pin, key]).succeeding()
        try desk.expectNothingLeft()
    }

    @Test func `a wrong PIN is told before words are typed, and the right one opens anew behind them`() throws {
        let desk = try Desk(.withVault())
        desk.start("$T wallet import Savings", until: Self.pinQuestion, answering: Box.wrongPIN)
        let told = desk.keyboard.wait(for: Self.pinQuestion)
        #expect(told.contains("wrong") && !told.contains("Mnemonic"), "\(told)")
        desk.keyboard.write(Box.pin)
        desk.keyboard.wait(for: Self.mnemonicQuestion)
        // The vault is locked meanwhile: whoever changes the PIN now changes it for this command too.
        try desk.box.run(["pin", "change"], [Box.pin, Box.wrongPIN]).succeeding()
        desk.keyboard.write(Box.mnemonic)
        desk.keyboard.wait(for: "Word 13 and following (Enter to end): ")
        desk.keyboard.write("")
        let end = unbroken(desk.waitForShell())
        #expect(end.contains("ERR-107-040") && !end.contains("Added"), "\(end)")
        #expect(try desk.box.json(["status"])["walletCount"] as? Int == 0)
    }

    @Test func `a word that is another one of the list is corrected by its number, and the rest stays`() throws {
        let desk = try Desk(.withVault())
        desk.start("TERM=xterm $T wallet import Savings", until: Self.pinQuestion, answering: Box.pin)
        desk.keyboard.wait(for: Self.mnemonicQuestion)
        desk.keyboard.write(Self.long.replacing(" doctor", with: " dog", maxReplacements: 1))
        let shown = desk.keyboard.wait(for: Self.numberQuestion)
        let screen = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(screen.contains("their checksum is wrong") && screen.contains(" 6 dog "), "\(screen)")
        #expect(screen.contains(" 24 bless ") && !screen.contains(" 25 "), "\(screen)")
        desk.keyboard.write("doctor")
        desk.keyboard.wait(for: Self.numberQuestion)
        desk.keyboard.write("6.")
        desk.keyboard.wait(for: "Word 6: ")
        desk.keyboard.write("doctor")
        let end = desk.waitForShell()
        #expect(end.contains("Added: Savings") && end.contains("next: `thumbturn recovery create`"), "\(end)")
        try expectStored(Self.long, in: desk.box)
    }

    @Test func `half of a mnemonic that passes for one by chance is not taken for all`() throws {
        let desk = try Desk(.withVault())
        startImport(on: desk)
        desk.keyboard.write(String(repeating: "abandon ", count: 11) + "about")
        desk.keyboard.wait(for: "Word 13 and following (Enter to end): ")
        desk.keyboard.write("zoo legal winer thank year wave sausage worth useful letter advice anchor")
        desk.keyboard.wait(for: "Word 15: ")
        desk.keyboard.write("winner")
        #expect(unbroken(desk.waitForShell()).contains("24 words, and their checksum is right"))
        try expectStored(Self.double, in: desk.box)
        desk.start("$T wallet import Short", until: Self.pinQuestion, answering: Box.pin)
        desk.keyboard.wait(for: Self.mnemonicQuestion)
        desk.keyboard.write(Box.mnemonic)
        desk.keyboard.wait(for: "Word 13 and following (Enter to end): ")
        desk.keyboard.write("")
        #expect(unbroken(desk.waitForShell()).contains("12 words, and their checksum is right"))
    }

    @Test func `a name that is taken is told before 24 words are typed`() throws {
        let desk = try Desk(.withVault())
        try desk.box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        desk.start("$T wallet import Savings", until: "PIN or password: ", answering: Box.pin)
        let end = desk.waitForShell()
        #expect(end.contains("Another wallet has this name") && !end.contains("Mnemonic"), "\(end)")
    }

    @Test func `words in a wrong order, too few, or with a number missing are asked for anew, three times`() throws {
        let desk = try Desk(.withVault())
        startImport(on: desk)
        desk.keyboard.write(Box.mnemonic.split(separator: " ").reversed().joined(separator: " "))
        desk.keyboard.wait(for: "Word 13 and following (Enter to end): ")
        desk.keyboard.write("")
        desk.keyboard.wait(for: Self.numberQuestion)
        desk.keyboard.write("")
        let checksum = unbroken(desk.keyboard.wait(for: Self.mnemonicQuestion))
        #expect(checksum.contains("ERR-TT-314"), "\(checksum)")
        desk.keyboard.write("1. ozone 2. drill 4. fiber")
        let numbers = unbroken(desk.keyboard.wait(for: Self.mnemonicQuestion))
        #expect(numbers.contains("ERR-TT-315") && numbers.contains("misnumbered word 3"), "\(numbers)")
        desk.keyboard.write(Box.mnemonic.replacing(" picnic", with: ""))
        desk.keyboard.wait(for: "Word 12 and following (Enter to end): ")
        desk.keyboard.write("")
        let end = desk.waitForShell()
        #expect(end.contains("error: ERR-TT-315"), "\(end)")
        #expect(desk.run("echo $?").contains("\n2\n"))
        #expect(try desk.box.json(["status"])["walletCount"] as? Int == 0)
    }

    // MARK: Standard input

    /// Ways to write a mnemonic down.
    private static let written: [String] = {
        let ends: String = numbered(long, "\r\n")
        let short: [String] = long.split(separator: " ").map { String($0.prefix(4)) }
        return [long + "\n", numbered(long), "\u{FEFF}" + ends + "\r\n", short.joined(separator: "\n")]
    }()

    @Test(arguments: written)
    func `with words on standard input the PIN is asked for at the terminal, and may be mistyped`(words: String)
        throws
    {
        let desk = try Desk(.withVault())
        try Data(words.utf8).write(to: URL(fileURLWithPath: desk.box.folder + "/words"))
        let line = "$T wallet import Savings <\(desk.box.folder)/words"
        desk.start(line, until: Self.pinQuestion, answering: Box.wrongPIN)
        desk.keyboard.wait(for: Self.pinQuestion)
        desk.keyboard.write(Box.pin)
        let end = desk.waitForShell()
        #expect(end.contains("Added: Savings"), "\(end)")
        #expect(!desk.keyboard.everything.contains("advi"))
        try expectStored(Self.long, in: desk.box)
        // And on a descriptor behind the PIN.
        let box = try Box.withVault()
        let given = try box.run(["wallet", "import", "Savings"], [Box.pin] + words.components(separatedBy: "\n"))
        #expect(given.exitCode == 0, "\(given)")
        try expectStored(Self.long, in: box)
    }

    @Test func `every secret may come on standard input, and nothing is asked where there is none`() throws {
        let desk = try Desk(.withVault())
        let folder = desk.box.folder
        let key = String(repeating: "5a", count: 32)
        for (options, text) in [("K --private-key", key), ("N --opaque", "a note"), ("F --opaque --file -", "a\nb")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/secret"))
            desk.start("$T wallet import \(options) <\(folder)/secret", until: Self.pinQuestion, answering: Box.pin)
            let end = desk.waitForShell()
            #expect(end.contains("Added: \(options.prefix(1))"), "\(end)")
            let exported = try desk.box.run(["wallet", "export", String(options.prefix(1)), "--raw"], [Box.pin])
            #expect(exported.standardOutput == text, "\(exported)")
        }
        try Data("A\t\(Box.mnemonic)\nB\t\(Self.numbered(Self.long, " "))\n".utf8).write(
            to: URL(fileURLWithPath: folder + "/bulk")
        )
        desk.start("$T wallet import --bulk <\(folder)/bulk", until: Self.pinQuestion, answering: Box.pin)
        #expect(desk.waitForShell().contains("Imported: 2 wallets"))
        #expect(unbroken(desk.run("$T credential set mail <\(folder)/secret")).contains("too many lines were given"))
        for line in ["wallet import E", "wallet import E --private-key", "credential set mail"] {
            let refused = desk.run("$T \(line) </dev/null")
            #expect(refused.contains("ERR-TT-302") && !refused.contains(Self.pinQuestion), "\(refused)")
        }
        let wrong = desk.run("echo ozone | $T wallet import E")
        #expect(wrong.contains("ERR-TT-315") && !wrong.contains(Self.pinQuestion), "\(wrong)")
    }

    @Test func `what is no mnemonic costs no try where all lines are there already`() throws {
        let box = try Box.withVault()
        for words in [[Box.pin, "ozone ozone"], [Box.wrongPIN, Box.mnemonic, "more"], [Box.wrongPIN]] {
            let refused = try box.run(["wallet", "import", "Savings"], words)
            #expect(refused.exitCode == 2, "\(refused)")
        }
        #expect(try failures(in: box) == 0)
    }

    // MARK: Nobody there

    @Test func `without a terminal and a descriptor it is the input that is missing, unless a demand has its own code`()
        throws
    {
        let box = try Box.withVault("--biometrics")
        func expect(_ code: String, _ words: [String] = ["unlock"], sourceLocation: SourceLocation = #_sourceLocation)
            throws
        {
            let refused = try box.run(words)
            #expect(refused.standardError.contains(code), "\(refused)", sourceLocation: sourceLocation)
        }
        for words in [
            ["unlock"], ["wallet", "list"], ["wallet", "create", "A"], ["wallet", "import", "A"],
            ["wallet", "export", "A"],
            ["pin", "change"], ["backup", "b"], ["recovery", "create"], ["rekey"], ["reset"],
            ["biometrics", "disable"],
            ["policy", "set", "auto-lock", "1m"],
        ] { try expect("ERR-TT-302", words) }
        try box.run(["simulate", "finger", "cancel"])
        try expect("ERR-TT-302")
        #expect(try box.run(["unlock"], [""]).standardError.contains("ERR-107-031"))
        for _ in 0..<3 {
            try box.run(["simulate", "finger", "mismatch"])
            try expect("ERR-107-030")
        }
        // Such a demand has no code of its own.
        try expect("ERR-TT-302")
        try box.run(["unlock"], [Box.pin]).succeeding()
        try box.run(["simulate", "reboot"])
        try expect("ERR-107-070")
        try expect("ERR-107-070", ["wallet", "list"])
        try box.run(["unlock"], [Box.pin]).succeeding()
        try box.run(["simulate", "enroll"])
        try expect("ERR-107-060")
    }

    @Test func `no hint tells to mend a cause without naming it`() {
        for code in ErrorCode.allCases {
            let hint = Advice.none.hint(of: Failure(code))
            #expect(
                !hint.english.contains("fix the cause") && !hint.french.contains("corrigez la cause"),
                "\(code.text)"
            )
        }
    }
}
#endif
