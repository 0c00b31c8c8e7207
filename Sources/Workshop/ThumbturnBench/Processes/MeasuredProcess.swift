import Glibc
import ThumbturnConsole

/// The cost of another process, from before its start to after its end.
struct MeasuredProcess {
    let seconds: Double
    /// The peak resident memory; on Linux at least the resident memory of the parent.
    let peakBytes: Double
    let output: String
    /// The number of counted calls.
    var calls = 0.0

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - secret: the line on descriptor 3; `nil` leaves that closed.
    ///   - exitCode: how it has to exit.
    /// - Throws: `BenchError` if it exits in another way.
    static func run(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String] = [],
        secret: String? = nil,
        expecting exitCode: Int32 = 0
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
        guard let child, child.exitCode == exitCode else {
            throw BenchError(what: "\(executable) ended with \(child?.exitCode ?? -1): \(child?.standardError ?? "")")
        }
        return MeasuredProcess(seconds: seconds, peakBytes: Double(child.peakByteCount), output: child.standardOutput)
    }

    /// Resets the peak to the memory that is resident now: on Linux a spawned process inherits its parent's peak.
    private static func forgetPeak() {
        let file = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, "5", 1)
        _ = close(file)
    }
}
