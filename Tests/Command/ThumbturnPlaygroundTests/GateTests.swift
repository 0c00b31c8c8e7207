import Foundation
import Testing
import ThumbturnJSON

@Suite struct GateTests {
    @Test func `a request from elsewhere is forbidden, also one that waits`() throws {
        let played = try Played()
        let revision = try played.send("GET", "/state").json?["revision"]?.number ?? 0
        let (host, cookie) = (
            ("Host", "127.0.0.1:\(played.port)"), ("Cookie", "playground-\(played.port)=\(played.token)")
        )
        let origin = ("Origin", "http://127.0.0.1:\(played.port)")
        let foreign: [(String, [(String, String)])] = [
            ("no token", [host, origin]),
            (
                "another token",
                [host, origin, ("Cookie", "playground-\(played.port)=\(String(repeating: "A", count: 22))")]
            ),
            ("part of the token", [host, origin, ("Cookie", "playground-\(played.port)=\(played.token.dropLast())")]),
            ("another cookie", [host, origin, ("Cookie", "other=\(played.token)")]),
            ("the token as another's", [host, origin, ("Cookie", "xplayground-\(played.port)=\(played.token)")]),
            ("a rebound name", [("Host", "evil.example:\(played.port)"), origin, cookie]),
            (
                "a rebound name whose page asks",
                [("Host", "evil.example:\(played.port)"), ("Origin", "http://evil.example:\(played.port)"), cookie]
            ),
            ("a rebound name that is shown", [("Host", "evil.example:\(played.port)"), cookie]),
            ("another port", [("Host", "127.0.0.1:1"), origin, cookie]),
            ("no port", [("Host", "127.0.0.1"), origin, cookie]),
            ("another site", [host, ("Origin", "https://evil.example"), cookie]),
            ("a sandboxed frame", [host, ("Origin", "null"), cookie]),
            ("another name of this machine", [host, ("Origin", "http://localhost:\(played.port)"), cookie]),
            ("two origins", [host, origin, ("Origin", "https://evil.example"), cookie]),
        ]
        for (name, headers) in foreign {
            for (method, path) in [
                ("GET", "/"), ("GET", "/page.js"), ("GET", "/state"), ("GET", "/state?after=\(revision)"),
                ("GET", "/nowhere"), ("POST", "/act"), ("POST", "/world"), ("POST", "/kill"), ("POST", "/start"),
                ("POST", "/verify"), ("POST", "/thief"),
            ] {
                let answered = try played.send(method, path, headers: headers)
                #expect(answered.status == 403 && answered.code == "FORBIDDEN", "\(name): \(method) \(path)")
                #expect(answered.headers["set-cookie"] == nil)
            }
        }
        #expect(try played.state().at("app.isRunning")?.isTrue == true)
    }

    @Test func `what changes something needs an origin, what shows something does not`() throws {
        let played = try Played()
        let bare = played.own.filter { $0.0 != "Origin" }
        #expect(try played.send("GET", "/state", headers: bare).status == 200)
        #expect(try played.send("POST", "/kill", headers: bare).status == 403)
        let local = [
            ("Host", "localhost:\(played.port)"), ("Origin", "http://localhost:\(played.port)"),
            ("Cookie", "other=1; playground-\(played.port)=\(played.token)"),
        ]
        #expect(try played.send("POST", "/start", headers: local).status == 200)
    }

    @Test func `the token moves out of the address into a cookie that scripts and other sites do not get`() throws {
        let played = try Played()
        let host = [("Host", "127.0.0.1:\(played.port)")]
        let answered = try played.send("GET", "/?token=\(played.token)", headers: host)
        #expect(answered.status == 303 && answered.headers["location"] == "/" && answered.body.isEmpty)
        #expect(
            answered.headers["set-cookie"]
                == "playground-\(played.port)=\(played.token); HttpOnly; SameSite=Strict; Path=/"
        )
        #expect(played.token.utf8.count == 22)
        for query in ["token=", "token=\(played.token)x", "other=\(played.token)", "\(played.token)", ""] {
            #expect(try played.send("GET", "/?\(query)", headers: host).status == 403, "\(query)")
        }
        let page = try played.send("GET", "/")
        #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(!page.text.contains(played.token))
    }

    @Test func `every answer tells the browser what it must not do`() throws {
        let played = try Played()
        let answers = [
            try played.send("GET", "/"), try played.send("GET", "/page.js"), try played.send("GET", "/page.css"),
            try played.send("GET", "/tours.json"), try played.send("GET", "/state"),
            try played.send("GET", "/nowhere"), try played.send("PUT", "/act"), try played.send("POST", "/act"),
            try played.send("GET", "/", headers: [("Host", "evil.example")]),
            try played.send("POST", "/world", body: Array(#"{"word":"unlock-device"}"#.utf8)),
        ]
        #expect(answers.map(\.status) == [200, 200, 200, 200, 200, 404, 405, 400, 403, 200])
        for answered in answers {
            #expect(answered.headers["cache-control"] == "no-store")
            #expect(answered.headers["x-content-type-options"] == "nosniff")
            #expect(
                answered.headers["content-security-policy"] == """
                    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                    form-action 'none'; frame-ancestors 'none'; base-uri 'none'
                    """
            )
        }
    }
}
