#if canImport(Glibc)
import CSystem
package import Glibc
#else
package import Darwin
#endif

/// A program run to its end, with what it printed.
package struct ChildProcess: Sendable {
    /// What it printed.
    package let standardOutput: String
    /// What it printed there.
    package let standardError: String
    /// The exit code, or 128 and the signal's number.
    package let exitCode: Int32
    /// The most memory that was resident; on Linux never less than what was resident in the parent.
    package let peakByteCount: Int

    #if canImport(Glibc)
    fileprivate static let residentUnit = 1_024
    #else
    fileprivate static let residentUnit = 1
    #endif

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - executable: its path.
    ///   - environment: all of it, `NAME=value`.
    ///   - secrets: what descriptor 3 gives; nil leaves that closed.
    /// - Throws: when it can't be started.
    package static func run(
        _ executable: String,
        _ arguments: [String],
        environment: [String],
        secrets: [UInt8]? = nil
    ) throws(Failure) -> ChildProcess {
        try RunningChild(executable, arguments, environment: environment, hasSecrets: secrets != nil).finish(
            secrets ?? []
        )
    }
}

/// A program that runs, with pipes to what it prints and reads; it ends with its value.
package struct RunningChild: ~Copyable {
    /// Its number.
    package let process: pid_t
    /// Its standard output.
    package let output: Pipe
    /// Its standard error.
    package let error: Pipe
    /// Its descriptor 3.
    package let input: Pipe?
    private var isReaped = false

    deinit {
        // An error came before its end.
        var status: Int32 = 0
        guard !isReaped, unsafe waitpid(process, &status, WNOHANG) == 0 else { return }
        kill(process, SIGKILL)
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - hasSecrets: whether it gets a descriptor 3, to be filled by `finish`.
    ///   - standardInput: the path of what it has as standard input.
    package init(
        _ executable: String,
        _ arguments: [String],
        environment: [String],
        hasSecrets: Bool,
        standardInput: String = "/dev/null"
    ) throws(Failure) {
        let (output, error) = (try Pipe(), try Pipe())
        var given: [(from: Int32, to: Int32)] = [(output.write, 1), (error.write, 2)]
        var input: Pipe?
        if hasSecrets {
            let pipe = try Pipe()
            given.append((pipe.read, 3))
            input = pipe
        }
        process = try Self.spawn(executable, arguments, environment, given, standardInput)
        output.closeWrite()
        error.closeWrite()
        input?.closeRead()
        (self.output, self.error, self.input) = (output, error, input)
    }

    /// Starts a program in a process group of its own, with a pipe as its standard input; what it prints goes nowhere.
    ///
    /// - Returns: its number, and the pipe's other end.
    static func startApart(
        _ executable: String,
        _ arguments: [String],
        environment: [String]
    ) throws(Failure) -> (process: pid_t, input: Pipe) {
        let input = try Pipe()
        let process = try spawn(executable, arguments, environment, [(input.read, 0)], "/dev/null", isApart: true)
        input.closeRead()
        return (process, input)
    }

    /// Gives it its secrets, and waits for its end.
    package consuming func finish(_ secrets: [UInt8] = []) -> ChildProcess {
        let printed = exchange(secrets)
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        isReaped = true
        return ChildProcess(
            standardOutput: String(decoding: printed.output, as: UTF8.self),
            standardError: String(decoding: printed.error, as: UTF8.self),
            exitCode: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F),
            peakByteCount: usage.ru_maxrss * ChildProcess.residentUnit
        )
    }

    private static func spawn(
        _ executable: String,
        _ arguments: [String],
        _ environment: [String],
        _ descriptors: [(from: Int32, to: Int32)],
        _ standardInput: String,
        isApart: Bool = false
    ) throws(Failure) -> pid_t {
        #if canImport(Glibc)
        var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #else
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #endif
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // Threads of a pool block signals, and a child would inherit that.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        // And what a shell starts in the background ignores what the keyboard sends.
        var keyboard = sigset_t()
        unsafe sigemptyset(&keyboard)
        for number in [SIGINT, SIGQUIT] { unsafe sigaddset(&keyboard, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &keyboard)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if isApart {
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        }
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, standardInput, O_RDWR | O_NOCTTY, 0)
        if isApart {
            for number in [STDOUT_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        for (from, to) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, from, to) }
        // What this process inherited is no concern of a program that it starts.
        #if canImport(Glibc)
        let last = descriptors.map(\.to).max() ?? 0
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, max(last, STDERR_FILENO) + 1)
        #else
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        let result = unsafe withCStrings([executable] + arguments) { arguments in
            unsafe withCStrings(environment) { environment in
                unsafe posix_spawn(&process, executable, &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else {
            throw Failure(errno: result, Words("a program can't be started", "programme impossible à lancer"))
        }
        return process
    }

    /// Writes what the child reads and reads what it writes, in whatever order it wants.
    private borrowing func exchange(_ secrets: [UInt8]) -> (output: [UInt8], error: [UInt8]) {
        var printed: (output: [UInt8], error: [UInt8]) = ([], [])
        var rest = secrets[...]
        var isOpen = (output: true, error: true)
        while isOpen.output || isOpen.error {
            if rest.isEmpty { input?.closeWrite() }
            var events = [
                pollfd(fd: isOpen.output ? output.read : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.error ? error.read : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: rest.isEmpty ? -1 : input?.write ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            guard unsafe poll(&events, nfds_t(events.count), -1) > 0 || errno == EINTR else { break }
            if events[0].revents != 0 { isOpen.output = output.readOn(into: &printed.output) }
            if events[1].revents != 0 { isOpen.error = error.readOn(into: &printed.error) }
            if events[2].revents != 0 {
                let count = input?.writeSome(of: rest) ?? 0
                rest = count > 0 ? rest.dropFirst(count) : []
            }
        }
        return printed
    }
}

/// Lends C strings, and the null behind them.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
        unsafe body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
    }
}

/// Both ends of a pipe; what is still open closes with the last reference.
package final class Pipe {
    /// Where what was written comes out.
    package let read: Int32
    /// Where it goes in.
    package let write: Int32
    private var isReadOpen = true
    private var isWriteOpen = true

    /// Makes a pipe that no other child inherits.
    package init() throws(Failure) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        // A pair of sockets, because `pipe` can't close itself in other children, and two may be started at once.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        #else
        let result = unsafe pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETNOSIGPIPE, 1)
        }
        #endif
        guard result == 0 else { throw Failure(errno: errno, Words("pipe")) }
        (read, write) = (ends[0], ends[1])
    }

    deinit {
        closeRead()
        closeWrite()
    }

    /// Closes the one end, once.
    package func closeRead() {
        if isReadOpen { _ = close(read) }
        isReadOpen = false
    }

    /// Closes the other end, once.
    package func closeWrite() {
        if isWriteOpen { _ = close(write) }
        isWriteOpen = false
    }

    /// Writes some bytes, at most what a pipe takes at once, so that this never waits.
    ///
    /// - Returns: how many; 0 or less when nobody reads any more, which is no signal here.
    package func writeSome(of bytes: ArraySlice<UInt8>) -> Int {
        unsafe bytes.withUnsafeBytes { buffer in unsafe writeSome(of: buffer) }
    }

    func writeSome(of buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        unsafe send(write, buffer.baseAddress, min(buffer.count, 512), Int32(MSG_NOSIGNAL))
        #else
        unsafe Darwin.write(write, buffer.baseAddress, min(buffer.count, 512))
        #endif
    }

    /// Appends what is there.
    ///
    /// - Returns: false at the end.
    package func readOn(into bytes: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        #if canImport(Glibc)
        let count = unsafe Glibc.read(read, &chunk, chunk.count)
        #else
        let count = unsafe Darwin.read(read, &chunk, chunk.count)
        #endif
        if count > 0 { bytes += chunk[..<count] }
        return count > 0 || (count < 0 && errno == EINTR)
    }
}
