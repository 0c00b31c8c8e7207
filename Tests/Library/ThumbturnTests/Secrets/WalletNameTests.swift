import Testing
import ThumbturnRules

@testable import Thumbturn

@Suite struct WalletNameTests {
    @Test(
        .holds("K-05"),
        arguments: [
            "a", "Savings", "my wallet 2", "Épargne", "E\u{301}pargne", "財布", "みんなの 財布", "محفظة", "ארנק", "हिन्दी", "👛",
            "👛 main",
            "❤\u{FE0F}", "👍🏽", "🇫🇷", "1\u{FE0F}\u{20E3}", "#1 (cold) – ‘vault’", "a\u{3000}b",
            String(repeating: "x", count: 64),
            String(repeating: "👛", count: 64), String(repeating: "e\u{301}", count: 64),
        ]
    )
    func `1 to 64 visible characters are a name, kept as given`(text: String) throws {
        #expect(try Array(WalletName(text).text.utf8) == Array(text.utf8))
    }

    @Test(arguments: [
        ("nothing", ""), ("a space", " "), ("ideographic spaces", "\u{3000}\u{3000}"), ("no-break space", "\u{A0}"),
        ("leading space", " a"), ("trailing space", "a "), ("trailing no-break space", "a\u{A0}"),
        ("leading tab", "\ta"),
        ("65 characters", String(repeating: "x", count: 65)), ("65 wide ones", String(repeating: "👛", count: 65)),
        ("257 bytes", "a" + String(repeating: "👛", count: 64)),
        ("257 bytes in few characters", "a" + String(repeating: "\u{301}", count: 128)),
        ("NUL", "a\0b"), ("line feed", "a\nb"), ("carriage return and line feed", "a\r\nb"), ("tab", "a\tb"),
        ("escape", "\u{1B}[31mred"), ("delete", "a\u{7F}"), ("C1 control", "a\u{9B}31m"), ("next line", "a\u{85}b"),
        ("line separator", "a\u{2028}b"), ("paragraph separator", "a\u{2029}b"),
        ("right-to-left override", "a\u{202E}b"), ("left-to-right mark", "a\u{200E}"), ("isolate", "\u{2066}a\u{2069}"),
        ("Arabic letter mark", "a\u{61C}"), ("zero-width space", "a\u{200B}b"), ("zero-width joiner", "a\u{200D}b"),
        ("joined emoji", "👨\u{200D}👩\u{200D}👧"), ("word joiner", "a\u{2060}b"), ("byte order mark", "\u{FEFF}a"),
        ("soft hyphen", "a\u{AD}b"), ("tag", "a\u{E0041}"), ("variation selector", "a\u{FE01}"),
        ("supplementary variation selector", "a\u{E0100}"), ("emoji selector alone", "\u{FE0F}"),
        ("Hangul filler", "\u{3164}"), ("halfwidth Hangul filler", "a\u{FFA0}"), ("grapheme joiner", "a\u{34F}b"),
        ("blank Braille", "\u{2800}"), ("mark alone", "\u{301}"), ("enclosing mark alone", "\u{20E3}"),
        ("spacing mark alone", "\u{903}"), ("private use", "a\u{E000}"), ("private plane", "a\u{F0000}"),
        ("unassigned", "a\u{378}"), ("noncharacter", "a\u{FFFF}"), ("kilobytes", String(repeating: "x", count: 10_240)),
    ])
    func `what is too long, blank, hidden or misleading is no name`(why: String, text: String) {
        #expect(failure { () throws(VaultError) in _ = try WalletName(text) }?.code == .nameInvalid, "\(why)")
    }

    @Test(.holds("A52")) func `a refusal does not repeat the name`() throws {
        let error = try #require(failure { () throws(VaultError) in _ = try WalletName("sentinel\n") })
        #expect(!String(reflecting: error).contains("sentinel"))
    }

    @Test func `composed and decomposed letters make the same name`() throws {
        let composed = try WalletName("\u{C9}pargne")
        let decomposed = try WalletName("E\u{301}pargne")
        #expect(composed == decomposed)
        #expect(Set([composed, decomposed]).count == 1)
        #expect(Array(composed.text.utf8) != Array(decomposed.text.utf8))
    }

    @Test(arguments: [("savings", "Savings"), ("a", "а"), ("ﬁ", "fi"), ("a b", "a\u{A0}b"), ("❤", "❤\u{FE0F}")])
    func `case, look-alikes and compatibility forms stay apart`(left: String, right: String) throws {
        #expect(try WalletName(left) != WalletName(right))
    }

    @Test func `a stored name comes back even if this system's Unicode does not know it`() {
        #expect(WalletName(stored: "a\u{378}").text == "a\u{378}")
    }

    @Test func `what names fold to is the same for those that are canonically equivalent, and their own in ASCII`()
        throws
    {
        let same = [
            ("Épargne 12", "E\u{301}pargne 12"), ("4 \u{212A}", "4 K"), ("a\u{37E}b", "a;b"), ("a\u{1FEF}b", "a`b"),
            ("\u{1EAD}-1", "a\u{323}\u{302}-1"), ("\u{AC01}", "\u{1100}\u{1161}\u{11A8}"), ("1\u{2260}2", "1=\u{338}2"),
        ]
        for (one, other) in same {
            #expect(one == other)
            #expect(try WalletName(one).folded == WalletName(other).folded, "\(one)")
        }
        #expect(try WalletName("Savings <1>").folded == Array("Savings <1>".utf8))
        #expect(try WalletName("Épargne 12").folded == [0xFF] + Array(" 12".utf8))
        #expect(try WalletName("Épargne 12").folded != WalletName("Épargne 13").folded)
        // Three scalars decompose to ASCII alone, and fold to it.
        let characters = Set((0x20..<0x7F).map { Character(UnicodeScalar($0)) })
        for scalar in (UInt32(0x80)...0x2FFF).compactMap(Unicode.Scalar.init) {
            let isASCII = WalletName(stored: String(Character(scalar))).folded.first != 0xFF
            #expect(isASCII == characters.contains(Character(scalar)), "\(scalar.value)")
        }
    }

    @Test func `a name that is marked by an id stays a name, however long it was`() throws {
        let id = Identifier(high: 0x0123_4567_89AB_CDEF, low: 0)
        #expect(try WalletName("Savings").marked(by: id).text == "Savings 01234567")
        let wide = String(repeating: "e\u{301}\u{302}", count: 51)
        for long in [String(repeating: "x", count: 64), String(repeating: "👛", count: 64), wide] {
            let marked = try WalletName(long).marked(by: id).text
            #expect(try WalletName(marked).text == marked && marked.hasSuffix(" 01234567"))
        }
    }
}
