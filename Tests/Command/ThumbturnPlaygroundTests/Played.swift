import Foundation
import Testing
import ThumbturnConsole
import ThumbturnJSON
import ThumbturnTestKit

#if canImport(Glibc)
import Glibc
#endif

/// A playground for one test, as `thumbturn playground --json` is one; it ends with the value.
final class Played {
    static let pin = "493817260584"
    static let wrongPIN = "730001264859"
    static let password = "correct horse 41 battery"
    static let newPassword = "another staple 73 horse"
    /// Published with BIP-39's test vectors.
    static let mnemonic = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"

    /// What the playground may write to.
    let folder = try? TemporaryFolder()
    let port: UInt16
    let token: String
    /// All that a page was told, for a scan.
    private(set) var told: [UInt8] = []
    private let child: Running

    /// `RunningChild` can't be copied, nor kept in a class that lends it.
    private final class Running {
        let child: RunningChild
        init(_ child: consuming RunningChild) { self.child = child }
    }

    /// - Parameter program: the playground's program, beside which it looks for the others.
    init(_ program: String = program) throws {
        let scratch = try #require(folder?.file("scratch"))
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        let child = try RunningChild(
            program,
            ["--json"],
            environment: [
                "TMPDIR=" + scratch, "SWIFT_BACKTRACE=enable=no",
                "THUMBTURN_MUTANT=" + (ProcessInfo.processInfo.environment["THUMBTURN_MUTANT"] ?? "0"),
            ],
            hasSecrets: false
        )
        var line: [UInt8] = []
        while !line.contains(0x0A), child.output.readOn(into: &line) {}
        let address = try #require(JSON(reading: line, byteLimit: 1_024)["address"]?.text)
        let parts = try #require(URLComponents(string: address))
        port = UInt16(try #require(parts.port))
        token = try #require(parts.queryItems?.first { $0.name == "token" }?.value)
        self.child = Running(child)
    }

    static let program = Bundle.main.bundleURL.appendingPathComponent("thumbturn-playground").path

    var scratch: String { folder?.file("scratch") ?? "" }
    /// What it has written there; not what is in folders.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: scratch)) ?? [] }
    var process: pid_t { child.child.process }

    /// Waits until something holds.
    ///
    /// - Returns: whether it did in that many seconds.
    func endsWithin(_ seconds: Double, _ condition: () -> Bool) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while !condition() {
            guard Date() < end else { return false }
            usleep(20_000)
        }
        return true
    }

    /// The phone's process; nil while the app does not run.
    var phone: pid_t? { child { $0.dropFirst().first == "phone" } }

    /// The process of the account service; nil while it does not run.
    var service: pid_t? { child { $0.first?.hasSuffix("/thumbturnd") == true } }

    /// Every process that this one has started, and what those have.
    private var children: [pid_t] {
        let own = Self.children(of: process)
        return own + own.flatMap { Self.children(of: $0) }
    }

    private func child(_ isMeant: ([String]) -> Bool) -> pid_t? {
        children.first { process in
            let line = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline"))) ?? Data()
            return isMeant(line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        }
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.flatMap { thread in
            let path = "/proc/\(process)/task/\(thread)/children"
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The processor time that it and all it started have used, in clock ticks, by process.
    func ticks() throws -> [pid_t: Int] {
        var used: [pid_t: Int] = [:]
        for process in [process] + children {
            let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            // Behind the name, which is in brackets: user and system time are the 12th and 13th.
            let fields = try #require(text.split(separator: ")").last).split(separator: " ").compactMap { Int($0) }
            try #require(fields.count > 11)
            used[process] = fields[10] + fields[11]
        }
        return used
    }

    /// The fields of a request of the page.
    var own: [(String, String)] {
        [
            ("Host", "127.0.0.1:\(port)"), ("Origin", "http://127.0.0.1:\(port)"),
            ("Cookie", "playground-\(port)=\(token)"),
        ]
    }

    func open(
        _ method: String,
        _ path: String,
        headers: [(String, String)]? = nil,
        body: [UInt8] = []
    ) throws -> Connection {
        let connection = try Connection(port: port)
        var head = "\(method) \(path) HTTP/1.1\r\nConnection: close\r\n"
        for (name, value) in headers ?? own { head += "\(name): \(value)\r\n" }
        if method == "POST" { head += "Content-Length: \(body.count)\r\n" }
        connection.send(Array((head + "\r\n").utf8) + body)
        return connection
    }

    @discardableResult
    func send(
        _ method: String,
        _ path: String,
        headers: [(String, String)]? = nil,
        body: [UInt8] = []
    ) throws -> Answered {
        let answered = try open(method, path, headers: headers, body: body).receive()
        told += answered.body
        return answered
    }

    /// Posts an action, and what comes beside it.
    @discardableResult
    func act(_ action: String, _ secret: String = "") throws -> Answered {
        try send("POST", "/act", body: Array("{\"act\":\(action)}\n\(secret)".utf8))
    }

    @discardableResult
    func world(_ word: String) throws -> Answered {
        try send("POST", "/world", body: Array("{\"word\":\"\(word)\"}".utf8))
    }

    /// Has a thief try PINs.
    @discardableResult
    func rob(with pins: [String]) throws -> Answered {
        try send("POST", "/thief", body: Array("{\"secret\":\"taken\"}\n\(pins.joined(separator: "\n"))".utf8))
    }

    /// The state now.
    func state() throws -> JSON { try #require(send("GET", "/state").json?["state"]) }

    /// Waits for a state with this value.
    func until(
        _ path: String,
        is expected: String?,
        at location: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        try until("\(path) never was \(expected ?? "nothing")", at: location) { state in
            let found = state.at(path)
            return found?.text == expected && (expected != nil || found?.isNull ?? true)
        }
    }

    /// Waits for a state.
    ///
    /// - Parameter complaint: what to say after a minute without it.
    func until(
        _ complaint: String,
        at location: SourceLocation = #_sourceLocation,
        _ condition: (JSON) -> Bool
    ) throws -> JSON {
        var revision: Int64?
        let end = Date().addingTimeInterval(60)
        while Date() < end {
            let answer = try send("GET", "/state" + (revision.map { "?after=\($0)" } ?? "")).json
            revision = answer?["revision"]?.number
            guard let state = answer?["state"] else { continue }
            if condition(state) { return state }
        }
        Issue.record("\(complaint)", sourceLocation: location)
        throw CancellationError()
    }

    /// Starts over, and makes an account and its vault with the password, without biometrics unless they are asked for.
    func makeAccount(biometrics: Bool = false) throws {
        try send("POST", "/start", body: Array(#"{"account":true}"#.utf8))
        _ = try until("host.screens.accountEntry.step", is: "way")
        try act(#"{"screen":"accountEntry","name":"choose","way":"register"}"#)
        try act(#"{"screen":"accountEntry","name":"enterName","account":"ada"}"#)
        for step in ["password", "repeated"] {
            _ = try until("host.screens.accountEntry.step", is: step)
            try act(#"{"screen":"accountEntry","name":"submitSecret","secret":"taken"}"#, Self.password)
        }
        _ = try until("host.screens.accountEntry.step", is: "offer")
        try act(#"{"screen":"accountEntry","name":"answerOffer","consent":\#(biometrics)}"#)
        _ = try until("host.screens.unlock.screen.name", is: "content")
    }

    /// Makes a vault with the PIN, without biometrics unless they are asked for, and stays in its session.
    func makeVault(biometrics: Bool = false) throws {
        _ = try until("host.screens.onboarding.step", is: "secret")
        for _ in 0..<2 { try act(#"{"screen":"onboarding","name":"submitSecret","secret":"taken"}"#, Self.pin) }
        let answered = try act(#"{"screen":"onboarding","name":"answer","consent":\#(biometrics)}"#)
        #expect(answered.json?.at("answer.error")?.isNull == true, "\(answered.text)")
        _ = try until("host.screens.unlock.screen.name", is: "content")
    }

    func lock() throws -> JSON {
        try act(#"{"screen":"unlock","name":"lock"}"#)
        return try until("host.screens.unlock.scope", is: nil)
    }

    /// Presses Control-C, and waits for the end.
    func interrupt() -> Int32 {
        kill(process, SIGINT)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
