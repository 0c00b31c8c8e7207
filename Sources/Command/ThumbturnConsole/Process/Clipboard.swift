package import ThumbturnCrypto
package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The first signal that arrived while the clipboard holds a secret.
nonisolated(unsafe) private var caughtSignal: Int32 = 0

/// The clipboard of a desktop, used through the first tool that can reach it.
///
/// The tool is started in the foreground and offers the secret itself. It ends once another program takes over the
/// clipboard, and nothing keeps running after this command, unless the command is killed and can't clear the clipboard.
package struct Clipboard: Sendable {
    /// How a secret's time on the clipboard ended.
    package enum End: Hashable, Sendable {
        /// The time was over, and the clipboard was cleared.
        case cleared
        /// Something else was copied meanwhile.
        case replaced
        /// A signal with this number arrived, and the clipboard was cleared.
        case interrupted(by: Int32)
    }

    /// A program, with the arguments that make it offer its standard input.
    private struct Tool {
        let program: String
        let arguments: [String]
    }

    private let tools: [Tool]

    /// The signals that clear the clipboard at once.
    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Finds the tools of this process's desktop.
    ///
    /// - Returns: `nil` if there are none.
    package static func find() -> Clipboard? {
        let tools: [(desktop: String, name: String, arguments: [String])] = [
            ("WAYLAND_DISPLAY", "wl-copy", ["--foreground", "--type", "text/plain"]),
            ("DISPLAY", "xclip", ["-selection", "clipboard", "-quiet"]),
            ("DISPLAY", "xsel", ["--clipboard", "--input", "--nodetach"]),
        ]
        let folders = (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        let found = tools.filter { variable($0.desktop) != nil }.compactMap { tool in
            folders.map { "\($0)/\(tool.name)" }.first { unsafe access($0 as String, X_OK) == 0 }
                .map { Tool(program: $0, arguments: tool.arguments) }
        }
        return found.isEmpty ? nil : Clipboard(tools: found)
    }

    /// Puts a secret on the clipboard, and clears it when the time is over or a signal arrives.
    ///
    /// To clear it, a space is put on the clipboard and then released: a desktop that preserves the text of an ended
    /// program preserves the space.
    ///
    /// - Parameters:
    ///   - settling: how long a tool may take to notice that it can't reach its desktop.
    ///   - begun: called once a tool has the secret.
    /// - Throws: if no tool can be started, or the last one gave up.
    package func hold(
        _ secret: borrowing SecretBytes,
        for span: Milliseconds,
        settling: Milliseconds = Milliseconds(200),
        begun: () -> Void = {}
    ) throws(Failure) -> End {
        let scratch = try Folders.makeTemporary("thumbturn-clipboard", in: Self.placeInMemory)
        defer { Folders.remove(scratch) }
        let former = Self.catchSignals()
        defer { Self.release(former) }
        var failure = Self.gaveUp
        for tool in tools where unsafe caughtSignal == 0 {
            do throws(Failure) {
                return try hold(secret, by: tool, for: span, settling: settling, in: scratch, begun: begun)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func hold(
        _ secret: borrowing SecretBytes,
        by tool: Tool,
        for span: Milliseconds,
        settling: Milliseconds,
        in scratch: String,
        begun: () -> Void
    ) throws(Failure) -> End {
        let owner = try Self.start(tool, in: scratch)
        defer { owner.end() }
        try secret.withBytes { (bytes) throws(Failure) in try owner.give(bytes) }
        // A tool that can't reach its desktop ends at once.
        guard owner.runs(for: settling.count) else { throw Self.gaveUp }
        begun()
        let end = Self.now() + span.count
        while unsafe caughtSignal == 0, Self.now() < end {
            guard owner.runs(for: 50) else { return .replaced }
        }
        try Self.takeOver(from: owner, by: tool, in: scratch)
        return unsafe caughtSignal == 0 ? .cleared : .interrupted(by: caughtSignal)
    }

    /// Replaces the secret with a space.
    private static func takeOver(from owner: borrowing ClipboardTool, by tool: Tool, in scratch: String) throws(Failure)
    {
        let space = try start(tool, in: scratch)
        defer { space.end() }
        let blank = unsafe SecretBytes(byteCount: 1) { unsafe $0[0] = UInt8(ascii: " ") }
        try blank.withBytes { (bytes) throws(Failure) in try space.give(bytes) }
        // The tool that lost the clipboard ends.
        _ = owner.runs(for: 2_000)
        // By then a clipboard manager has seen the space.
        _ = space.runs(for: 200)
    }

    private static func start(_ tool: Tool, in scratch: String) throws(Failure) -> ClipboardTool {
        let names = ["PATH", "HOME", "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"]
        let environment = names.compactMap { name in variable(name).map { "\(name)=\($0)" } }
        // wl-copy keeps the offered text in a file there.
        return try ClipboardTool(tool.program, tool.arguments, environment: environment + ["TMPDIR=\(scratch)"])
    }

    /// A folder in memory, if the desktop has one.
    private static var placeInMemory: String {
        let folder = variable("XDG_RUNTIME_DIR") ?? "/tmp"
        return unsafe access(folder, W_OK | X_OK) == 0 ? folder : "/tmp"
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }

    private static let gaveUp = Failure(
        .storageUnavailable,
        statement: Words("The clipboard accepts nothing now.", "Le presse-papiers n'accepte rien pour l'instant."),
        hint: Words(
            "run the command in your desktop session, or print the secret there",
            "lancez la commande dans votre session de bureau, ou affichez-y le secret"
        )
    )

    /// The time in milliseconds of a monotonic clock that includes sleep, as a secret's time does.
    fileprivate static func now() -> Int64 {
        var time = timespec()
        #if canImport(Glibc)
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        #else
        _ = unsafe clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #endif
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

// Signals while the clipboard holds a secret.
extension Clipboard {
    /// Records ending signals, and ignores the stop signal: a stopped process can't clear the clipboard.
    ///
    /// - Returns: the signals that were changed; ones ignored before stay ignored.
    private static func catchSignals() -> [Int32] {
        unsafe caughtSignal = 0
        let caught = endings.filter { !isIgnored($0) }
        for number in caught { _ = signal(number) { number in unsafe caughtSignal = number } }
        guard !isIgnored(SIGTSTP) else { return caught }
        _ = signal(SIGTSTP, SIG_IGN)
        return caught + [SIGTSTP]
    }

    private static func release(_ numbers: [Int32]) { for number in numbers { _ = signal(number, SIG_DFL) } }
}

/// A program with a secret on standard input, in its own process group so that a key's signal to ours does not end it
/// first.
private struct ClipboardTool: ~Copyable {
    private let process: pid_t
    private let input: Pipe

    init(_ program: String, _ arguments: [String], environment: [String]) throws(Failure) {
        (process, input) = try RunningChild.startApart(program, arguments, environment: environment)
    }

    /// Writes all of its input.
    borrowing func give(_ bytes: RawSpan) throws(Failure) {
        defer { input.closeWrite() }
        let isWritten = unsafe bytes.withUnsafeBytes { buffer in
            var rest = unsafe buffer[...]
            while unsafe !rest.isEmpty {
                let count = unsafe input.writeSome(of: UnsafeRawBufferPointer(rebasing: rest))
                guard count > 0 else { return false }
                unsafe rest = unsafe rest.dropFirst(count)
            }
            return true
        }
        guard isWritten else {
            throw Failure(.storageUnavailable, Words("the clipboard's tool", "l'outil du presse-papiers"))
        }
    }

    /// Waits for the program to end, up to this many milliseconds.
    ///
    /// - Returns: whether it is still running.
    borrowing func runs(for milliseconds: Int64) -> Bool {
        let end = Clipboard.now() + milliseconds
        while !hasEnded {
            guard Clipboard.now() < end else { return true }
            usleep(10_000)
        }
        return false
    }

    /// Ends the program.
    borrowing func end() {
        kill(process, SIGTERM)
        if runs(for: 1_000) { kill(process, SIGKILL) }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Returns whether it has ended, without reaping it: its process id stays reserved until `end`.
    private borrowing func hasEndedNow() -> Bool {
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        return unsafe result == 0 && information.si_signo == SIGCHLD
    }

    private var hasEnded: Bool { hasEndedNow() }
}
