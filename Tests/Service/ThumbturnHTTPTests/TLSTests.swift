import CTLS
import Foundation
import Glibc
import Testing
import ThumbturnTestKit

@testable import ThumbturnHTTP

/// TLS, asked by the programs `openssl` and `curl`.
struct TLSTests {
    private enum Key {
        case elliptic, rsa

        var options: [String] {
            switch self {
            case .elliptic: ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .rsa: ["rsa:2048"]
            }
        }
    }

    /// A certificate for localhost, and its key.
    private static func makeCertificate(in folder: TemporaryFolder, named name: String, _ key: Key = .elliptic) throws
        -> HTTPServer.Configuration.TLSFiles
    {
        let words =
            ["openssl", "req", "-x509", "-newkey"] + key.options + [
                "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-keyout", folder.file("key.pem"), "-out", folder.file("chain.pem"),
            ]
        let made = try Command(words)
        try #require(made.status == 0, "\(made.text)")
        return .init(chain: folder.file("chain.pem"), key: folder.file("key.pem"))
    }

    private func ask(_ server: TestServer, _ options: String...) throws -> String {
        let words = ["openssl", "s_client", "-connect", "127.0.0.1:\(server.server.port)", "-ign_eof"] + options
        return try Command(words, input: "GET /hello/a HTTP/1.0\r\n\r\n").text
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `TLS is spoken with forward secrecy, and nothing is kept that would resume it`(version: String) throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "one")
        let server = try TestServer { $0.tls = files }
        let text = try ask(server, version)
        #expect(text.contains("HTTP/1.1 200 OK") && text.contains("hello a"))
        #expect(text.contains("Server Temp Key: X25519") || text.contains("Negotiated TLS1.3 group"))
        #expect(!text.contains("New Session Ticket") && !text.contains("TLS session ticket:"))
        // A client is given nothing that it could keep: neither a ticket nor the number of a session.
        let kept = folder.file("session.pem")
        #expect(try ask(server, version, "-sess_out", kept).contains("HTTP/1.1 200 OK"))
        #expect(!FileManager.default.fileExists(atPath: kept))
    }

    @Test func `a client that gathers small writes doesn't wait for word of its handshake`() throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "one")
        let server = try TestServer { $0.tls = files }
        let script = """
            import socket, ssl, time
            context = ssl._create_unverified_context()
            times = [1]
            # A busy machine is slow for a while; a client that has to wait is slow each time.
            for _ in range(200):
                if min(times) < 0.035: break
                plain = socket.create_connection(("127.0.0.1", \(server.server.port)))
                # From before the handshake, so that no pause of this program hides the wait for the end of it.
                start = time.monotonic()
                connection = context.wrap_socket(plain)
                connection.sendall(b"GET /hello/a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
                connection.recv(4096)
                times.append(time.monotonic() - start)
            print(int(1000 * min(times)))
            """
        let milliseconds = try Command("python3", "-c", script).text.filter(\.isNumber)
        #expect(try #require(Int(milliseconds)) < 35)
    }

    @Test func `what is older than TLS 1.2 is refused, whatever the system would take`() throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "one")
        guard let session = unsafe try TLSContext(files).makeSession(STDERR_FILENO) else {
            Issue.record("there is no session")
            return
        }
        defer { unsafe SSL_free(session) }
        #expect(unsafe SSL_ctrl(session, SSL_CTRL_GET_MIN_PROTO_VERSION, 0, nil) == Int(TLS1_2_VERSION))
        let server = try TestServer { $0.tls = files }
        #expect(!(try ask(server, "-tls1_1", "-cipher", "ALL:@SECLEVEL=0").contains("HTTP/1.1")))
    }

    @Test func `what has no forward secrecy, or no authenticated cipher, is refused`() throws {
        let folder = try TemporaryFolder()
        let one = try Self.makeCertificate(in: folder, named: "one")
        let elliptic = try TestServer { $0.tls = one }
        // Only an RSA key can be what the secret is sent under.
        let two = try Self.makeCertificate(in: folder, named: "two", .rsa)
        let rsa = try TestServer { $0.tls = two }
        for (server, suite, isAnswered) in [
            (elliptic, "ECDHE-ECDSA-AES256-GCM-SHA384", true), (elliptic, "ECDHE-ECDSA-AES256-SHA384", false),
            (rsa, "ECDHE-RSA-AES256-GCM-SHA384", true), (rsa, "ECDHE-RSA-AES256-SHA384", false),
            (rsa, "AES256-GCM-SHA384", false), (rsa, "AES128-GCM-SHA256", false),
        ] {
            #expect(try ask(server, "-tls1_2", "-cipher", suite).contains("HTTP/1.1") == isAnswered, "\(suite)")
        }
    }

    @Test func `curl gets what it asks for, and sends what it has, on one connection`() throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "one")
        let server = try TestServer { $0.tls = files }
        let url = "https://localhost:\(server.server.port)"
        let content = String(repeating: "abcdefgh", count: 8_000)
        try folder.write(Array(content.utf8), to: "content")
        let asked = try Command(
            "curl",
            "-sS",
            "--http1.1",
            "--cacert",
            folder.file("chain.pem"),
            "-w",
            " %{http_code} %{num_connects}\n",
            "\(url)/hello/a",
            "\(url)/hello/b"
        )
        #expect(asked.text == "\"hello a\" 200 1\n\"hello b\" 200 0\n")
        let sent = try Command(
            "curl",
            "-sS",
            "--cacert",
            folder.file("chain.pem"),
            "-H",
            "Expect: 100-continue",
            "--data-binary",
            "@\(folder.file("content"))",
            "\(url)/echo"
        )
        #expect(sent.text == content)
    }

    @Test func `a handshake that is held delays nobody's, and ends when its time is over`() throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "one")
        let server = try TestServer {
            $0.tls = files
            $0.limits.headMilliseconds = 2_000
            $0.limits.connectionsOfNetwork = 64
        }
        // The beginning of a client's greeting, whose rest never comes.
        let held = try (0..<32).map { _ in
            let client = try server.client()
            client.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
            return client
        }
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try ask(server).contains("hello a"))
        #expect(clock.now - start < .seconds(2), "it waited for none of them")
        for client in held { #expect(client.answer() == nil) }
        #expect(clock.now - start < .seconds(15), "each was closed, and not at the client's own time")
        #expect(server.server.connectionCount == 0)
    }

    @Test func `held handshakes leave their places to others once their time is over`() throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "one")
        let server = try TestServer {
            $0.tls = files
            $0.limits.headMilliseconds = 500
            $0.limits.connections = 4
        }
        let held = try (0..<4).map { _ in
            let client = try server.client()
            client.send([0x16])
            return client
        }
        for client in held { #expect(client.answer() == nil) }
        #expect(try ask(server).contains("hello a"))
    }

    @Test func `a certificate is taken up without a restart, and one that is broken leaves the former`() throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "before")
        let server = try TestServer { $0.tls = files }
        #expect(try ask(server).contains("CN = before"))
        _ = try Self.makeCertificate(in: folder, named: "after")
        #expect(try ask(server).contains("CN = before"))
        try server.server.reloadCertificate()
        #expect(try ask(server).contains("CN = after"))
        try folder.write(Array("nonsense".utf8), to: "key.pem")
        #expect(throws: HTTPError.self) { try server.server.reloadCertificate() }
        #expect(try ask(server).contains("CN = after"))
    }

    @Test func `a key under a passphrase is refused, and nobody is asked for it`() async throws {
        // In a process of its own, whose standard input is the process's: OpenSSL would take the passphrase from there.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let locked = try Self.makeLockedKey(in: folder)
            var ends: [Int32] = [0, 0]
            try #require(unsafe pipe(&ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO)
            try #require(unsafe write(ends[1], "abcd\n", 5) == 5)
            close(ends[1])
            let error = #expect(throws: HTTPError.self) { try TestServer { $0.tls = locked } }
            var isCertificate = false
            if case .certificate? = error { isCertificate = true }
            #expect(isCertificate, "\(String(describing: error))")
            var byte: UInt8 = 0
            #expect(unsafe read(STDIN_FILENO, &byte, 1) == 1 && byte == UInt8(ascii: "a"))
        }
    }

    private static func makeLockedKey(in folder: TemporaryFolder) throws -> HTTPServer.Configuration.TLSFiles {
        let files = try Self.makeCertificate(in: folder, named: "one")
        let locked = try Command(
            "openssl",
            "ec",
            "-in",
            files.key,
            "-aes256",
            "-passout",
            "pass:abcd",
            "-out",
            folder.file("locked.pem")
        )
        try #require(locked.status == 0, "\(locked.text)")
        return HTTPServer.Configuration.TLSFiles(chain: files.chain, key: folder.file("locked.pem"))
    }

    @Test(.holds("SVC-5")) func `a handshake that is not finished in time is cut off, and plain HTTP too`() throws {
        let folder = try TemporaryFolder()
        let files = try Self.makeCertificate(in: folder, named: "one")
        let server = try TestServer {
            $0.tls = files
            $0.limits.headMilliseconds = 300
        }
        let (silent, plain) = (try server.client(), try server.client())
        plain.send("GET /hello/a HTTP/1.1\nHost: a\n\n")
        #expect(silent.ends())
        #expect(plain.answer() == nil)
    }
}
