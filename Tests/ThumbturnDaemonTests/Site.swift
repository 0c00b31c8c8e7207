import Foundation
import Testing
import ThumbturnConsole

/// A machine of its own for one test: folders that end with it, and the real program in them.
final class Site: Sendable {
    let folder: String
    var key: String { folder + "/state/thumbturnd/keys/service.key" }
    var database: String { folder + "/state/thumbturnd/data/service.sqlite" }

    init() throws {
        folder = NSTemporaryDirectory() + "thumbturnd-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { Folders.remove(folder) }

    /// Runs a command to its end.
    @discardableResult
    func run(_ words: String...) throws -> ChildProcess {
        try ChildProcess.run(Self.tool, words, environment: environment)
    }

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

    /// Sends a signal.
    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits for its end.
    consuming func finish() -> ChildProcess { child.finish() }
}
