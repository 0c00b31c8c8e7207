import Testing
import ThumbturnRules

@testable import ThumbturnAccount

@Suite("The address of a service") struct ServiceAddressTests {
    @Test(arguments: [
        ("https://id.example.org", "https://id.example.org"), ("https://ID.Example.ORG/", "https://id.example.org"),
        ("HTTPS://id.example.org:443", "https://id.example.org"),
        ("https://id.example.org:8443/", "https://id.example.org:8443"),
        ("https://id.example.org:08443", "https://id.example.org:8443"), ("https://localhost", "https://localhost"),
        ("https://192.0.2.7:80", "https://192.0.2.7:80"), ("https://[2001:DB8::1]:9", "https://[2001:db8::1]:9"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("http://127.0.0.1:8107", "http://127.0.0.1:8107"), ("http://127.3.2.1", "http://127.3.2.1"),
        ("http://localhost:80/", "http://localhost"), ("http://[::1]:8107", "http://[::1]:8107"),
        ("http://localhost:443", "http://localhost:443"),
    ])
    func `it has one form, which is dialled and signed`(text: String, origin: String) throws {
        #expect(try ServiceAddress(text).origin == origin)
    }

    @Test(arguments: [
        "http://id.example.org", "http://192.0.2.7", "http://10.0.0.1", "http://[::2]", "http://0.0.0.0",
        "http://127.0.0.1.example.org", "http://localhost.example.org", "http://127.1", "http://127.0.0.256",
        "http://127.0.0.01", "http://2130706433", "http://[::ffff:127.0.0.1]",
    ])
    func `without TLS it is this very machine`(text: String) {
        #expect(throws: AccountFailure.addressMalformed) { try ServiceAddress(text) }
    }

    @Test(arguments: [
        "", "id.example.org", "ftp://id.example.org", "https:id.example.org", "https://", "https:///", "https://:443",
        "https://ada@id.example.org", "https://ada:secret@id.example.org", "https://id.example.org/v1",
        "https://id.example.org//", "https://id.example.org?x", "https://id.example.org/?x", "https://id.example.org#x",
        "https://id.example.org:", "https://id.example.org:0", "https://id.example.org:65536",
        "https://id.example.org:+1", "https://id.example.org: 1", " https://id.example.org", "https://id.example.org\n",
        "https://id..example", "https://id.example.", "https://.example", "https://-id.example", "https://id-.example",
        "https://id_1.example", "https://b\u{FC}cher.example", "https://id%2eexample",
        "https://id.example\\@evil.example",
        "https://1.2.3", "https://1.2.3.4.5", "https://01.2.3.4", "https://[::1", "https://::1", "https://[]",
        "https://[::1]x", "https://[::1%25lo]", "https://[g::1]", "https://[1]", "https://\u{130}d.example",
        "https://" + String(repeating: "a", count: 64) + ".example",
        "https://" + String(repeating: "a.", count: 150) + "b",
    ])
    func `nothing else is one`(text: String) {
        #expect(throws: AccountFailure.addressMalformed) { try ServiceAddress(text) }
        #expect(VaultError(AccountFailure.addressMalformed).code == .usage)
    }
}
