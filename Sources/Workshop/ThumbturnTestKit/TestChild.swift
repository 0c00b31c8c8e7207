import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A run of an executable that was built with the tests, `CrashChild` unless another is named, which may be killed.
///
/// One that is named by its whole path is what lies there.
/// Its standard input and output are pipes; nothing else of this process is handed down.
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
    /// - Throws: why there is none, or why it could not be started.
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
        // The backtracer would print the memory behind every register of a child that aborts. A mutant goes along.
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
    package func send(_ bytes: [UInt8]) {
        _ = unsafe write(input, bytes, bytes.count)
    }

    /// Ends the child's standard input.
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

    /// Waits for a line of the child's standard output; nil at its end.
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

    /// Ends the child's input, and waits for the child's end.
    ///
    /// - Returns: the lines that were not read yet, and how it ended.
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

    /// Where the build puts executables: beside the tests.
    private static let products: String = {
        #if os(Linux)
        Bundle.main.bundlePath
        #else
        Bundle(for: TestChild.self).bundleURL.deletingLastPathComponent().path
        #endif
    }()
}

/// Two ends that no child inherits.
private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        // A pair of sockets, because `pipe` can't close itself in other children, and two may be started at once.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        #else
        let result = unsafe pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        #endif
        guard result == 0 else { throw POSIXError(.EMFILE) }
        (reading, writing) = (ends[0], ends[1])
    }
}
