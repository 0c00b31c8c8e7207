import Glibc
import Synchronization
import ThumbturnFiles
import ThumbturnJSON

@testable import ThumbturnHTTP

/// The text with CR LF for each line feed, as bytes.
func wire(_ text: String) -> [UInt8] { text.utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } }

/// Reads a head from bytes that come in pieces of so many.
func readHead(_ bytes: [UInt8], inPiecesOf size: Int = .max) throws(Refusal) -> RequestHead? {
    var reader = HeadReader(limit: 8_192)
    var start = 0
    while start < bytes.count {
        let piece = Array(bytes[start...].prefix(size))
        var position = 0
        if let head = try reader.read(piece, from: &position) { return head }
        start += piece.count
    }
    return nil
}

/// Why a head is refused; nil where it is not.
func refusal(of text: String) -> Refusal? { refusal(of: wire(text)) }

func refusal(of bytes: [UInt8]) -> Refusal? {
    do throws(Refusal) {
        _ = try readHead(bytes)
        return nil
    } catch {
        return error
    }
}

/// The routes of the tests' server.
enum TestRoutes {
    static func document(_ name: String) -> Operation {
        Operation(name, "For tests.", answers: [.init(200, "Done.", schema: ["type": "string"])])
    }

    /// Answers with a copy of what came.
    static let echo = Route<Int>(.post, "/echo", maximumBody: 65_536, document: document("echo")) { request, _ in
        .now(HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], body: request.body.map { $0 }))
    }
    static let hello = Route<Int>(.get, "/hello/{name}", document: document("hello")) { request, worker in
        let name = request.parameters["name"] ?? ""
        return .now(HTTPResponse(status: 200, json: .string("hello " + name), headers: [("Worker", "\(worker)")]))
    }
    /// Waits for so many milliseconds before it answers.
    static let slow = Route<Int>(.get, "/slow/{milliseconds}", document: document("slow")) { request, _ in
        usleep(UInt32(request.parameters["milliseconds"] ?? "").map { $0 * 1_000 } ?? 0)
        return .now(HTTPResponse(status: 200, body: Array("slept".utf8)))
    }
    static let peer = Route<Int>(.get, "/peer", document: document("peer")) { request, _ in
        .now(HTTPResponse(status: 200, body: Array(request.peer.text.utf8)))
    }
    static let json = Route<Int>(
        .put,
        "/json",
        maximumBody: 128,
        contentType: "application/json",
        document: document("json")
    ) {
        _,
        _ in .now(HTTPResponse(status: 204))
    }

    /// Waits until its server is told to release it.
    static let held = Route<Int>(.get, "/held", document: document("held")) { _, _ in
        .now(HTTPResponse(status: 200, body: Array("released".utf8)))
    }

    static let router = Router([echo, hello, slow, peer, json, held])
}

/// A number that several threads raise.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add() { number.add(1, ordering: .relaxed) }
}

/// A server of `TestRoutes`, or of others, on a free port, which is stopped in the end.
final class TestServer {
    let server: HTTPServer
    private let begun = Counter()
    private let isReleased = Monitor(false)
    /// How many requests workers took up.
    var begunCount: Int { begun.count }
    /// How many answers were promised and not given.
    var outstandingCount: Int { server.core.outstandingCount.load(ordering: .relaxed) }
    /// How many bytes of content are counted.
    var contentByteCount: Int { server.core.load.contentBytes.value }

    init(
        workers: Int = 2,
        router: Router<Int> = TestRoutes.router,
        _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
        log: @escaping @Sendable (HTTPServer.Event) -> Void = { _ in }
    ) throws {
        var configuration = HTTPServer.Configuration()
        configuration.loops = 2
        configuration.workers = workers
        configure(&configuration)
        server = HTTPServer(configuration, admit: router.admit, log: log) { [begun, isReleased] worker in
            { request in
                begun.add()
                if request.path == "/held" { _ = isReleased.wait { $0 ? true : nil } }
                return router.answer(request, in: worker)
            }
        }
        try server.start()
    }

    deinit {
        release()
        server.stop(within: 0)
    }

    /// Lets whatever waits at `/held` be answered.
    func release() { isReleased.change(wakingAll: true) { $0 = true } }

    func client(from host: UInt32 = 1) throws -> TestClient { try TestClient(port: server.port, from: host) }
}

/// A client that writes what it is told, and waits for at most 20 seconds.
final class TestClient {
    struct Failure: Error {
        let number: CInt
    }

    struct Answer {
        let status: Int
        let head: String
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The member of a problem document.
        var code: String? {
            guard let document = try? JSON(reading: body, byteLimit: 65_536), case .string(let code)? = document["code"]
            else { return nil }
            return code
        }

        /// The value of a header field.
        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private let descriptor: CInt
    private var unread: [UInt8] = []

    /// - Parameters:
    ///   - host: which of this machine's own addresses it comes from, 127.0.0.`host`.
    ///   - socket: one that was made before; it is closed in the end.
    init(
        port: UInt16,
        from host: UInt32 = 1,
        over socket: CInt = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    ) throws {
        descriptor = socket
        guard descriptor >= 0 else { throw Failure(number: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var wait = timeval(tv_sec: 20, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var source = address
        (source.sin_port, source.sin_addr.s_addr) = (0, (0x7F00_0000 + host).bigEndian)
        unsafe withUnsafeBytes(of: &source) { bytes in
            _ = unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe bind(descriptor, $0.baseAddress, 16) }
        }
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe connect(descriptor, $0.baseAddress, 16) }
        }
        guard result == 0 else {
            let number = errno
            close(descriptor)
            throw Failure(number: number)
        }
    }

    deinit { close(descriptor) }

    /// Writes all; gives whether the other side took it.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Writes a text with CR LF for each line feed.
    @discardableResult
    func send(_ text: String) -> Bool { send(wire(text)) }

    /// Sends nothing more.
    func finishWriting() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Makes the connection end in a reset, as that of a client that crashed or lost interest.
    func breaksOff() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Reads an answer; nil where the connection ends before it is whole.
    func answer(toHead isHead: Bool = false) -> Answer? {
        guard let head = read(until: wire("\n\n")) else { return nil }
        let words = head.split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        let length = Answer(status: status, head: head, body: []).header("Content-Length").flatMap { Int($0) } ?? 0
        let wanted = isHead ? 0 : length
        while unread.count < wanted { guard readMore() else { return nil } }
        // A copy, so that an idle client keeps no room.
        defer { unread = Array(unread.dropFirst(wanted)) }
        return Answer(status: status, head: head, body: Array(unread.prefix(wanted)))
    }

    /// Reads at least so many bytes, and keeps none of them.
    func skip(atLeast byteCount: Int) -> Bool {
        var (left, buffer) = (byteCount, [UInt8](repeating: 0, count: 4_096))
        while left > 0 {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            left -= count
        }
        buffer.wipe()
        return left <= 0
    }

    /// Whether nothing has come.
    var hasNothing: Bool {
        var byte: UInt8 = 0
        return unsafe unread.isEmpty && recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) < 0
    }

    /// Whether the other side ends the connection, and sends nothing more before that.
    func ends() -> Bool {
        guard unread.isEmpty, !readMore() else { return false }
        return errno != EAGAIN
    }

    private func read(until end: [UInt8]) -> String? {
        while true {
            if let position = (0...max(0, unread.count - end.count)).first(where: { unread[$0...].starts(with: end) }) {
                defer { unread.removeFirst(position + end.count) }
                return String(decoding: unread.prefix(position + 2), as: UTF8.self)
            }
            guard readMore() else { return nil }
        }
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        errno = 0
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        unread += buffer[..<count]
        return true
    }
}
