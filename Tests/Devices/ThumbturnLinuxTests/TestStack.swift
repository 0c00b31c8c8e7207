import Foundation
import Glibc
import Testing
import ThumbturnRules

@testable import ThumbturnLinux

/// The suites that need the stack of `make test-linux`; they take turns, because it is one.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: TestStack.isUp, "run `make test-linux`"))
enum OnTheStack {}

/// A bus with the real fprintd and stand-ins of logind and polkit, made by `Scripts/linux-stack.sh`.
enum TestStack {
    private static let environment = ProcessInfo.processInfo.environment

    static let folder = environment["THUMBTURN_TEST_STACK"] ?? ""
    static let address = environment["THUMBTURN_TEST_BUS"] ?? ""
    static let reader = environment["THUMBTURN_TEST_READER"] ?? ""
    static var isUp: Bool { !folder.isEmpty && !address.isEmpty && !reader.isEmpty }

    /// Who runs the services of the stack.
    static let owner = getuid()

    /// Runs `Scripts/linux-stack.sh` for the stack, such as `up` or `stop fprintd`.
    static func run(_ command: String, _ words: String...) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Scripts/linux-stack.sh").standardizedFileURL.path
        try tool(script, [command, folder] + words)
    }

    /// Calls a method of a service with values in GVariant's notation.
    static func call(_ service: String, _ path: String, _ method: String, _ values: String...) throws {
        try tool(
            "/usr/bin/gdbus",
            ["call", "--address", address, "--dest", service, "--object-path", path, "--method", method] + values
        )
    }

    /// Runs a program to its end; Foundation's `Process` would wait for the end of what it leaves behind, too.
    private static func tool(_ path: String, _ words: [String]) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        // A socket to a TPM that lived on in a service would never be seen to end: tpm2-tss opens them to be inherited.
        for file: CInt in 3..<512 { unsafe posix_spawn_file_actions_addclose(&actions, file) }
        // The threads of the tests block signals, and what is started here is to be ended by one.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = unsafe ([path] + words).map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child = pid_t()
        try #require(unsafe posix_spawn(&child, path, &actions, &attributes, &arguments, environ) == 0)
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        try #require(status == 0, "\(path) \(words)")
    }

    /// What asks the stack's fprintd for a finger.
    static func prompt() -> FprintPrompt {
        FprintPrompt(bus: BusConnection(address: address), assurance: .softwareFile, ownedBy: owner)
    }

    private static let bus = BusConnection(address: address)

    /// How many delays of sleep are ours, which shows who follows logind.
    static func inhibitors() async throws -> Int {
        let call = BusCall(
            destination: "org.freedesktop.login1",
            path: "/org/freedesktop/login1",
            interface: "org.freedesktop.login1.Manager",
            member: "ListInhibitors"
        )
        // fprintd holds up sleep, too.
        let list = try await bus.call(call).values.first?.list
        return list?.filter { $0.list?[1].text == "Thumbturn" }.count ?? 0
    }

    /// Waits until something holds that the bus brings about by itself, for a minute and no longer.
    static func eventually(_ holds: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try await holds() { return }
            await Task.yield()
        }
        Issue.record("it does not come")
    }

    /// Waits until fprintd has forgotten a reader that was pulled out, which it does after it ended the prompt there.
    static func readerIsGone() async throws {
        try await eventually { await prompt().capability().reasonIfUnavailable == .noHardware }
    }

    /// Lets something happen at the virtual reader: `SCAN id`, `RETRY 0…3`, `ERROR n`, `UNPLUG`.
    ///
    /// It listens while it is claimed. Returns once the reader has it.
    static func happen(_ command: String) throws {
        let descriptor = try #require(UnixSocket.connect(to: reader), "nobody has claimed the reader")
        defer { close(descriptor) }
        let bytes = Array(command.utf8)
        #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
        shutdown(descriptor, Int32(SHUT_WR))
        var end: UInt8 = 0
        while unsafe read(descriptor, &end, 1) > 0 {}
    }
}

/// Sockets in the file system.
enum UnixSocket {
    /// A connection to a socket; nil when nobody listens there.
    static func connect(to path: String) -> Int32? {
        unsafe open(path) { unsafe Glibc.connect($0, $1, $2) }
    }

    /// A socket that listens, and whose `accept` does not wait.
    static func listen(at path: String) -> Int32? {
        let descriptor = unsafe open(path) { unsafe bind($0, $1, $2) }
        guard let descriptor, Glibc.listen(descriptor, 8) == 0 else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    private static func open(
        _ path: String,
        _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        precondition(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}
