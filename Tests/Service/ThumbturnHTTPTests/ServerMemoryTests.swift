import Glibc
import Testing
import ThumbturnTestKit

@testable import ThumbturnHTTP

/// What many connections, and large requests, take of memory; each in a process of its own, where nothing else grows.
struct ServerMemoryTests {
    @Test(.holds("SVC-4")) func `10 MB are refused with flat memory, and the client reads why`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let body = [UInt8](repeating: 0x61, count: 10 << 20)
            let chunk = wire("FFFF\n") + body.prefix(0xFFFF) + wire("\n")
            var before = 0
            for round in 0..<12 {
                if round == 4 { before = try residentByteCount() }
                let client = try server.client()
                client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: \(body.count)\n\n")
                #expect(client.send(body))
                #expect(client.answer()?.code == "BODY_TOO_LARGE")
                let chunked = try server.client()
                chunked.send("POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n")
                for _ in 0..<160 { #expect(chunked.send(chunk)) }
                #expect(chunked.answer()?.code == "BODY_TOO_LARGE")
            }
            #expect(try residentByteCount() - before < 8 << 20)
        }
    }

    @Test(.holds("SVC-7"))
    func `2,000 idle connections take 8 KiB each at most, also after requests of 60 KB`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let request =
                wire("POST /echo HTTP/1.1\nHost: a\nContent-Length: 60000\n\n")
                + [UInt8](repeating: 0x61, count: 60_000)
            func serve(_ client: TestClient) {
                client.send(request)
                #expect(client.answer()?.body.count == 60_000)
            }
            do { for _ in 0..<50 { serve(try server.client()) } }
            let before = try residentByteCount()
            let clients = try (0..<2_000).map { _ in try server.client() }
            for client in clients { serve(client) }
            let growth = try residentByteCount() - before
            #expect(growth < 2_000 * 8_192, "\(growth / 2_000) bytes each, those of the clients with them")
        }
    }

    @Test func `what a flood took of memory is given back once it is over`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            let request =
                wire("POST /echo HTTP/1.1\nHost: a\nContent-Length: 60000\n\n")
                + [UInt8](repeating: 0x61, count: 59_999)
            func ask() throws {
                let client = try server.client()
                client.send("GET /hello/a HTTP/1.1\nHost: a\n\n")
                #expect(client.answer()?.status == 200)
            }
            for _ in 0..<50 { try ask() }
            let before = try residentByteCount()
            do {
                let clients = try (0..<1_000).map { _ in try server.client() }
                for client in clients { client.send(request) }
                var most = 0
                // Until the server has read what was sent.
                while most < before + (40 << 20) { most = try residentByteCount() }
                withExtendedLifetime(clients) {}
            }
            var now = Int.max
            for _ in 0..<2_000 where now > before + (12 << 20) {
                usleep(10_000)
                now = try residentByteCount()
            }
            #expect(now <= before + (12 << 20), "\((now - before) >> 20) MiB more than before")
            try ask()
        }
    }
}

/// How many bytes of this process lie in memory.
private func residentByteCount() throws -> Int {
    let fields = try MemoryScan.lines(of: "/proc/self/statm")[0].split(separator: " ")
    return try #require(Int(fields[1])) * Int(getpagesize())
}
