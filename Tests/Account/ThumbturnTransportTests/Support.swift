import Foundation
import Glibc
import Synchronization
import Testing
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnTestKit
import ThumbturnTransport

/// What came back.
struct Answer: Equatable {
    let status: Int
    let retryAfter: Int?
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
}

func secret(_ text: String) -> SecretBytes {
    unsafe SecretBytes(byteCount: text.utf8.count) { unsafe $0.copyBytes(from: text.utf8) }
}

extension AccountTransport {
    /// One round trip.
    func ask(
        _ method: AccountRequest.Method = .get,
        _ path: String = "/",
        token: String? = nil,
        body: String = "",
        timeout: Int = 10_000
    ) async throws(TransportFailure) -> Answer {
        // Not `map`, which takes no closure that gives what can't be copied.
        var held: SecretBytes?
        if let token { held = secret(token) }
        let request = AccountRequest(method, path, token: held, body: Array(body.utf8), timeout: timeout)
        let response = try await roundTrip(request)
        let bytes = response.body.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        return Answer(status: response.status, retryAfter: response.retryAfter, body: bytes)
    }
}

/// Takes one connection after the other, keeps what it reads of each, and writes the same to all.
final class Peer: Sendable {
    struct Failure: Error {}

    /// How a connection goes on once the answer is written.
    enum End { case close, wait }

    let port: UInt16
    private let listener: CInt
    private let company: Int
    private let heard = Mutex<[String]>([])
    private let departures = Mutex<[Bool]>([])

    /// What came, a text for each connection.
    var requests: [String] { heard.withLock { $0 } }
    var origin: String { "http://127.0.0.1:\(port)" }

    /// Whether the first that came was gone before it had all, once that is known.
    var lostItsFirst: Bool {
        get async throws {
            while true {
                if let gone = departures.withLock({ $0.first }) { return gone }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// - Parameters:
    ///   - pieces: what is written, with a hundredth of a second between two.
    ///   - company: how many have to have come before any of them is answered.
    init(_ pieces: [String], then end: End = .close, once company: Int = 1) throws {
        self.company = company
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe bind(listener, address, length) == 0, listen(listener, 16) == 0 else { return CInt(-1) }
                return unsafe getsockname(listener, address, &length)
            }
        }
        guard status == 0 else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve(pieces, end) }
    }

    /// Takes no more.
    func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ pieces: [String], _ end: End) {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            heard.withLock { $0.append("") }
            Thread.detachNewThread { [self] in
                read(from: connection, into: requests.count - 1)
                while requests.count < company { usleep(5_000) }
                var gone = false
                for piece in pieces where !gone {
                    let bytes = Array(piece.utf8)
                    gone = unsafe send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL)) < 0
                    usleep(10_000)
                }
                // Longer than any test waits for its turn on a busy machine.
                if end == .wait { gone = leaves(connection, within: 600) }
                departures.withLock { $0.append(gone) }
                close(connection)
            }
        }
    }

    /// Whether the other side goes in that many seconds.
    private func leaves(_ connection: CInt, within seconds: Int) -> Bool {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        unsafe setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var byte: UInt8 = 0
        while true {
            let count = unsafe recv(connection, &byte, 1, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
            if count < 0 && errno != EINTR { return false }
        }
    }

    /// Reads a head, and content as long as it says.
    private func read(from connection: CInt, into index: Int) {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while case let count = unsafe recv(connection, &buffer, buffer.count, 0), count > 0 {
            bytes += buffer[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            heard.withLock { $0[index] = text }
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let named = text.range(of: "(?<=Content-Length: )[0-9]+", options: .regularExpression)
            let length = named.flatMap { Int(text[$0]) } ?? 0
            if text[end.upperBound...].utf8.count >= length { return }
        }
    }
}

/// A server of ours that says back what it got, and at `/slow` not before it is stopped.
final class EchoServer: Sendable {
    private let server: HTTPServer
    private let isStopped = Flag()
    var port: UInt16 { server.port }

    init(_ files: HTTPServer.Configuration.TLSFiles? = nil) throws {
        var configuration = HTTPServer.Configuration()
        configuration.tls = files
        server = HTTPServer(configuration, admit: { _ in .admitted(maximumBody: 65_536) }) { [isStopped] _ in
            { request in
                while request.path == "/slow", !isStopped.isRaised { usleep(5_000) }
                return .now(HTTPResponse(status: 200, body: request.body.map { $0 }))
            }
        }
        try server.start()
    }

    deinit {
        isStopped.raise()
        server.stop(within: 0)
    }

    /// Ends what waits, and then the threads; gives whether all of them ended.
    func stop() -> Bool {
        isStopped.raise()
        return server.stop(within: 20)
    }
}

/// What one thread raises and others see.
private final class Flag: Sendable {
    private let raised = Atomic<Bool>(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() { raised.store(true, ordering: .releasing) }
}
