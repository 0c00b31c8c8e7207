import Testing

@testable import ThumbturnRules

@Suite struct AuditReasonTests {
    @Test(arguments: ["owner", "a", "A-Z.a_z-09", String(repeating: "x", count: 64)])
    func `a reason of safe characters is kept`(text: String) {
        #expect(AuditReason.accepts(text) && AuditReason.safe(text) == text)
    }

    @Test(
        .holds("A46"),
        arguments: [
            "", String(repeating: "x", count: 65), "my cat", "laxer, later", "é", "e\u{301}", "a\n", "\u{0}", "a/b",
            "\"",
            "\u{212A}", "ＡＢ",
        ]
    )
    func `any other is called other`(text: String) {
        #expect(!AuditReason.accepts(text) && AuditReason.safe(text) == "other")
    }

    @Test func `why a trail begins is a reason, and each has a name of its own`() {
        #expect(TrailReason.allCases.map(\.name).allSatisfy(AuditReason.accepts))
        #expect(
            TrailReason.allCases.map(\.name) == [
                "created", "restored", "reinstalled", "deviceChanged", "full", "lost", "damaged", "cut", "reset",
                "putBack",
            ]
        )
    }
}
