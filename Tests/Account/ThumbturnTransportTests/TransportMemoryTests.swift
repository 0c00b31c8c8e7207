import Glibc
import Testing
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnHTTP
@testable import ThumbturnTransport

/// What a scan of a whole process finds of requests and answers, once they went; in one of its own, where nothing else runs.
///
/// The server is one of ours, in the same process, which keeps nothing of what went through it (`RequestMemoryTests`).
struct TransportMemoryTests {
    @Test func `neither token nor content nor answer is left in memory, without TLS`() async {
        await #expect(processExitsWith: .success) {
            try await expectNoTraces(of: { try EchoServer() }) { try .system(origin: "http://localhost:\($0)") }
        }
    }

    @Test func `nor with it`() async {
        await #expect(processExitsWith: .success) {
            let authority = try Authority()
            let files = try authority.certify("DNS:localhost")
            try await expectNoTraces(of: { try EchoServer(files) }) { port in
                try .system(origin: "https://localhost:\(port)", authority: authority.file, pin: authority.pin())
            }
        }
    }
}

/// Sends a text as token and content, hears it as answer, then too late, and looks for it.
private func expectNoTraces(
    of makeServer: () throws -> EchoServer,
    by makeTransport: (UInt16) throws -> AccountTransport
) async throws {
    let secret = MaskedText.make()
    #expect(try secret.traces() == 0)
    for (path, timeout, failure) in [("/", 60_000, nil), ("/slow", 3_000, TransportFailure.lost)] {
        let server = try makeServer()
        let transport = try makeTransport(server.port)
        let given = Given(secret)
        do throws(TransportFailure) {
            let token = given.token.take()
            let request = AccountRequest(.post, path, token: token, body: given.body, timeout: timeout)
            let answer = try await transport.roundTrip(request)
            #expect(answer.body.byteCount == given.body.count && failure == nil)
        } catch {
            #expect(error == failure)
        }
        #expect(try secret.traces() > 0)
        given.body.wipe()
        // The client has its answer before the server let go of all that it had.
        #expect(server.stop())
        #expect(try secret.traces() == 0)
    }
}

/// A token and a content, made on a thread that is gone: what it copied may lie in its registers, and so on its stack.
private final class Given: @unchecked Sendable {
    // Safe to share: the thread ended before anybody else looks.
    var token: SecretBytes?
    var body: [UInt8] = []

    init(_ secret: MaskedText) {
        let thread = TransferThread { [self] in
            secret.append(to: &body)
            token = unsafe SecretBytes(byteCount: body.count) { unsafe $0.copyBytes(from: body) }
            for _ in 1..<400 { secret.append(to: &body) }
        }
        thread?.join()
    }
}
