import Testing
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

struct TextTests {
    @Test(
        arguments: [
            (0, "0 s", "0 s"), (1, "1 s", "1 s"), (30_000, "30 s", "30 s"), (29_001, "30 s", "30 s"),
            (60_000, "1 min", "1 min"), (65_000, "1 min 5 s", "1 min 5 s"), (3_600_000, "1 h", "1 h"),
            (7_500_000, "2 h 5 min", "2 h 5 min"), (86_400_000, "1 d", "1 j"), (90_000_000, "1 d 1 h", "1 j 1 h"),
            (-5, "0 s", "0 s"),
        ]
    )
    func `a span is told in its two largest units`(count: Int, english: String, french: String) {
        let text = Words.span(Milliseconds(Int64(count)))
        #expect(text.english == english)
        #expect(text.french == french)
    }

    @Test(
        arguments: [
            (86_400_000, "every day", "tous les jours"), (259_200_000, "every 3 days", "tous les 3 jours"),
            (43_200_000, "every 12 h", "toutes les 12 h"), (90_000_000, "every 1 d 1 h", "tous les 1 j 1 h"),
        ]
    )
    func `how often is told in days where it can be`(count: Int, english: String, french: String) {
        let text = Words.every(Milliseconds(Int64(count)))
        #expect(text.english == english && text.french == french)
        #expect(Words.ago(Milliseconds(14_000)) == Words("14 s ago", "il y a 14 s"))
    }

    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("╭─●◆█░…×▲", 9), ("漢字", 4), ("한글", 4), ("😀", 2),
            ("a\u{200B}b", 2),
            ("\u{1B}", 0),
        ]
    )
    func `the columns of a text are those of a terminal`(text: String, columns: Int) {
        #expect(text.columns == columns)
        #expect(text.filled(to: 12) == text + String(repeating: " ", count: 12 - columns))
        #expect(text.filled(to: 0) == text + " ")
    }

    @Test func `a text is cut between characters, and within its columns`() {
        #expect("漢字ab".prefix(columns: 3) == "漢" && "ab漢字".suffix(columns: 3) == "字")
        #expect("e\u{301}ab".prefix(columns: 1) == "e\u{301}" && "abe\u{301}".suffix(columns: 2) == "be\u{301}")
        #expect("漢".prefix(columns: 1).isEmpty && "ab".prefix(columns: 5) == "ab" && "ab".suffix(columns: 0).isEmpty)
    }

    @Test func `what the terminal cannot show is substituted`() {
        #expect(ASCII.text(of: "╭─ vérifié · 1…") == "+- verifie - 1~")
        #expect(ASCII.text(of: "漢") == "?")
    }

    @Test func `JSON escapes what RFC 8259 wants escaped, and what a terminal acts on`() {
        let json: JSON = ["a\"\\\n\u{1}é": .array([.null, .bool(true), JSON(-1), "\u{7F}"])]
        #expect(json.text == "{\"a\\\"\\\\\\u000a\\u0001é\":[null,true,-1,\"\\u007f\"]}")
    }

    @Test(
        arguments: [
            (["LANG": "fr_FR.UTF-8"], Language.french, true),
            (["LANG": "fr_FR.UTF-8", "LC_ALL": "C"], .english, false),
            (["LANG": "en_US.utf8", "LC_MESSAGES": "fr_CA"], .french, true),
            (["LANG": "fr_FR", "LC_ALL": ""], .french, false),
            (["LANG": "fr_FR.UTF-8@euro", "LC_CTYPE": "C.ISO-8859-1"], .french, false),
            (["LC_CTYPE": "UTF-8"], .english, true), (["LANG": "ca_ES.UTF-8@valencia"], .english, true),
            ([:], .english, false),
        ]
    )
    func `the language follows the locale`(values: [String: String], language: Language, isUTF8: Bool) {
        let environment = Environment(values: values)
        #expect(environment.language == language)
        #expect(environment.isUTF8 == isUTF8)
    }

    @Test func `NO_COLOR wins, and a file has no colour`() {
        #expect(Environment(values: ["TERM": "xterm"]).wantsColour(onTerminal: true))
        #expect(!Environment(values: ["TERM": "xterm"]).wantsColour(onTerminal: false))
        #expect(!Environment(values: ["TERM": "dumb"]).wantsColour(onTerminal: true))
        // One that does not say what it is can do nothing.
        #expect(!Environment(values: [:]).wantsColour(onTerminal: true))
        #expect(!Environment(values: ["TERM": ""]).wantsColour(onTerminal: true))
        #expect(Environment(values: ["CLICOLOR_FORCE": "1"]).wantsColour(onTerminal: false))
        #expect(!Environment(values: ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"]).wantsColour(onTerminal: true))
    }

    @Test(
        arguments: [
            (Array("a\"\\\nb é".utf8), "utf-8", "\"a\\\"\\\\\\u000ab é\""), ([], "utf-8", "\"\""),
            ([0xFF], "base64", "\"/w==\""), ([0xFF, 0], "base64", "\"/wA=\""), ([0xFF, 0, 0x61], "base64", "\"/wBh\""),
            ([0xC0, 0x80], "base64", "\"wIA=\""),
        ]
    )
    func `a secret is quoted byte by byte`(bytes: [UInt8], encoding: String, text: String) {
        let secret = unsafe SecretBytes(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) }
        let quoted = secret.withBytes { SecretText(quoting: $0) }
        let (name, written) = (quoted.encoding.rawValue, quoted.bytes.withBytes { Self.text($0) })
        #expect(name == encoding)
        #expect(written == text)
    }

    @Test(
        arguments: [
            ("plain-1.2/x", "plain-1.2/x"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$(x)", "'$(x)'"),
        ]
    )
    func `a word stays one word in a shell`(word: String, quoted: String) {
        #expect(Shell.quoted(word) == quoted)
    }

    private static func text(_ bytes: RawSpan) -> String {
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
