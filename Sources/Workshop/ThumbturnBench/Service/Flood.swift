import CTLS
import Glibc
import Synchronization
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnHTTP

/// 512 connections from one address that send requests without a pause, and reconnect when they are closed.
///
/// A third of the requests starts logins, a third sends proofs for handshakes that do not exist, which writes too, and
/// a third asks for something cheap. The connections stay in 127.0.0.0/8.
final class Flood: @unchecked Sendable {
    // Safe to share: only the thread uses the connections; `isOn` and `answers` are atomic.
    private static let size = 512

    private let port: UInt16
    private let isOn = Atomic<Bool>(false)
    private let answers = Atomic<Int>(0)
    private var connections: [pollfd] = []

    init(of port: UInt16) throws {
        self.port = port
        connections = (0..<Self.size).map { _ in pollfd(fd: -1, events: Int16(POLLIN), revents: 0) }
        // The thread ends once the flood is released.
        guard SystemThread({ [weak self] in while let self { self.step() } }) != nil else {
            throw BenchError(what: "no more threads")
        }
    }

    deinit { for connection in connections where connection.fd >= 0 { close(connection.fd) } }

    /// Starts the flood, and returns once it has an effect; or stops it, and returns once the service is idle.
    func turn(on: Bool) throws {
        isOn.store(on, ordering: .relaxed)
        let before = answers.load(ordering: .relaxed)
        for _ in 0..<10_000 where on && answers.load(ordering: .relaxed) < before + 64 { usleep(1_000) }
        // By then the last requests are answered, and the burst allowed after a rest is used up.
        usleep(on ? 400_000 : 100_000)
    }

    private func step() {
        guard isOn.load(ordering: .relaxed) else {
            usleep(500)
            return
        }
        for index in connections.indices where connections[index].fd < 0 { open(index) }
        guard unsafe poll(&connections, nfds_t(connections.count), 5) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        for index in connections.indices where connections[index].revents != 0 {
            let count = unsafe recv(connections[index].fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                answers.add(1, ordering: .relaxed)
                ask(index)
            } else if count == 0 || errno != EAGAIN {
                answers.add(1, ordering: .relaxed)
                close(connections[index].fd)
                connections[index].fd = -1
            }
        }
    }

    private func open(_ index: Int) {
        guard let connection = try? LoopbackConnection.open(to: port, from: 2) else { return }
        connections[index].fd = connection
        ask(index)
    }

    private func ask(_ index: Int) {
        let request = Self.requests[index % Self.requests.count]
        _ = unsafe send(connections[index].fd, request, request.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    private static let requests: [[UInt8]] = [
        LoopbackConnection.request(
            "POST",
            "/v1/login",
            Array(#"{"account":"flood","A":"\#(String(repeating: "0", count: 767))2"}"#.utf8)
        ),
        LoopbackConnection.request(
            "POST",
            "/v1/login/\(String(repeating: "0", count: 32))",
            Array(#"{"M1":"\#(String(repeating: "0", count: 64))"}"#.utf8)
        ),
        LoopbackConnection.request("GET", "/healthz", []),
    ]
}

/// Connections between two of this machine's loopback addresses.
enum LoopbackConnection {
    /// Opens a connection to 127.0.0.1 from 127.0.0.`host`.
    static func open(to port: UInt16, from host: UInt32) throws -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isOpen =
            unsafe connection >= 0 && use(bind, connection, host, 0) && use(connect, connection, 1, port)
        guard isOpen else {
            if connection >= 0 { close(connection) }
            throw BenchError(what: "no connection on this machine")
        }
        return connection
    }

    private static func use(
        _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32,
        _ connection: Int32,
        _ host: UInt32,
        _ port: UInt16
    ) -> Bool {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        (place.sin_port, place.sin_addr.s_addr) = (port.bigEndian, (0x7F00_0000 + host).bigEndian)
        return unsafe withUnsafeBytes(of: &place) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) {
                unsafe call(connection, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Returns the bytes of a request.
    static func request(_ method: String, _ path: String, _ body: [UInt8]) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: a\r\n"
        if !body.isEmpty { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// Sends a request over a new connection.
    ///
    /// - Returns: the status and the body.
    static func ask(_ port: UInt16, from host: UInt32, _ path: String, _ body: [UInt8]) throws -> (Int, [UInt8]) {
        let connection = try open(to: port, from: host)
        defer { close(connection) }
        let request = request("POST", path, body)
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16_384))
        var yes: Int32 = 1
        _ = unsafe setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw BenchError(what: "the service hung up")
        }
        shutdown(connection, Int32(SHUT_WR))
        while case let count = unsafe recv(connection, &buffer, buffer.count, 0), count > 0 {
            answer += buffer[..<count]
        }
        let end = answer.indices.first { answer[$0...].starts(with: "\r\n\r\n".utf8) }
        guard let end, let status = Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) else {
            throw BenchError(what: "the service gives no answer")
        }
        return (status, Array(answer[(end + 4)...]))
    }
}
