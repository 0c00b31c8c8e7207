import Testing

@testable import ThumbturnHTTP

struct ServerTests {
    @Test func `a request is answered, and the connection goes on`() throws {
        let server = try TestServer()
        let client = try server.client()
        for name in ["one", "two"] {
            client.send("GET /hello/\(name) HTTP/1.1\nHost: a\n\n")
            let answer = try #require(client.answer())
            #expect(answer.status == 200)
            #expect(answer.text == "\"hello \(name)\"")
            #expect(answer.header("Content-Type") == "application/json")
            #expect(answer.header("Connection") == nil)
        }
    }
}
