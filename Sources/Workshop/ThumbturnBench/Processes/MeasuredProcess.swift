import Glibc
import ThumbturnConsole

/// What another process cost, from before its start to after its end.
struct MeasuredProcess {
    let seconds: Double
    /// The most memory that was resident; on Linux never less than what is resident in the parent.
    let peakBytes: Double
    let output: String
    /// How many of the calls that were asked for it made.
    var calls = 0.0

    /// Runs a program.
    ///
    /// - Parameter secret: the line that descriptor 3 gives; nil leaves that closed.
    /// - Throws: `BenchError` unless it exits with 0.
    static func run(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String] = [],
        secret: String? = nil
    ) throws -> MeasuredProcess {
        forgetPeak()
        var child: ChildProcess?
        let seconds = try timed {
            child = try ChildProcess.run(
                executable,
                arguments,
                environment: environment,
                secrets: secret.map { Array("\($0)\n".utf8) }
            )
        }
        guard let child, child.exitCode == 0 else {
            throw BenchError(what: "\(executable) ended with \(child?.exitCode ?? -1): \(child?.standardError ?? "")")
        }
        return MeasuredProcess(seconds: seconds, peakBytes: Double(child.peakByteCount), output: child.standardOutput)
    }

    /// Linux hands the parent's peak down to what it spawns; this sets the peak to what is resident now.
    private static func forgetPeak() {
        let file = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, "5", 1)
        _ = close(file)
    }
}
