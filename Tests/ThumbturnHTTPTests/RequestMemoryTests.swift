import Glibc
import Testing

@testable import ThumbturnHTTP

/// What a scan of a whole process finds of requests and answers, once they went; in one of its own, where nothing else runs.
struct RequestMemoryTests {
    @Test(.holds("SVC-7")) func `neither content nor token nor answer is left in memory`() async {
        await #expect(processExitsWith: .success) {
            let secret = MaskedText.make()
            let server = try TestServer()
            #expect(try secret.traces() == 0)
            for isChunked in [false, true] {
                let client = try server.client()
                // In pieces, so that what was read has to grow and to move.
                for half in 0..<2 {
                    var request = secret.request(isChunked: isChunked, half: half)
                    client.send(request)
                    request.wipe()
                    usleep(20_000)
                }
                for _ in 0..<100 where try secret.traces() == 0 { usleep(50_000) }
                #expect(try secret.traces() > 0)
                client.send(isChunked ? wire("\n0\n\n") : Array("end".utf8))
                #expect(client.skip(atLeast: 2 * 200 * 48))
            }
            // The client has its answer before the server let go of all that it had.
            waitUntil { server.server.connectionCount == 0 }
            #expect(try secret.traces() == 0)
        }
    }

    @Test(.holds("SVC-7")) func `nor is what was refused or cut off`() async {
        await #expect(processExitsWith: .success) {
            let secret = MaskedText.make()
            let server = try TestServer { $0.limits.headMilliseconds = 5_000 }
            #expect(try secret.traces() == 0)
            for (start, end, status) in [
                ("GET / HTTP/1.1\nHost: a\nHost: a\nX: ", "\n\n", 400),
                ("GET /none HTTP/1.1\nHost: a\nX: ", "\n\n", 404),
                ("GET /hello/a HTTP/1.1\nHost: a\nX: ", "", 408),
                ("POST /echo HTTP/1.1\nHost: a\nContent-Length: 9000\n\n", "", nil),
            ] as [(String, String, Int?)] {
                let client = try server.client()
                var request = wire(start)
                secret.append(to: &request)
                request.appendWiping(wire(end))
                client.send(request)
                request.wipe()
                if end.isEmpty {
                    // The server waits for the rest, and has what came.
                    for _ in 0..<100 where try secret.traces() == 0 { usleep(20_000) }
                    #expect(try secret.traces() > 0, "\(start)")
                }
                // Whoever is told nothing goes by himself.
                if let status { #expect(client.answer()?.status == status, "\(start)") }
            }
            waitUntil { server.server.connectionCount == 0 }
            #expect(try secret.traces() == 0)
        }
    }
}
