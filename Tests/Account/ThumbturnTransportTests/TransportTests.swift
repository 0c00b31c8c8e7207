import Foundation
import Glibc
import Synchronization
import Testing
import ThumbturnAccount
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnTransport

/// Round trips without TLS, with a peer that writes what a test says.
struct TransportTests {
    private func transport(to peer: Peer) throws -> AccountTransport {
        try AccountTransport.system(origin: peer.origin)
    }

    @Test func `what is asked arrives word for word, and what is answered comes back`() async throws {
        let peer = try Peer(["HTTP/1.1 201 Created\r\nContent-Length: 7\r\n\r\n", "{\"a\":", "1}"])
        let answer = try await transport(to: peer).ask(.put, "/v1/a/../b", token: "abc.DEF-1_", body: "{\"b\":2}")
        #expect(answer == Answer(status: 201, retryAfter: nil, body: Array("{\"a\":1}".utf8)))
        let lines = peer.requests[0].components(separatedBy: "\r\n")
        #expect(lines[0] == "PUT /v1/a/../b HTTP/1.1")
        #expect(
            Set(lines.dropFirst().dropLast(2)) == [
                "Host: 127.0.0.1:\(peer.port)", "Authorization: Bearer abc.DEF-1_", "Accept: application/json",
                "Content-Type: application/json", "Content-Length: 7",
            ]
        )
        #expect(lines.last == "{\"b\":2}")
    }

    @Test func `no token, no content and no cookie is sent where there is none`() async throws {
        let peer = try Peer(["HTTP/1.1 204 No Content\r\nSet-Cookie: a=b\r\nConnection: close\r\n\r\n"])
        let transport = try transport(to: peer)
        for method in [AccountRequest.Method.get, .delete, .post] {
            #expect(try await transport.ask(method, "/x") == Answer(status: 204, retryAfter: nil, body: []))
        }
        let head = " /x HTTP/1.1\r\nHost: 127.0.0.1:\(peer.port)\r\nAccept: application/json\r\n"
        #expect(
            peer.requests == [
                "GET" + head + "\r\n", "DELETE" + head + "\r\n", "POST" + head + "Content-Length: 0\r\n\r\n",
            ]
        )
    }

    @Test(arguments: [
        ("429 Too Many Requests", "Retry-After: 17\r\n", 429, 17), ("503 No", "retry-after:0\r\n", 503, 0),
        ("401 Unauthorized", "WWW-Authenticate: Basic realm=\"a\"\r\n", 401, nil),
        ("429 Too Many Requests", "Retry-After: Fri, 31 Dec 2038 23:59:59 GMT\r\n", 429, .max),
        ("429 Too Many Requests", "Retry-After: +17\r\n", 429, .max),
        ("429 Too Many Requests", "Retry-After: 99999999999999999999\r\n", 429, .max),
    ])
    func `status and wait are what the service says`(line: String, header: String, status: Int, wait: Int?) async throws
    {
        let peer = try Peer(["HTTP/1.1 \(line)\r\n\(header)Content-Length: 2\r\n\r\n{}"])
        #expect(
            try await transport(to: peer).ask() == Answer(status: status, retryAfter: wait, body: Array("{}".utf8))
        )
    }

    @Test(arguments: [301, 302, 303, 304, 307, 308]) func `a redirect is not followed`(status: Int) async throws {
        let other = try Peer(["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
        let peer = try Peer(["HTTP/1.1 \(status) No\r\nLocation: \(other.origin)/\r\nContent-Length: 0\r\n\r\n"])
        let transport = try transport(to: peer)
        await #expect(throws: TransportFailure.untrusted) { try await transport.ask(token: "abc") }
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: [true, false]) func `128 KiB are taken, and not a byte more`(isCounted: Bool) async throws {
        for more in [0, 1] {
            let count = AccountTransport.mostBytes + more
            let length = isCounted ? "Content-Length: \(count)\r\n" : "Connection: close\r\n"
            let peer = try Peer(["HTTP/1.1 200 OK\r\n\(length)\r\n" + String(repeating: "a", count: count)])
            let transport = try transport(to: peer)
            if more == 0 {
                #expect(try await transport.ask().body.count == count)
            } else {
                await #expect(throws: TransportFailure.lost) { try await transport.ask() }
            }
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{\"a\"", "{\"a\":1}\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n",
    ])
    func `an answer that is not whole, or none, is lost`(written: String) async throws {
        let peer = try Peer([written])
        let transport = try transport(to: peer)
        await #expect(throws: TransportFailure.lost) { try await transport.ask(.post, body: "{}") }
        #expect(peer.requests.count == 1)
    }

    @Test func `where nobody listens, or no host is, nothing was sent`() async throws {
        let peer = try Peer([])
        peer.stop()
        for origin in [peer.origin, "https://127.0.0.1:\(peer.port)", "https://nobody.invalid"] {
            let transport = try AccountTransport.system(origin: origin)
            await #expect(throws: TransportFailure.unreachable) { try await transport.ask() }
        }
    }

    @Test func `the whole round trip has its time, however often something comes`() async throws {
        let peer = try Peer(["HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"] + Array(repeating: "a", count: 9_000))
        let transport = try transport(to: peer)
        let start = ContinuousClock.now
        // A busy machine, too, has sent the request by then.
        await #expect(throws: TransportFailure.lost) { try await transport.ask(timeout: 3_000) }
        #expect(ContinuousClock.now - start > .milliseconds(2_500))
        #expect(try await peer.lostItsFirst)
    }

    @Test(.timeLimit(.minutes(20))) func `a handshake that doesn't end in time sent nothing`() async throws {
        let peer = try Peer([], then: .wait)
        let transport = try AccountTransport.system(origin: "https://127.0.0.1:\(peer.port)")
        await #expect(throws: TransportFailure.unreachable) {
            try await transport.ask(.put, "/v1/secret", token: "abc.DEF", body: "{}", timeout: 1_000)
        }
        #expect(try await peer.lostItsFirst)
        #expect(peer.requests.count == 1)
        // A record of the handshake came, and nothing of the request.
        let sent = try #require(peer.requests.first)
        #expect(sent.utf8.first == 0x16)
        for word in ["PUT", "/v1/secret", "abc.DEF", "{}", "\r\n"] { #expect(!sent.contains(word), "\(word)") }
    }

    @Test(.timeLimit(.minutes(20))) func `the end of the task ends the round trip at once`() async throws {
        let peer = try Peer([], then: .wait)
        let transport = try transport(to: peer)
        let task = Task { try await transport.ask(timeout: 3_600_000) }
        while peer.requests.first?.hasSuffix("\r\n\r\n") != true { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: TransportFailure.lost) { try await task.value }
        // Half of the minute after which curl looks by itself.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(try await peer.lostItsFirst)
        let late = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await transport.ask()
        }
        await #expect(throws: TransportFailure.unreachable) { try await late.value }
        #expect(peer.requests.count == 1)
    }

    @Test(arguments: [("a b", nil), ("", nil), ("/a\r\nX: y", nil), ("/a#b", nil), ("/", "a\r\nX: y"), ("/", "a\0b")])
    func `what would end its line is not sent`(path: String, token: String?) async throws {
        let peer = try Peer(["HTTP/1.1 204 No Content\r\n\r\n"])
        let transport = try transport(to: peer)
        await #expect(throws: TransportFailure.unreachable) { try await transport.ask(.get, path, token: token) }
        #expect(peer.requests.isEmpty)
    }

    @Test func `nothing goes by a proxy to this machine, and no name is taken from a file`() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try Peer(["HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n"])
            let folder = try TemporaryFolder()
            try folder.write(Array("machine 127.0.0.1 login a password b\n".utf8), to: ".netrc")
            for (name, value) in [("http_proxy", proxy.origin), ("all_proxy", proxy.origin), ("HOME", folder.path)] {
                unsafe setenv(name, value, 1)
            }
            let peer = try Peer(["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
            #expect(try await AccountTransport.system(origin: peer.origin).ask().status == 200)
            #expect(peer.requests.first?.contains("Authorization") == false)
            #expect(proxy.requests.isEmpty)
        }
    }

    @Test func `a thread hears no signal, so that a connection which is gone just fails`() {
        let hears = Mutex(true)
        TransferThread {
            var mask = sigset_t()
            unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
            let isBlocked = unsafe sigismember(&mask, SIGPIPE) == 1
            hears.withLock { $0 = !isBlocked }
        }?.join()
        #expect(!hears.withLock { $0 })
    }

    @Test func `many round trips at once don't wait for each other`() async throws {
        let peer = try Peer(["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"], once: 32)
        let transport = try transport(to: peer)
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<32 { group.addTask { try? await transport.ask(timeout: 60_000).status } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 32))
    }
}
