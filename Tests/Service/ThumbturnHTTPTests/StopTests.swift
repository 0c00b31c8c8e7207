import Glibc
import Testing
import ThumbturnFiles

@testable import ThumbturnHTTP

struct StopTests {
    private let held = "GET /held HTTP/1.1\nHost: a\n\n"

    @Test(.holds("SVC-9"), .timeLimit(.minutes(10)))
    func `what began is answered, and nothing new is taken`() throws {
        let server = try TestServer(workers: 3)
        let (busy, idle, ahead) = (try server.client(), try server.client(), try server.client())
        idle.send("GET /hello/a HTTP/1.1\nHost: a\n\n")
        #expect(idle.answer()?.status == 200)
        busy.send(held)
        // What came with a request that began lies in the server before the stop, too.
        ahead.send(held + "POST /echo HTTP/1.1\nHost: a\nContent-Length: 3\n\nabc")
        waitUntil { server.begunCount == 3 }
        let stopped = Monitor<Bool?>(nil)
        SystemThread { [server = server.server] in
            let isWhole = server.stop(within: 600)
            stopped.change { $0 = isWhole }
        }?.detach()
        waitUntil { server.server.core.isStopping }
        server.release()
        #expect(busy.answer()?.text == "released")
        #expect(busy.ends())
        #expect(ahead.answer()?.text == "released")
        let last = ahead.answer()
        #expect((last?.text, last?.header("Connection")) == ("abc", "close"))
        #expect(idle.ends())
        // It does not wait for its time to be over.
        #expect(stopped.wait(until: MonotonicClock.milliseconds + 20_000) { $0 } == true)
        #expect(throws: TestClient.Failure.self) { try server.client() }
        #expect(server.server.connectionCount == 0)
    }

    @Test(.holds("SVC-9")) func `who knocked before the stop is answered, however many they are`() throws {
        let (gate, isWaiting) = (Monitor(false), Monitor(false))
        let router = TestRoutes.router
        let server = HTTPServer(HTTPServer.Configuration()) { head in
            // While the only loop waits here, nobody is let in.
            if head.path == "/hello/gate" {
                isWaiting.change { $0 = true }
                _ = gate.wait { $0 ? true : nil }
            }
            return router.admit(head)
        } makeHandler: { worker in
            { router.answer($0, in: worker) }
        }
        try server.start()
        let first = try TestClient(port: server.port)
        first.send("GET /hello/gate HTTP/1.1\nHost: a\n\n")
        try #require(isWaiting.wait(until: MonotonicClock.milliseconds + 20_000) { $0 ? true : nil } == true)
        let clients = try (0..<300).map { _ in try TestClient(port: server.port) }
        for client in clients { client.send("GET /hello/a HTTP/1.1\nHost: a\n\n") }
        let stopped = Monitor<Bool?>(nil)
        SystemThread {
            let isWhole = server.stop(within: 20)
            stopped.change { $0 = isWhole }
        }?.detach()
        waitUntil { server.core.isStopping }
        gate.change { $0 = true }
        #expect(first.answer()?.status == 200)
        #expect(clients.count { $0.answer()?.status == 200 } == 300)
        #expect(stopped.wait(until: MonotonicClock.milliseconds + 20_000) { $0 } == true)
    }

    @Test(.holds("SVC-9")) func `a request whose rest comes after the stop is answered`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 3\n\na")
        waitUntil { server.server.core.load.contentBytes.value == 1 }
        let stopped = Monitor(false)
        SystemThread { [server = server.server] in
            let isWhole = server.stop(within: 10)
            stopped.change { $0 = isWhole }
        }?.detach()
        waitUntil { server.server.core.isStopping }
        client.send("bc")
        #expect(stopped.wait(until: MonotonicClock.milliseconds + 10_000) { $0 ? true : nil } == true)
        #expect(client.answer()?.text == "abc")
    }

    @Test(.holds("SVC-9"), .timeLimit(.minutes(10)))
    func `what takes too long is cut off, and the server says so`() throws {
        let server = try TestServer()
        let stuck = try server.client()
        stuck.send("GET /held HTTP/1.1\nHost: a\n\n")
        waitUntil { server.begunCount == 1 }
        // Nobody releases it before the server is stopped.
        #expect(!server.server.stop(within: 1))
        #expect(stuck.ends())
    }

    @Test(.holds("SVC-9")) func `a request that does not come in whole is cut off too`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("GET /hello/a HTTP/1.1\n")
        #expect(!server.server.stop(within: 1))
        #expect(client.ends())
    }
}
