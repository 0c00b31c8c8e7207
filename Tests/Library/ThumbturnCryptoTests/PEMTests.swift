import Testing

@testable import ThumbturnCrypto

@Suite struct PEMTests {
    private static func contents(_ text: String, _ label: String = "PUBLIC KEY") -> [[UInt8]] {
        PEM.contents(labelled: label, in: Array(text.utf8))
    }

    private static let key = "-----BEGIN PUBLIC KEY-----\nZm9v\nYmFy\n-----END PUBLIC KEY-----\n"

    @Test func `RFC 7468: text around it and other labels are skipped`() {
        let other = "-----BEGIN CERTIFICATE-----\nZm9v\n-----END CERTIFICATE-----\n"
        #expect(
            Self.contents("Subject: me\n" + Self.key + other + Self.key) == [
                Array("foobar".utf8), Array("foobar".utf8),
            ]
        )
        #expect(Self.contents(Self.key + other, "CERTIFICATE") == [Array("foo".utf8)])
        #expect(Self.contents(Self.key.replacing("\n", with: "\r\n")) == [Array("foobar".utf8)])
        #expect(Self.contents(Self.key.replacing("Zm9v", with: "Zm9v \t")) == [Array("foobar".utf8)])
    }

    @Test(arguments: [
        "", "Zm9v", "-----BEGIN PUBLIC KEY-----\nZm9v\n", key + "-----BEGIN PUBLIC KEY-----\n",
        "-----END PUBLIC KEY-----\n", key + "-----BEGIN PUBLIC KEY-----\nZm9\n-----END PUBLIC KEY-----\n",
        "-----BEGIN EC PUBLIC KEY-----\nZm9v\n-----END EC PUBLIC KEY-----\n",
    ])
    func `what can't be read as a whole is nothing`(text: String) { #expect(Self.contents(text).isEmpty) }

    @Test(arguments: [0, 1, 47, 48, 49, 96, 1_000]) func `RFC 7468: what is written has lines of 64, and is read`(
        count: Int
    ) {
        let contents = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let text = PEM.text(contents, labelled: "PUBLIC KEY")
        #expect(PEM.contents(labelled: "PUBLIC KEY", in: text) == [contents])
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "-----BEGIN PUBLIC KEY-----" && lines.suffix(2) == ["-----END PUBLIC KEY-----", ""])
        #expect(lines.dropFirst().dropLast(3).allSatisfy { $0.utf8.count == 64 })
    }
}
