import Testing
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnService

@testable import ThumbturnDaemon

@Suite struct ArgumentTests {
    private func command(_ line: String) throws -> Command {
        try CommandTable.all.parse(line.split(separator: " ").map(String.init)).command
    }

    private func options(_ line: String) throws -> ServeOptions {
        guard case .serve(let options) = try command(line) else { throw Failure(.usage) }
        return options
    }

    @Test func `serve needs no option, and is at home on this machine alone`() throws {
        let options = try options("serve")
        #expect(options.listen == ListenAddress(host: "127.0.0.1", port: 8_107))
        #expect(options.places.store == nil && options.places.serviceKey == nil && options.tls == nil)
        #expect(options.encoding == .minimal)
    }

    @Test(
        arguments: [
            ("127.0.0.1:8107", "127.0.0.1", 8_107), ("[::1]:1", "::1", 1), ("localhost:0", "localhost", 0),
            ("id.example.com:443", "id.example.com", 443),
        ]
    )
    func `an address to listen at is a host and a port`(text: String, host: String, port: UInt16) throws {
        #expect(ListenAddress(text) == ListenAddress(host: host, port: port))
    }

    @Test(arguments: [
        "", ":", "8107", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "a b:80", "http://a:80", ":80",
    ])
    func `anything else is none`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(
        arguments: [
            ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true), ("localhost:1", true),
            ("0.0.0.0:1", false),
            ("[::]:1", false), ("10.0.0.1:1", false), ("localhost.example.com:1", false), ("128.0.0.1:1", false),
        ]
    )
    func `whether strangers can reach an address is told by the address`(text: String, isLoopback: Bool) throws {
        #expect(try #require(ListenAddress(text)).isLoopback == isLoopback)
    }

    @Test func `devices sign the address as clients dial it`() {
        let here = ListenAddress(host: "127.0.0.1", port: 0)
        #expect(here.origin(port: 8_107, isTLS: false) == "http://127.0.0.1:8107")
        #expect(here.origin(port: 443, isTLS: true) == "https://127.0.0.1")
        #expect(here.origin(port: 443, isTLS: false) == "http://127.0.0.1:443")
        #expect(ListenAddress(host: "::1", port: 0).origin(port: 8_107, isTLS: true) == "https://[::1]:8107")
    }

    @Test(arguments: ["0.0.0.0:8107", "[::]:8107", "10.0.0.1:80"])
    func `plain HTTP leaves this machine nowhere`(address: String) throws {
        #expect(throws: Failure(.usage)) {
            do { _ = try command("serve --listen \(address)") } catch let failure as Failure {
                throw Failure(failure.code)
            }
        }
        #expect(try options("serve --listen \(address) --tls-cert c --tls-key k").tls != nil)
    }

    @Test(
        arguments: [
            "serf", "serve now", "serve -x", "serve --port 8107", "serve --listen 8107", "serve --listen",
            "serve --store=",
            "serve --store mysql://a/b", "serve --tls-key k", "serve --tls-cert c",
            "serve --origin id.example.com",
            "serve --origin https://", "serve --origin https://id.example.com/",
            "serve --origin https://ID.example.com",
            "serve --trusted-proxy 10.0.0.1/8", "serve --trusted-proxy 10.0.0.0/8,", "serve --trusted-proxy proxy",
            "serve --failures-per-minute 0", "serve --registrations-per-minute -1", "serve --workers x",
            "serve --workers 2000", "serve --registration shut", "serve --accounts 0", "serve --logins-per-minute 0",
            "serve --connections-per-network 0", "serve --metrics 9090", "serve --metrics 127.0.0.1:9090/metrics",
            "serve --listen 127.0.0.1:8107/path", "account show", "account show a b", "account count a",
            "serve --proof-encoding raw", "serve --proof-encoding", "serve --prepare",
            "service-key show", "service-key create now", "service-key id --store a", "restored now",
            "help nothing", "version now",
            "serve --signer a.pem", "serve --signer pkcs11:token=a;object=b", "serve --witness-key a.pem",
            "serve --signer file:a --signer file:a", "serve --signer file:a --signer file:b --signer file:c",
            "serve --witness-key file:a --witness-key file:b", "serve --witness-key pkcs11:token=a",
            "key show", "key create now", "key public --witness-key file:a", "key create --signer=",
            "key public --signer pkcs11:token=a;object=b?module-path=/m&pin-value=1", "key public --store a",
            "serve --logs 0", "serve --logs 1025", "serve --log 1", "export --logs 1",
            "export --log -1", "export --log x", "export now", "check --before", "check --before 2026-02-30",
            "check --before 2026-1-1", "check --before 01/02/2026", "check --log 1", "auditor create",
            "auditor create a b",
            "auditor remove",
        ]
    )
    func `a command line that is not understood is a usage error`(line: String) {
        #expect(throws: Failure(.usage)) {
            do { _ = try command(line) } catch let failure as Failure { throw Failure(failure.code) }
        }
    }

    @Test(arguments: [
        "serve postgres://u:83251947@h/d", "serve --stor postgres://u:83251947@h/d", "--x=83251947 serve",
        "serve --signer pkcs11:token=a;object=b?module-path=/m&pin-value=83251947", "serve --witness-key 83251947",
    ])
    func `a usage error does not repeat what was given`(line: String) throws {
        let failure = try #require(throws: Failure.self) { try command(line) }
        for language in Language.allCases {
            #expect(!failure.message(in: language).contains("83251947"))
            #expect(!Advice.hints.hint(failure).in(language).contains("83251947"))
        }
    }

    @Test(arguments: [40, 80, 200])
    func `every command has help of any width in both languages, and no option is unheard of`(width: Int) {
        #expect(!CommandTable.all.rows.isEmpty)
        #expect(Help.all.faults(of: CommandTable.all, width: width) == [])
    }

    @Test func `what limits a service has a default, and an option`() throws {
        let standard = try options("serve")
        #expect(standard.isRegistrationOpen && standard.limits.accounts == nil && standard.metrics == nil)
        #expect(standard.limits.logins.most == 1_200 && standard.connections == 256)
        let given = try options(
            "serve --registration closed --accounts 7 --logins-per-minute 8 --connections-per-network 9 --metrics [::1]:10"
        )
        #expect(!given.isRegistrationOpen && given.limits.accounts == 7)
        #expect(given.limits.logins.most == 8 && given.connections == 9)
        #expect(given.metrics == ListenAddress(host: "::1", port: 10))
        #expect(standard.logs == nil && !standard.showsTiles)
        let ledger = try options("serve --logs 1024 --public-tiles")
        #expect(ledger.logs == 1_024 && ledger.showsTiles)
    }

    @Test func `what signs the ledger is the default file, or up to two keys, the new one first`() throws {
        let standard = try options("serve")
        #expect(standard.signers.isEmpty && standard.witness == nil)
        let uri = "pkcs11:token=a;object=b?module-path=/m&pin-source=/p"
        let given = try options("serve --signer \(uri) --signer file:keys/a.pem --witness-key file:w.pem")
        #expect(given.signers == [try SignerLocation(parsing: uri), .file("keys/a.pem")])
        #expect(given.witness?.path == "w.pem")
    }

    @Test(
        arguments: [
            ("serve", true), ("serve --listen 127.0.0.1:1 --trusted-proxy 127.0.0.1", false),
            ("serve --listen 0.0.0.0:1 --tls-cert c --tls-key k", false),
            ("serve --listen [::1]:1 --metrics 127.0.0.1:2", true),
        ]
    )
    func `the service's own port shows metrics to this machine alone, and to no proxy`(line: String, isShown: Bool)
        throws
    {
        #expect(try options(line).showsMetrics == isShown)
    }

    @Test(arguments: ["", "service-key", "account", "auditor"])
    func `without a command, or with a group alone, there is help`(line: String) throws {
        guard case .help(let name) = try command(line) else { throw Failure(.usage) }
        #expect(name?.text ?? "" == line)
    }
}
