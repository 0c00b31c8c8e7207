import Testing
import ThumbturnHTTP

@testable import ThumbturnService

/// A service with logs that a test fills, and an auditor.
final class AuditRoom {
    let service: ServiceRoom
    let logs: [TestLog]
    let token: String

    var log: TestLog { logs[0] }

    init(_ backing: Backing, logs count: Int = 1, showsTiles: Bool = false) throws {
        service = try ServiceRoom(backing, showsTiles: showsTiles)
        logs = try TestLog.all(count, in: service.room.open())
        let name = try #require(AuditorName("siem"))
        token = try #require(try Auditors.create(name, in: service.room.open()))
    }

    func client() throws -> TestClient { try service.client() }
}

/// An auditor's program that polls.
struct Poller {
    let client: TestClient
    let token: String
    var device = ""
    var cursor = ""
    /// All lines that came, in order.
    private(set) var lines: [String] = []

    init(_ room: AuditRoom, device: String = "") throws {
        (client, token, self.device) = (try room.client(), room.token, device)
    }

    /// Reads a page.
    ///
    /// - Returns: how many lines it had.
    @discardableResult
    mutating func poll() throws -> Int {
        let reply = try client.send(.get, "/v1/audit/events?device=\(device)&after=\(cursor)", token: token)
        try #require(reply.status == 200, "\(reply.code ?? "")")
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        let new = text.split(separator: "\n").map(String.init)
        let next = try #require(reply.header("Thumbturn-Cursor"))
        if new.isEmpty, !cursor.isEmpty { #expect(next == cursor) }
        (lines, cursor) = (lines + new, next)
        return new.count
    }

    /// Reads until nothing is left.
    mutating func pollAll() throws { while try poll() > 0 {} }
}
