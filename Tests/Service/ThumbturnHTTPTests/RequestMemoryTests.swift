import Glibc
import Testing

@testable import ThumbturnHTTP

/// What a scan of a whole process finds of requests and answers, once they went; in one of its own, where nothing else runs.
struct RequestMemoryTests {
    @Test(.holds("SVC-7")) func `neither content nor token nor answer is left in memory`() async {
        await #expect(processExitsWith: .success) {
            let secret = MaskedText.make()
            // A scan of the process may take longer than the rest of a request has.
            let server = try TestServer { $0.limits.graceMilliseconds = 3_600_000 }
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
            let patient = try TestServer {
                ($0.limits.headMilliseconds, $0.limits.graceMilliseconds) = (3_600_000, 3_600_000)
            }
            let hasty = try TestServer { ($0.limits.headMilliseconds, $0.limits.graceMilliseconds) = (300, 300) }
            #expect(try secret.traces() == 0)
            let (head, content) = (
                "GET /hello/a HTTP/1.1\nHost: a\n", "POST /echo HTTP/1.1\nHost: a\nContent-Length: 9000\n\n"
            )
            for (start, end, status) in [
                ("GET / HTTP/1.1\nHost: a\nHost: a\nX: ", "\n\n", 400),
                ("GET /none HTTP/1.1\nHost: a\nX: ", "\n\n", 404),
                (head + "X: ", "", 408), (content, "", 408), (head + "X: ", "", nil), (content, "", nil),
            ] as [(String, String, Int?)] {
                let client = try (status == 408 ? hasty : patient).client()
                var request = wire(start)
                secret.append(to: &request)
                request.appendWiping(wire(end))
                client.send(request)
                request.wipe()
                if let status {
                    // Who sent nothing is told nothing, so what came was read.
                    #expect(client.answer()?.status == status, "\(start)")
                } else {
                    // The server has it while it waits for the rest, before the client goes.
                    for _ in 0..<100 where try secret.traces() == 0 { usleep(50_000) }
                    #expect(try secret.traces() > 0, "\(start)")
                    withExtendedLifetime(client) {}
                }
            }
            waitUntil { patient.server.connectionCount + hasty.server.connectionCount == 0 }
            #expect(try secret.traces() == 0)
        }
    }
}
