import Foundation
import Glibc
import Testing
import ThumbturnConsole

/// A machine of its own for one test: folders that end with it, and the real program in them.
final class Site: Sendable {
    let folder: String
    var key: String { folder + "/state/thumbturnd/keys/service.key" }
    var auditKey: String { folder + "/state/thumbturnd/keys/audit.pem" }
    var heads: String { folder + "/state/thumbturnd/keys/audit.heads" }
    var database: String { folder + "/state/thumbturnd/data/service.sqlite" }

    init() throws {
        folder = NSTemporaryDirectory() + "thumbturnd-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { Folders.remove(folder) }

    /// Runs a command to its end.
    @discardableResult
    func run(_ words: String...) throws -> ChildProcess { try run(words) }

    /// The same with the words in a list.
    @discardableResult
    func run(_ words: [String]) throws -> ChildProcess {
        try ChildProcess.run(Self.tool, words, environment: environment)
    }

    /// The names of what lies in the site, folders that hold something aside.
    var files: [String] { Folders.files(below: folder).map { ($0 as NSString).lastPathComponent } }

    /// Starts a service at a port that is free.
    func serve(_ words: String...) throws -> RunningService {
        try RunningService(Self.tool, ["serve", "--listen", "127.0.0.1:0"] + words, environment: environment)
    }

    /// The mode of a file or folder.
    func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private var environment: [String] {
        let inherited = ["LD_LIBRARY_PATH", "LSAN_OPTIONS", "LLVM_PROFILE_FILE"].compactMap { name in
            ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
        }
        return inherited + [
            "HOME=\(folder)", "XDG_STATE_HOME=\(folder)/state", "LANG=en_US.UTF-8", "SWIFT_BACKTRACE=enable=no",
        ]
    }

    /// The built program, beside the test bundle.
    static let tool = Bundle.main.bundleURL.appendingPathComponent("thumbturnd").path
}

/// A service that listens.
struct RunningService: ~Copyable {
    private let child: RunningChild
    let process: pid_t
    /// What it wrote until it listened.
    let log: String

    init(_ tool: String, _ words: [String], environment: [String]) throws {
        child = try RunningChild(tool, words, environment: environment, hasSecrets: false)
        process = child.process
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(#""event":"listening""#),
            child.error.readOn(into: &bytes)
        {}
        log = String(decoding: bytes, as: UTF8.self)
    }

    /// The address at which it listens.
    func address() throws -> String {
        let tail = try #require(log.components(separatedBy: #""address":""#).last)
        return String(tail.prefix { $0 != "\"" })
    }

    /// Asks at an address, over a connection of its own; returns the answer as it came.
    func ask(
        _ method: String,
        _ path: String,
        _ body: String = "",
        type: String = "application/json",
        token: String? = nil,
        at address: String? = nil
    ) throws -> String {
        let port = try #require(UInt16((address ?? self.address()).split(separator: ":").last ?? ""))
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        (place.sin_port, place.sin_addr.s_addr) = (port.bigEndian, UInt32(0x7F00_0001).bigEndian)
        let isConnected = unsafe withUnsafeBytes(of: &place) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe connect(connection, $0.baseAddress, 16) } == 0
        }
        try #require(isConnected)
        var head = ["\(method) \(path) HTTP/1.1", "Host: a", "Connection: close"]
        if let token { head.append("Authorization: Bearer \(token)") }
        if !body.isEmpty { head += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
        let request = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        try #require(unsafe Glibc.send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
        var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while case let count = unsafe recv(connection, &buffer, buffer.count, 0), count > 0 {
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// What the log says of an event's address.
    func address(of event: String) throws -> String {
        let line = try #require(log.split(separator: "\n").first { $0.contains(#""event":"\#(event)""#) })
        return String(try #require(line.components(separatedBy: #""address":""#).last).prefix { $0 != "\"" })
    }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits for its end.
    consuming func finish() -> ChildProcess { child.finish() }
}
