import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A process of an executable built with the tests, `CrashChild` by default, which may be killed.
///
/// An absolute path names any other executable. Its standard input and output are pipes; it inherits nothing else from
/// this process.
package final class TestChild {
    /// How a process ended.
    package enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(by: Int32)
    }

    package let id: Int32
    private var input: Int32
    private let output: Int32
    private var unread: [UInt8] = []

    /// Starts the child.
    ///
    /// - Throws: if it does not exist or can't be started.
    package init(_ arguments: [String], of executable: String = "CrashChild") throws {
        let path = executable.hasPrefix("/") ? executable : Self.products + "/" + executable
        let toChild = try Pipe()
        let fromChild = try Pipe()
        #if canImport(Glibc)
        var actions = unsafe posix_spawn_file_actions_t()
        #else
        var actions: posix_spawn_file_actions_t?
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child = pid_t()
        // The backtracer would print the memory behind every register of an aborting child. Pass on the chosen mutant.
        let mutant = ProcessInfo.processInfo.environment["THUMBTURN_MUTANT"] ?? "0"
        var settings = unsafe [strdup("SWIFT_BACKTRACE=enable=no"), strdup("THUMBTURN_MUTANT=\(mutant)"), nil]
        defer { unsafe settings.forEach { unsafe free($0) } }
        let result = unsafe posix_spawn(&child, path, &actions, nil, &words, &settings)
        close(toChild.reading)
        close(fromChild.writing)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
        id = child
        input = toChild.writing
        output = fromChild.reading
    }

    /// Writes to the child's standard input.
    package func send(_ bytes: [UInt8]) { _ = unsafe write(input, bytes, bytes.count) }

    /// Closes the child's standard input.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Kills the child at once.
    package func kill() {
        #if canImport(Glibc)
        _ = Glibc.kill(id, SIGKILL)
        #else
        _ = Darwin.kill(id, SIGKILL)
        #endif
    }

    /// Waits for a line of the child's standard output; returns `nil` at its end.
    package func readLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe read(output, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            unread += bytes[..<count]
        }
    }

    /// Closes the child's input, and waits for the child to end.
    ///
    /// - Returns: the lines not read yet, and how it ended.
    package func finish() -> (lines: [String], end: End) {
        closeInput()
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        close(output)
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return (lines, signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal))
    }

    /// The folder where the build puts executables: next to the tests.
    private static let products: String = {
        #if os(Linux)
        Bundle.main.bundlePath
        #else
        Bundle(for: TestChild.self).bundleURL.deletingLastPathComponent().path
        #endif
    }()
}

/// The two ends of a pipe, which no other child inherits.
private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        // Use a socket pair: `pipe` can't set close-on-exec atomically, and two children may be started at once.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        #else
        let result = unsafe pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        guard result == 0 else { throw POSIXError(.EMFILE) }
        (reading, writing) = (ends[0], ends[1])
    }
}
