import Testing

@testable import ThumbturnHTTP

struct AddressTests {
    @Test func `an address is read and written`() {
        for text in ["127.0.0.1", "255.255.255.255", "0.0.0.0", "::", "::1", "2001:db8::a", "fe80::1:0:0:1"] {
            #expect(PeerAddress(text)?.text == text)
        }
        for text in [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "[::1]", "::1%lo", "1.2.3.4:80", " 1.2.3.4", "::g",
        ] {
            #expect(PeerAddress(text) == nil, "\(text)")
        }
    }

    @Test func `an IPv4 address that is written as an IPv6 one is the IPv4 one`() {
        #expect(PeerAddress("::ffff:10.1.2.3") == PeerAddress("10.1.2.3"))
        #expect(PeerAddress("::10.1.2.3") != PeerAddress("10.1.2.3"))
    }

    @Test func `a network is all of an IPv4 address, and half of an IPv6 one`() {
        #expect(PeerAddress("10.1.2.3")?.network == [10, 1, 2, 3])
        #expect(PeerAddress("2001:db8:1:2:3:4:5:6")?.network == [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2])
        #expect(PeerAddress("2001:db8:1:2::9")?.network == PeerAddress("2001:db8:1:2:3:4:5:6")?.network)
    }

    @Test func `a block has the addresses that share its prefix`() throws {
        let cases: [(String, has: [String], hasNot: [String])] = [
            ("10.0.0.0/8", ["10.0.0.0", "10.255.0.1", "::ffff:10.1.1.1"], ["11.0.0.0", "9.9.9.9", "::a00:1"]),
            ("0.0.0.0/0", ["1.2.3.4"], ["::1"]),
            ("1.2.3.4", ["1.2.3.4"], ["1.2.3.5"]),
            ("1.2.3.4/31", ["1.2.3.5"], ["1.2.3.6"]),
            ("2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::", "32.1.13.184"]),
            ("2001:db8::/65", ["2001:db8::7fff:0:0:1"], ["2001:db8::8000:0:0:1"]),
            ("::/0", ["::1", "ff::"], ["1.2.3.4"]),
            ("::1/128", ["::1"], ["::2"]),
        ]
        for (text, has, hasNot) in cases {
            let block = try #require(CIDR(text))
            for address in has { #expect(block.contains(try #require(PeerAddress(address))), "\(text) \(address)") }
            for address in hasNot { #expect(!block.contains(try #require(PeerAddress(address))), "\(text) \(address)") }
        }
        for text in [
            "", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "::1/64", "a/8",
        ] {
            #expect(CIDR(text) == nil, "\(text)")
        }
    }

    @Test(
        .holds("SVC-8"),
        arguments: [
            ("9.9.9.9", "1.2.3.4", "9.9.9.9"),
            ("10.0.0.1", nil, "10.0.0.1"),
            ("10.0.0.1", "1.2.3.4", "1.2.3.4"),
            ("10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
            ("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", "1.2.3.4"),
            ("10.0.0.1", "6.6.6.6,\t1.2.3.4:567 ,10.0.0.2", "1.2.3.4"),
            ("10.0.0.1", "[2001:db8::1]:567", "2001:db8::1"),
            ("10.0.0.1", "2001:db8::1", "2001:db8::1"),
            ("10.0.0.1", "1.2.3.4, nonsense", "10.0.0.1"),
            ("10.0.0.1", "1.2.3.4, nonsense, 10.0.0.2", "10.0.0.2"),
            ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
            ("10.0.0.1", "", "10.0.0.1"),
            ("10.0.0.1", "6.6.6.6\u{600}, 1.2.3.4", "1.2.3.4"),
            ("10.0.0.1", "[6.6.6.6]\u{600}, 1.2.3.4", "1.2.3.4"),
            ("10.0.0.1", "6.6.6.6:1\u{600}, 1.2.3.4", "1.2.3.4"),
            ("10.0.0.1", "[6.6.6.6]x", "10.0.0.1"),
            ("10.0.0.1", "6.6.6.6:1x", "10.0.0.1"),
            ("10.0.0.1", "6.6.6.6:", "10.0.0.1"),
            ("10.0.0.1", "[6.6.6.6", "10.0.0.1"),
        ] as [(String, String?, String)]
    )
    func `only what trusted proxies appended is believed`(socket: String, forwarded: String?, client: String) throws {
        let trusted = [try #require(CIDR("10.0.0.0/8"))]
        let headers = HTTPHeaders(forwarded.map { [("X-Forwarded-For", $0)] } ?? [])
        #expect(try #require(PeerAddress(socket)).client(headers, trusted: trusted).text == client)
    }

    @Test(.holds("SVC-8")) func `a client's own header comes first, and is not the last`() throws {
        let trusted = [try #require(CIDR("10.0.0.0/8"))]
        let headers = HTTPHeaders([("X-Forwarded-For", "6.6.6.6"), ("X-Forwarded-For", "1.2.3.4")])
        #expect(try #require(PeerAddress("10.0.0.1")).client(headers, trusted: trusted).text == "1.2.3.4")
    }
}
