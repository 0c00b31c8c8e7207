import Testing

@testable import ThumbturnConsole

struct WrappingTests {
    @Test(arguments: 1...200)
    func `lines break between words, and keep every word`(width: Int) {
        let text =
            "A finger or face opens where the policy allows it, else the PIN. Une clé de secours, s'il y en a une."
        let lines = text.lines(of: width)
        #expect(lines.joined(separator: " ") == text)
        for line in lines { #expect(line.columns <= width || !line.contains(" "), "\(line)") }
    }

    @Test func `a line that fits is left as it is, with all its spaces`() {
        #expect("  a   b".wrapped(to: 7, indent: 4) == "  a   b")
        #expect("a\n\nb".wrapped(to: 1) == "a\n\nb")
    }

    @Test func `a longer line goes on further in`() {
        #expect("  one two three".wrapped(to: 10, indent: 2) == "  one two\n    three")
    }

    @Test func `no command is broken, unless that is asked for`() {
        let hint = "run `thumbturn status --json` now"
        #expect(hint.lines(of: 20) == ["run", "`thumbturn status --json`", "now"])
        #expect(hint.lines(of: 20, breakingCommands: true) == ["run `thumbturn", "status --json` now"])
    }

    @Test func `French marks stay with their words`() {
        #expect("deux mots : trois".lines(of: 9) == ["deux", "mots :", "trois"])
        #expect("non ; « oui » ?".lines(of: 6) == ["non ;", "« oui » ?"])
    }

    @Test func `what a terminal shows wide takes two columns, an accent none, a colour none`() {
        #expect("漢字 漢字".lines(of: 6) == ["漢字", "漢字"])
        #expect("e\u{301}e\u{301} ab".lines(of: 5) == ["e\u{301}e\u{301} ab"])
        #expect("\u{1B}[1;32mab\u{1B}[0m cd".lines(of: 5) == ["\u{1B}[1;32mab\u{1B}[0m cd"])
    }

    @Test(
        arguments: [
            ("walet", ["wallet"]), ("wlalet", ["wallet"]), ("wallets", ["wallet"]), ("inti", ["init"]),
            ("cred", ["credential"]), ("stat", ["status"]), ("w", []), ("83251947", []), ("savings", []),
            (String(repeating: "wallet", count: 100_000), []),
        ]
    )
    func `a word is taken for the names that are near to it`(word: String, names: [String]) {
        let all = ["init", "status", "wallet", "credential", "recovery", "reset"]
        #expect(Likeness.names(like: word, among: all) == names)
    }
}
