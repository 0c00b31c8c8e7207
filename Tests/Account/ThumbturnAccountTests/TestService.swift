import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

/// Tests that start services and commands; one after the other, since each of their passwords is stretched.
@Suite(.serialized) struct OverSocketTests {}

/// A real `thumbturnd` for one test, at a port that it keeps when it is stopped and started again; it ends with the value.
final class TestService {
    /// What clients call it.
    private(set) var origin = ""
    private let folder: TemporaryFolder
    private let options: [String]
    private var port = "0"
    private var isPlain = false
    private var child: RunningChild?

    /// Starts it.
    ///
    /// - Parameter options: what `thumbturnd serve` is told beside where it listens.
    init(_ options: String...) throws {
        folder = try TemporaryFolder()
        self.options = options
        try start()
    }

    deinit { stop() }

    /// Of these tests all come from one address.
    private let limits = [
        "--failures-per-minute", "10000", "--registrations-per-minute", "10000", "--logins-per-minute", "100000",
    ]

    /// Starts it again, with all that it knew.
    func start() throws {
        let child = try RunningChild(
            Self.tool,
            ["serve", "--listen", "127.0.0.1:\(port)"] + (isPlain ? [] : options) + limits,
            environment: environment,
            hasSecrets: false
        )
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(#""event":"listening""#),
            child.error.readOn(into: &bytes)
        {}
        let log = String(decoding: bytes, as: UTF8.self)
        self.child = consume child
        origin = String(try #require(log.components(separatedBy: #""address":""#).last).prefix { $0 != "\"" })
        try #require(origin.hasPrefix("http"), "\(log)")
        port = String(origin.split(separator: ":").last ?? "")
    }

    /// Starts it at another port, with all that it knew.
    ///
    /// - Parameter withoutTLS: whether it leaves its options aside.
    func move(withoutTLS: Bool = false) throws {
        stop()
        port = "0"
        isPlain = withoutTLS
        try start()
    }

    /// Stops it as systemd does.
    func stop() {
        guard let child = child.take() else { return }
        kill(child.process, SIGTERM)
        _ = child.finish()
    }

    /// Writes its log's export to a file.
    ///
    /// - Returns: the file's path.
    func export(to path: String) throws -> String {
        let exported = try ChildProcess.run(Self.tool, ["export"], environment: environment)
        try #require(exported.exitCode == 0, "\(exported)")
        try Folders.write(Array(exported.standardOutput.utf8), to: path)
        return path
    }

    private var environment: [String] {
        let inherited = ["LD_LIBRARY_PATH", "LSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"].compactMap { name in
            ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
        }
        return inherited + [
            "HOME=\(folder.path)", "XDG_STATE_HOME=\(folder.path)/state", "LANG=en_US.UTF-8",
            "SWIFT_BACKTRACE=enable=no",
        ]
    }

    private static let tool = Bundle.main.bundleURL.appendingPathComponent("thumbturnd").path
}

/// The passwords of these tests.
enum Passwords {
    static let old = "correct horse 41 battery"
    static let new = "another staple 73 horse"
}

extension Box {
    static let french = ["LANG": "fr_FR.UTF-8"]

    /// A device that has an account's vault.
    ///
    /// - Parameter words: `register`, or `login` for a further device.
    static func device(_ words: String, _ name: String = "ada", at service: TestService, _ options: String...) throws
        -> Box
    {
        let box = try Box()
        try box.run(["account", words, name, "--service", service.origin] + options, [Passwords.old]).ends(0)
        return box
    }

    /// A finger that does what it says, and `unlock` without anything typed.
    func unlock(_ touch: String, _ variables: [String: String] = [:]) throws -> ChildProcess {
        try run(["simulate", "finger", touch]).ends(0)
        return try run(["unlock"], nil, variables)
    }

    /// The devices of the account: their ids, this one's first.
    func devices(_ password: String = Passwords.old) throws -> [String] {
        let listed = try #require(json(["account", "devices"], [password])["devices"] as? [[String: Any]])
        let sorted = listed.sorted { ($0["isThis"] as? Bool ?? false) && !($1["isThis"] as? Bool ?? false) }
        return sorted.compactMap { $0["deviceId"] as? String }
    }
}

extension ChildProcess {
    /// Expects that it ended with a code, and told which error.
    @discardableResult
    func ends(
        _ exitCode: Int32,
        _ error: String? = nil,
        _ message: String = "",
        at place: SourceLocation = #_sourceLocation
    ) -> ChildProcess {
        #expect(self.exitCode == exitCode, "\(self)", sourceLocation: place)
        let told = error.map { standardError.contains("\($0) \(message)") } ?? !standardError.contains(" error: ")
        #expect(told, "\(self)", sourceLocation: place)
        return self
    }

    /// Expects that it said this too, on standard error.
    @discardableResult
    func tells(_ texts: String..., at place: SourceLocation = #_sourceLocation) -> ChildProcess {
        for text in texts { #expect(standardError.contains(text), "\(self)", sourceLocation: place) }
        return self
    }
}
