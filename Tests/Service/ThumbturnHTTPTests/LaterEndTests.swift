import Glibc
import Testing
import ThumbturnFiles

@testable import ThumbturnHTTP

/// Answers that come after their client left, or while the server stops.
struct LaterEndTests {
    private let desk = Desk()

    private func ask(_ client: TestClient, _ path: String) { client.send("GET \(path) HTTP/1.1\nHost: a\n\n") }

    @Test(.holds("SVC-6"))
    func `a client that breaks off keeps no place, and its answer goes to nobody else`() throws {
        let server = try TestServer(router: desk.router) { ($0.loops, $0.limits.connectionsOfNetwork) = (1, 1) }
        do {
            let gone = try server.client()
            ask(gone, "/later/gone")
            waitUntil { desk.count == 1 }
            gone.breaksOff()
        }
        // The loop sees it while the answer is still to come.
        waitUntil { server.server.connectionCount == 0 }
        #expect(desk.count == 1)
        // The next one gets its place in the network, and its place in the loop.
        let (next, other) = (try server.client(), try server.client(from: 2))
        ask(next, "/later/next")
        waitUntil { desk.count == 2 }
        desk.answer("gone", "for who is gone")
        ask(other, "/hello/a")
        #expect(other.answer()?.status == 200)
        #expect(next.hasNothing)
        desk.answer("next", "its own")
        #expect(next.answer()?.text == "its own")
        #expect(server.outstandingCount == 0)
    }

    @Test func `a client that closes is let go with the answer`() throws {
        let server = try TestServer(router: desk.router)
        do {
            let gone = try server.client()
            ask(gone, "/later/gone")
            waitUntil { desk.count == 1 }
        }
        desk.answer("gone")
        waitUntil { server.server.connectionCount == 0 }
        #expect(server.outstandingCount == 0)
    }

    @Test(.holds("SVC-7")) func `content counts until the answer is given, also that of a client that left`() throws {
        let server = try TestServer(router: desk.router) { $0.limits.bufferedBytes = 100_000 }
        let counted = { server.contentByteCount }
        let content = [UInt8](repeating: 0x61, count: 60_000)
        func request(_ name: String) -> [UInt8] {
            wire("POST /later/\(name) HTTP/1.1\nHost: a\nContent-Length: 60000\n\n") + content
        }
        for leaves in [false, true] {
            do {
                let first = try server.client()
                first.send(request("a"))
                waitUntil { desk.count == 1 }
                #expect(counted() == 60_000)
                let second = try server.client()
                second.send(request("b"))
                #expect(second.answer()?.code == "BUSY")
                if leaves { first.breaksOff() } else { desk.answer("a") }
                if !leaves { #expect(first.answer()?.text == "late") }
            }
            if leaves {
                waitUntil { server.server.connectionCount == 0 }
                #expect(counted() == 60_000)
                desk.answer("a")
            }
            waitUntil { counted() == 0 }
        }
    }

    @Test(.holds("SVC-9"), .timeLimit(.minutes(10)))
    func `a stop waits for answers to come, and for no longer than that`() throws {
        let server = try TestServer(router: desk.router)
        let client = try server.client()
        ask(client, "/later/a")
        waitUntil { desk.count == 1 }
        let stopped = Monitor<Bool?>(nil)
        SystemThread { [server = server.server] in
            let isWhole = server.stop(within: 600)
            stopped.change { $0 = isWhole }
        }?.detach()
        waitUntil { server.server.core.isStopping }
        usleep(100_000)
        #expect(stopped.change { $0 } == nil)
        desk.answerElsewhere("a")
        #expect(client.answer()?.text == "late")
        #expect(client.ends())
        #expect(stopped.wait(until: MonotonicClock.milliseconds + 20_000) { $0 } == true)
        #expect(server.server.connectionCount == 0)
    }

    @Test(.holds("SVC-9"), .timeLimit(.minutes(10)))
    func `an answer that does not come in time is cut off, and harms nothing when it comes`() throws {
        let server = try TestServer(router: desk.router)
        let clients = try ["a", "b"].map { name in
            let client = try server.client()
            ask(client, "/later/\(name)")
            return client
        }
        waitUntil { desk.count == 2 }
        #expect(!server.server.stop(within: 1))
        for client in clients { #expect(client.ends()) }
        #expect(server.server.connectionCount == 0)
        #expect(desk.answer("a"))
        desk.take("b")
        #expect(server.outstandingCount == 0)
        #expect(server.contentByteCount == 0)
    }

    @Test(.holds("SVC-7")) func `of a request nothing is kept until its later answer, and of that nothing after it`()
        async
    {
        await #expect(processExitsWith: .success) {
            let (secret, desk) = (MaskedText.make(), Desk())
            let server = try TestServer(router: desk.router)
            #expect(try secret.traces() == 0)
            for end in ["given", "given twice", "nobody"] {
                let client = try server.client()
                var request = wire("POST /later/a HTTP/1.1\nHost: a\nContent-Length: 4800\nAuthorization: Bearer ")
                secret.append(to: &request)
                request.appendWiping(wire("\n\n"))
                for _ in 0..<100 { secret.append(to: &request) }
                client.send(request)
                request.wipe()
                waitUntil { desk.count == 1 }
                // The worker lets go of it a little after it left its reply.
                for _ in 0..<100 where try secret.traces() > 0 { usleep(20_000) }
                #expect(try secret.traces() == 0, "\(end)")
                if end == "nobody" {
                    client.breaksOff()
                    continue
                }
                desk.answer("a", with: secret, times: end == "given" ? 1 : 2)
                #expect(client.skip(atLeast: 2_000 * 48))
            }
            waitUntil { server.server.connectionCount == 0 }
            desk.answer("a", with: secret, times: 1)
            for _ in 0..<100 where try secret.traces() > 0 { usleep(20_000) }
            #expect(try secret.traces() == 0)
        }
    }
}

extension Desk {
    /// Answers with a text two thousand times over: what is freed and not overwritten is not all used again at once.
    fileprivate func answer(_ name: String, with secret: MaskedText, times: Int) {
        let reply = take(name)
        for _ in 0..<times { reply?(HTTPResponse(status: 200, body: secret.repeated(2_000))) }
    }
}

extension MaskedText {
    fileprivate func repeated(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { append(to: &bytes) }
        return bytes
    }
}
