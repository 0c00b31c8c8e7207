#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs another process to its end.
enum MeasuredProcess {
    struct Cost {
        /// From before the start to after the end.
        let seconds: Double
        /// The most memory that was resident; on Linux never less than what is resident in the parent.
        let peakBytes: Double
    }

    /// Runs `arguments`, the first of which is the executable's path.
    ///
    /// - Parameter input: what the process reads from standard input; shorter than a pipe holds.
    /// - Throws: `BenchError` unless it exits with 0.
    static func run(_ arguments: [String], environment: [String] = [], input: String = "") throws -> Cost {
        let (reading, writing) = try channel(holding: input)
        defer { _ = close(reading) }
        _ = close(writing)
        forgetPeak()

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, reading, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)

        var usage = rusage()
        var status: Int32 = 0
        let seconds = try timed {
            var child: pid_t = 0
            let code = unsafe withCStrings(arguments) { words in
                unsafe withCStrings(environment) { variables in
                    unsafe posix_spawn(&child, arguments[0], &actions, nil, words, variables)
                }
            }
            guard code == 0 else { throw BenchError(what: "\(arguments[0]) can't be started: errno \(code)") }
            while unsafe wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
        }
        guard status == 0 else {
            throw BenchError(what: "\(arguments.joined(separator: " ")) ended with status \(status >> 8)")
        }
        return Cost(seconds: seconds, peakBytes: Double(usage.ru_maxrss) * 1_024)
    }

    private static func channel(holding text: String) throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw BenchError(what: "no pipe") }
        var bytes = Array(text.utf8)
        _ = unsafe write(ends[1], &bytes, bytes.count)
        return (ends[0], ends[1])
    }

    /// Linux hands the parent's peak down to what it spawns; this sets the peak to what is resident now.
    private static func forgetPeak() {
        let file = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, "5", 1)
        _ = close(file)
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies)
    }
}
