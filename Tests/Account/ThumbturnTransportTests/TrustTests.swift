import Foundation
import Glibc
import Testing
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnTransport

/// Round trips by TLS, with a server of ours, and what is refused before any.
struct TrustTests {
    @Test func `a private authority vouches for its server, by name and by address`() async throws {
        let authority = try Authority()
        let server = try EchoServer(authority.certify("DNS:localhost,IP:127.0.0.1"))
        for host in ["localhost", "127.0.0.1"] {
            let transport = try AccountTransport.system(
                origin: "https://\(host):\(server.port)",
                authority: authority.file
            )
            #expect(try await transport.ask(.post, "/a", token: "abc", body: "{}").text == "{}")
        }
    }

    @Test func `who is not vouched for is refused: by nobody, by another, under another name`() async throws {
        let (authority, other) = (try Authority(), try Authority())
        let server = try EchoServer(authority.certify("DNS:localhost"))
        for (host, file, failure) in [
            ("localhost", nil, TransportFailure.unknownAuthority), ("localhost", other.file, .unknownAuthority),
            ("127.0.0.1", authority.file, .untrusted),
        ] {
            let transport = try AccountTransport.system(origin: "https://\(host):\(server.port)", authority: file)
            await #expect(throws: failure) { try await transport.ask() }
        }
    }

    private static let past = ("20200101000000Z", "20200201000000Z")
    private static let now = ("20200101000000Z", "20491231235959Z")
    private static let future = ("20480101000000Z", "20491231235959Z")

    @Test(
        arguments: [
            (past, nil, TransportFailure.expired), (past, past, .clockDiffers), (future, nil, .clockDiffers),
            (future, future, .clockDiffers), (now, past, .expired),
        ] as [((String, String), (String, String)?, TransportFailure)]
    )
    func `a certificate that has ended, a clock that is wrong, an authority that is unknown and an impostor are four`(
        span: (String, String),
        ofAuthority: (String, String)?,
        failure: TransportFailure
    ) async throws {
        let authority = try Authority()
        let server = try EchoServer(authority.certify("DNS:localhost", for: span, authority: ofAuthority))
        let known = try AccountTransport.system(
            origin: "https://localhost:\(server.port)",
            authority: authority.file
        )
        await #expect(throws: failure) { try await known.ask() }
        let unknown = try AccountTransport.system(origin: "https://localhost:\(server.port)")
        await #expect(throws: TransportFailure.unknownAuthority) { try await unknown.ask() }
    }

    @Test func `a pin lets its key pass, and no other, and vouches for nobody`() async throws {
        let (authority, other) = (try Authority(), try Authority())
        let server = try EchoServer(authority.certify("DNS:localhost"))
        _ = try other.certify("DNS:localhost")
        let origin = "https://localhost:\(server.port)"
        let right = try AccountTransport.system(origin: origin, authority: authority.file, pin: authority.pin())
        #expect(try await right.ask(.post, body: "{}").text == "{}")
        let wrong = try AccountTransport.system(origin: origin, authority: authority.file, pin: other.pin())
        await #expect(throws: TransportFailure.untrusted) { try await wrong.ask() }
        let alone = try AccountTransport.system(origin: origin, pin: authority.pin())
        await #expect(throws: TransportFailure.unknownAuthority) { try await alone.ask() }
    }

    @Test func `what is older than TLS 1.2 is refused, also where OpenSSL would take it`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let settings = "openssl_conf=a\n[a]\nssl_conf=b\n[b]\nsystem_default=c\n[c]\nCipherString=ALL:@SECLEVEL=0\n"
            try folder.write(Array(settings.utf8), to: "settings")
            unsafe setenv("OPENSSL_CONF", folder.file("settings"), 1)
            let authority = try Authority()
            _ = try authority.certify("DNS:localhost")
            for (version, isTaken) in [("-tls1_1", false), ("-tls1_2", true)] {
                let server = try OldServer(authority, version)
                let transport = try AccountTransport.system(
                    origin: "https://localhost:\(server.port)",
                    authority: authority.file
                )
                if isTaken {
                    #expect(try await transport.ask().status == 200)
                } else {
                    await #expect(throws: TransportFailure.untrusted) { try await transport.ask() }
                }
            }
        }
    }

    @Test func `what the system's settings of OpenSSL refuse is refused, also where the program began without them`()
        async
    {
        await #expect(processExitsWith: .success) {
            OpenSSLSettings.leaveOut()
            let (folder, authority) = (try TemporaryFolder(), try Authority())
            _ = try authority.certify("DNS:localhost")
            let server = try OldServer(authority, "-tls1_2")
            // No key of such a server is long enough for these. Not before: it is OpenSSL's own, and would take them too.
            let settings = "openssl_conf=a\n[a]\nssl_conf=b\n[b]\nsystem_default=c\n[c]\nCipherString=ALL:@SECLEVEL=5\n"
            try folder.write(Array(settings.utf8), to: "settings")
            unsafe setenv("OPENSSL_CONF", folder.file("settings"), 1)
            let transport = try AccountTransport.system(
                origin: "https://localhost:\(server.port)",
                authority: authority.file
            )
            await #expect(throws: TransportFailure.untrusted) { try await transport.ask() }
        }
    }

    @Test(arguments: [
        "http://example.org", "http://128.0.0.1", "http://127.0.0.1.example.org", "http://127.1", "http://0127.0.0.1",
        "http://127.0.0.256", "http://[::2]", "http://localhost.example.org", "http://", "https://", "ftp://localhost",
        "https://a/b", "https://a@b", "https://a:0", "https://a:65536", "https://a:+1", "https://a:", "https://a?b",
        "https://[::1", "https://\u{212A}", "https://a\r\nb", "HTTP://example.org", "localhost", "",
    ])
    func `an origin that is none, or http to another machine, is refused before anything is sent`(origin: String) {
        #expect(throws: VaultError(.usage)) { try AccountTransport.system(origin: origin) }
    }

    @Test(arguments: [
        "http://127.0.0.1:8107", "http://127.255.3.4", "http://[::1]:1", "http://localhost", "https://example.org",
        "https://[2001:db8::1]:65535", "https://xn--bcher-kva.example",
    ])
    func `an origin is taken as it is written`(origin: String) throws {
        #expect(try AccountTransport.system(origin: origin).origin == origin)
    }

    @Test(arguments: ["https://ID.example.org", "HTTPS://id.example.org:443", "https://id.example.org/"])
    func `an origin has one form, which every device of an account signs alike`(written: String) throws {
        #expect(try AccountTransport.system(origin: written).origin == "https://id.example.org")
    }

    @Test func `an authority's file that can't be read or holds no certificate is refused, and a pin that is none`()
        throws
    {
        let (folder, authority) = (try TemporaryFolder(), try Authority())
        _ = try authority.certify("DNS:a")
        let (whole, pin) = (try authority.certificate(), try authority.pin())
        let broken = [
            [], Array("nonsense".utf8), Array(whole.dropLast(30)), whole + whole.prefix(60),
            Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8),
        ]
        for bytes in broken {
            try folder.write(bytes, to: "file")
            #expect(throws: VaultError(.usage)) {
                try AccountTransport.system(origin: "https://a", authority: folder.file("file"))
            }
        }
        #expect(throws: VaultError(.usage)) {
            try AccountTransport.system(origin: "https://a", authority: folder.file("none"))
        }
        for text in ["", "AAAA", String(pin.dropLast()), pin + "A", "sha256//" + pin, pin.replacing("=", with: "!")] {
            #expect(throws: VaultError(.usage)) { try AccountTransport.system(origin: "https://a", pin: text) }
        }
        try folder.write(whole, to: "file")
        #expect(throws: VaultError(.usage)) {
            try AccountTransport.system(origin: "http://localhost", authority: folder.file("file"))
        }
        #expect(throws: VaultError(.usage)) { try AccountTransport.system(origin: "http://localhost", pin: pin) }
    }

    @Test(arguments: ["ec:ec_paramgen_curve:P-384", "rsa:rsa_keygen_bits:2048", "ed25519:"])
    func `a certificate's key is found in it as OpenSSL finds it`(kind: String) throws {
        let folder = try TemporaryFolder()
        let parts = kind.split(separator: ":", maxSplits: 1).map(String.init)
        let script = """
            openssl req -x509 -newkey "$1" ${2:+-pkeyopt "$2"} -nodes -days 2 -subj "/CN=a" -keyout "$0/key" -out "$0/pem" &&
            openssl x509 -in "$0/pem" -noout -pubkey | openssl pkey -pubin -outform DER -out "$0/info"
            """
        let made = try Command("sh", "-c", script, folder.path, parts[0], parts.count > 1 ? parts[1] : "")
        try #require(made.status == 0, "\(made.text)")
        let certificate = try #require(ServiceTrust.certificates(in: folder.read("pem")).first)
        let info = try folder.read("info")
        #expect(ServiceTrust.publicKeyInfo(of: certificate).map { Array($0) } == info)
        let pin = String(decoding: TextCode.base64.encode(SHA256.digest(info)), as: UTF8.self)
        #expect(try ServiceTrust(authority: nil, pin: pin).accepts(certificate))
        #expect(!(try ServiceTrust(authority: nil, pin: pin).accepts(certificate.map { $0 ^ 1 })))
        for count in 0..<certificate.count {
            #expect(ServiceTrust.publicKeyInfo(of: Array(certificate.prefix(count))) == nil)
        }
    }
}

/// A server of OpenSSL's, which speaks one version of TLS alone.
private final class OldServer {
    let port: UInt16
    private let process = Process()
    private let said = Pipe()

    init(_ authority: Authority, _ version: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", authority.chain, "-key", authority.key, version,
            "-cipher", "ALL:@SECLEVEL=0", "-www",
        ]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, said)
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It says which port it was given once it listens, and ends where it can't.
        var text = ""
        while !text.contains(#/ACCEPT .*\n/#), case let more = said.fileHandleForReading.availableData, !more.isEmpty {
            text += String(decoding: more, as: UTF8.self)
        }
        let found = text.firstMatch(of: #/ACCEPT 127\.0\.0\.1:(\d+)\n/#).flatMap { UInt16($0.1) }
        port = try #require(found, "\(text)")
    }

    // A signal that asks would wait: threads of tests block it, and a child inherits that.
    deinit { kill(process.processIdentifier, SIGKILL) }
}
