import Testing

@testable import ThumbturnRules

@Suite struct UUID7Tests {
    // RFC 9562 §A.6: its time, and the random bits that stand beside version and variant.
    private static let published = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"
    private static let time = Milliseconds(1_645_557_742_000)
    private static let random = Identifier(high: 0x0CC3, low: 0x18C4_DC0C_0C07_398F)

    @Test(.holds("P-107-09")) func `the published UUID is made of its time and its random bits`() {
        #expect(Identifier(uuid7At: Self.time, random: Self.random).uuidText == Self.published)
        // What stands where time, version and variant go is not taken.
        let more = Identifier(high: Self.random.high | ~0 << 12, low: Self.random.low | 0b11 << 62)
        #expect(Identifier(uuid7At: Self.time, random: more).uuidText == Self.published)
    }

    @Test(
        .holds("A47"),
        arguments: [
            (Int64.min, "00000000-0000-7000-8000-000000000000"), (-1, "00000000-0000-7000-8000-000000000000"),
            (1 << 48 - 1, "ffffffff-ffff-7000-8000-000000000000"), (1 << 48, "ffffffff-ffff-7000-8000-000000000000"),
            (.max, "ffffffff-ffff-7000-8000-000000000000"),
        ]
    )
    func `a time that 48 bits don't hold is clamped`(time: Int64, text: String) {
        let made = Identifier(uuid7At: Milliseconds(time), random: Identifier(high: 0, low: 0))
        #expect(made.uuidText == text && made.isUUID7)
    }

    @Test func `later UUIDs sort behind earlier ones`() {
        let texts = [0, 1, 255, 256, 1 << 47].map {
            Identifier(uuid7At: Milliseconds($0), random: Self.random).uuidText
        }
        #expect(texts == texts.sorted())
    }

    @Test func `other versions and variants are told apart`() throws {
        let others = [
            "919108f7-52d1-4320-9bac-f847db4148a8",  // RFC 9562 §A.3, version 4
            "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "017f22e2-79b0-7cc3-18c4-dc0c0c07398f", "017f22e2-79b0-7cc3-d8c4-dc0c0c07398f",
        ]
        for other in others { #expect(try !#require(Identifier(uuidText: other)).isUUID7, "\(other)") }
        #expect(try #require(Identifier(uuidText: Self.published)).isUUID7)
    }

    @Test(arguments: [
        "", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "017f22e279b07cc398c4dc0c0c07398f",
        "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0",
        "017f22e2-79b0-7cc39-8c4-dc0c0c07398f",
        "-017f22e279b07cc398c4dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c07398g",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f-",
    ])
    func `text of another form is none`(text: String) {
        #expect(Identifier(uuidText: text) == nil)
    }
}
