import Glibc
import Testing
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

/// A service of a test's own endpoints, beside those of a room, with the room's store, clock and log.
struct EndpointRoom {
    let room: ServiceRoom
    let service: Service

    init(_ endpoints: [Endpoint]) throws {
        room = try ServiceRoom()
        let router = Router<Worker>(endpoints.map(\.route)) { $0.problem.uncached }
        let (lines, clock) = (room.lines, room.clock)
        service = Service(
            room.service.configuration,
            keys: room.service.accounts.keys,
            log: ServiceLog { lines.add($0) },
            clock: { clock.now },
            router: router,
            document: API.document(of: router, version: "0")
        )
    }

    /// What a worker of its own answers.
    func answer(_ request: HTTPRequest) throws -> HTTPAnswer {
        try Worker(service, store: room.room.open()).answer(request)
    }

    /// What the document says of a call.
    func operation(_ method: String, _ route: String) throws -> JSON {
        let document = try JSON(reading: service.document, byteLimit: service.document.count)
        return try #require(document["paths"]?[route]?[method])
    }

    /// Serves the endpoints with one worker while `body` runs, which gets the port.
    func serve(_ body: (UInt16) throws -> Void) throws {
        var configuration = HTTPServer.Configuration()
        configuration.workers = 1
        let (service, location) = (service, room.room.location)
        let server = HTTPServer(configuration, admit: service.router.admit, problem: service.refuse) { _ in
            Worker(service, store: try location.open()).answer
        }
        try server.start()
        defer { server.stop(within: 0) }
        try body(server.port)
    }

    /// The counts, one a line.
    var counts: [Substring] { String(decoding: service.metricsAnswer.body, as: UTF8.self).split(separator: "\n") }
}

/// Sends one request over a connection of its own, and gives what was answered until that ended.
func answer(at port: UInt16, to head: [String], _ content: [UInt8]) throws -> String {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(connection) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    (place.sin_port, place.sin_addr.s_addr) = (port.bigEndian, UInt32(0x7F00_0001).bigEndian)
    let isConnected = unsafe withUnsafeBytes(of: &place) { bytes in
        unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe connect(connection, $0.baseAddress, 16) } == 0
    }
    try #require(isConnected)
    let lines = head + ["Host: a", "Connection: close", "Content-Length: \(content.count)", "", ""]
    let request = Array(lines.joined(separator: "\r\n").utf8) + content
    var sent = 0
    while sent < request.count {
        let rest = Array(request[sent...])
        let count = unsafe Glibc.send(connection, rest, rest.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { break }
        sent += count
    }
    var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = unsafe recv(connection, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
    return String(decoding: answer, as: UTF8.self)
}
