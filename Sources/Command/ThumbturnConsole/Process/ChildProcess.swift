#if canImport(Glibc)
import CSystem
package import Glibc
#else
package import Darwin
#endif

/// The result of a program that has run to its end.
package struct ChildProcess: Sendable {
    /// Its standard output.
    package let standardOutput: String
    /// Its standard error.
    package let standardError: String
    /// The exit code, or 128 plus the signal's number.
    package let exitCode: Int32
    /// The peak resident memory; on Linux at least the resident memory of the parent.
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
    ///   - environment: the complete environment, as `NAME=value`.
    ///   - secrets: the bytes to pass on descriptor 3; `nil` leaves that closed.
    /// - Throws: if the program can't be started.
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

/// A running program with pipes to its output and input, killed when this value is destroyed.
package struct RunningChild: ~Copyable {
    /// The process id.
    package let process: pid_t
    /// Its standard output.
    package let output: Pipe
    /// Its standard error.
    package let error: Pipe
    /// Its descriptor 3.
    package let input: Pipe?
    private var isReaped = false

    deinit {
        // An error was thrown before the program ended.
        var status: Int32 = 0
        guard !isReaped, unsafe waitpid(process, &status, WNOHANG) == 0 else { return }
        kill(process, SIGKILL)
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - hasSecrets: whether it gets a descriptor 3, which `finish` writes to.
    ///   - standardInput: the path of its standard input.
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

    /// Starts a program in its own process group, with a pipe as standard input and its output discarded.
    ///
    /// - Returns: the process id, and the pipe.
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

    /// Starts a program in its own process group, with descriptors of ours as its own, and no others; what it prints
    /// elsewhere is discarded.
    ///
    /// - Parameter descriptors: each of ours, and what it is there.
    /// - Returns: the process id, which the caller has to wait for.
    package static func start(
        _ executable: String,
        _ arguments: [String],
        environment: [String],
        descriptors: [(from: Int32, to: Int32)]
    ) throws(Failure) -> pid_t {
        try spawn(executable, arguments, environment, descriptors, "/dev/null", isApart: true)
    }

    /// Passes the secrets to the program, and waits for its end.
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
        // The threads of a pool block signals, which a child would inherit.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        // A shell's background jobs ignore the keyboard's signals.
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
        // Close descriptors that this process inherited; they do not concern the child.
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

    /// Writes the child's input and reads its output, in any order.
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

/// Passes C strings and a terminating null to `body`.
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

/// Both ends of a pipe; ends that are still open are closed with the last reference.
package final class Pipe {
    /// The end to read from.
    package let read: Int32
    /// The end to write to.
    package let write: Int32
    private var isReadOpen = true
    private var isWriteOpen = true

    /// Creates a pipe that no other child inherits.
    package init() throws(Failure) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
        // Use a socket pair: `pipe` can't set close-on-exec atomically, and two children may be started at once.
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

    /// Closes the reading end, once.
    package func closeRead() {
        if isReadOpen { _ = close(read) }
        isReadOpen = false
    }

    /// Closes the writing end, once.
    package func closeWrite() {
        if isWriteOpen { _ = close(write) }
        isWriteOpen = false
    }

    /// Writes at most 512 bytes, which a pipe that is ready accepts without blocking.
    ///
    /// - Returns: the number of bytes; 0 or less if the reader is gone, which raises no signal here.
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

    /// Appends the bytes that are available.
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
