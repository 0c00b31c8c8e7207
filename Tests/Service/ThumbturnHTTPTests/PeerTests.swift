import Testing
import ThumbturnTestKit

@testable import ThumbturnHTTP

/// Clients that nobody here wrote.
struct PeerTests {
    @Test func `curl sends content in chunks, and reads why it is refused`() throws {
        let folder = try TemporaryFolder()
        let server = try TestServer()
        let url = "http://127.0.0.1:\(server.server.port)/echo"
        let content = String(repeating: "0123456789", count: 6_000)
        try folder.write(Array(content.utf8), to: "content")
        try folder.write([UInt8](repeating: 0x61, count: 10 << 20), to: "large")
        let chunked = ["curl", "-sS", "-H", "Transfer-Encoding: chunked", "--data-binary"]
        #expect(try Command(chunked + ["@\(folder.file("content"))", url]).text == content)
        let asked = ["curl", "-sS", "-o", folder.file("answer"), "-w", "%{http_code} %{content_type}"]
        for framing in [[], ["-H", "Transfer-Encoding: chunked"], ["-H", "Expect:"]] {
            let words = asked + framing + ["--data-binary", "@\(folder.file("large"))", url]
            #expect(try Command(words).text == "413 application/problem+json", "\(framing)")
        }
        let absolute = try Command(
            "curl",
            "-sS",
            "-x",
            "http://127.0.0.1:\(server.server.port)",
            "http://anywhere/hello/a"
        )
        #expect(absolute.text == "\"hello a\"")
        #expect(try Command("curl", "-sS", "--http1.0", url.replacing("echo", with: "hello/b")).text == "\"hello b\"")
        let head = try Command("curl", "-sS", "-I", url.replacing("echo", with: "hello/b"))
        #expect(head.text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
    }

    @Test func `Python's client gets all its answers on one connection`() throws {
        let server = try TestServer()
        let script = """
            import http.client
            c = http.client.HTTPConnection("127.0.0.1", \(server.server.port))
            def ask(*words, **more):
                c.request(*words, **more)
                answer = c.getresponse()
                print(answer.status, len(answer.read()), answer.getheader("Connection"))
            ask("GET", "/hello/a")
            ask("POST", "/echo", body=b"x" * 60000)
            ask("POST", "/echo", body=iter([b"x" * 1000] * 60), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
            ask("HEAD", "/hello/a")
            ask("GET", "/nowhere")
            ask("PUT", "/json", body=b"{}", headers={"Content-Type": "application/json"})
            ask("POST", "/echo", body=b"x" * 10000000)
            """
        let printed = try Command("python3", "-c", script).text.split(separator: "\n").map(String.init)
        try #require(printed.count == 7, "\(printed)")
        #expect(printed[..<4] == ["200 9 None", "200 60000 None", "200 60000 None", "405 0 None"])
        #expect(printed[4].hasPrefix("404 ") && printed[4].hasSuffix(" None"))
        #expect(printed[5] == "204 0 None")
        #expect(printed[6].hasPrefix("413 ") && printed[6].hasSuffix(" close"))
    }
}
