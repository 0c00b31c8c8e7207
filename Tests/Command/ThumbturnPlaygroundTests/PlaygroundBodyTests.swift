import Testing
import ThumbturnAccountUI
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

@testable import ThumbturnPlayground

@Suite struct PlaygroundBodyTests {
    @Test func `a content that is too long, cut, doubled or no JSON is refused by name`() throws {
        let played = try Played()
        let lock = #"{"act":{"name":"lock","screen":"unlock"}}"# + "\n"
        let enter = #"{"act":{"name":"submitSecret","screen":"unlock","secret":"taken"}}"# + "\n"
        let thief = #"{"secret":"taken"}"# + "\n"
        for (path, body, status, code) in [
            ("/act", String(repeating: "a", count: 1 << 20), 413, "BODY_TOO_LARGE"),
            ("/world", String(repeating: "a", count: 1 << 20), 413, "BODY_TOO_LARGE"),
            ("/verify", String(repeating: "a", count: 1 << 20), 413, "BODY_TOO_LARGE"),
            ("/act", "", 400, "LINE_OPEN"), ("/act", String(lock.dropLast()), 400, "LINE_OPEN"),
            ("/act", lock.dropLast(3) + "\n", 400, "NOT_JSON"), ("/act", "\n" + lock, 400, "NOT_JSON"),
            ("/act", lock + lock, 400, "SECRET_UNEXPECTED"), ("/act", lock + "493817", 400, "SECRET_UNEXPECTED"),
            ("/act", enter, 400, "SECRET_MISSING"),
            ("/act", enter + String(repeating: "7", count: 4_097), 400, "SECRET_TOO_LONG"),
            ("/act", #"{"act":{"name":"open","screen":"unlock"}}"# + "\n", 400, "UNKNOWN_ACTION"),
            ("/act", #"{"act":{"name":"open","screen":"door"}}"# + "\n", 400, "UNKNOWN_SCREEN"),
            ("/act", #"{"act":{"name":"lock","screen":"unlock","x":1}}"# + "\n", 400, "MEMBER_UNKNOWN"),
            ("/act", #"{"name":"lock","screen":"unlock"}"# + "\n", 400, "MEMBER_WRONG"),
            ("/world", "", 400, "NOT_JSON"), ("/world", "{}", 400, "MEMBER_WRONG"),
            ("/world", #"{"word":"open sesame"}"#, 400, "UNKNOWN_WORD"),
            ("/world", #"{"word":"reboot reboot"}"#, 400, "UNKNOWN_WORD"),
            ("/start", #"{"new":1}"#, 400, "MEMBER_WRONG"), ("/start", #"{"old":true}"#, 400, "MEMBER_WRONG"),
            ("/start", #"{"account":true,"new":true}"#, 400, "MEMBER_WRONG"), ("/kill", "[]", 400, "MEMBER_WRONG"),
            ("/verify", "nothing", 400, "NOT_JSON"), ("/thief", thief, 400, "SECRET_MISSING"),
            ("/thief", #"{"pins":["1"]}"# + "\n1", 400, "MEMBER_WRONG"), ("/thief", "{}", 400, "LINE_OPEN"),
            ("/thief", thief + (1...9).map(String.init).joined(separator: "\n"), 400, "TOO_MANY"),
            ("/thief", thief + String(repeating: "7", count: 4_097), 400, "SECRET_TOO_LONG"),
        ] as [(String, String, Int, String)] {
            let answered = try played.send("POST", path, body: Array(body.utf8))
            #expect(answered.status == status && answered.code == code, "\(path) \(body.prefix(80)): \(answered.text)")
        }
        for (query, status) in [("after=x", 400), ("after=", 400), ("before=1", 400), ("after=1&after=2", 400)] {
            #expect(try played.send("GET", "/state?\(query)").status == status)
        }
        // A content that ends before its length.
        let connection = try Connection(port: played.port)
        let fields = played.own.map { "\($0.0): \($0.1)\r\n" }.joined()
        connection.send(Array("POST /act HTTP/1.1\r\nConnection: close\r\n\(fields)Content-Length: 99\r\n\r\n{".utf8))
        connection.endSending()
        #expect([0, 400, 408].contains(connection.receive().status))
        #expect(try played.state().at("app.isRunning")?.isTrue == true)
    }

    @Test func `each action goes over the wire and comes back the same`() throws {
        for action in AppAction.samples.map(PhoneAction.app) + [
            .screen(.unlock(.lock)), .screen(.system(.agree)), .account(.entry(.choose(.register))),
            .account(.password(.submitSecret)),
        ] {
            let line = PhoneLine(7, .act(action))
            #expect(line.bytes.last == 0x0A && !line.bytes.dropLast().contains(0x0A))
            let read = try #require(PhoneLine(reading: line.bytes.dropLast()))
            guard case .act(let other) = read.order else {
                Issue.record("\(action)")
                continue
            }
            #expect(other == action && read.id == 7 && read.takesSecret == action.takesSecret)
        }
        #expect(PhoneLine(reading: Array(#"{"act":{"name":"open","screen":"unlock"},"id":7}"#.utf8)) == nil)
    }
}

extension AppAction {
    /// One of each.
    static let samples: [AppAction] =
        [
            .appBecame(.background), .language(.french), .exportTrail, .migrate,
        ] + CredentialAction.allCases.map(credentials) + ElsewhereAction.allCases.map(elsewhere)
}
