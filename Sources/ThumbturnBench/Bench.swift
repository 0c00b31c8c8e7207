#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Thumbturn
import ThumbturnCrypto

/// Why a measurement could not be made; the figures themselves are no errors.
struct BenchError: Error {
    let what: String
}

/// `thumbturn bench`: how fast a release build is, next to the raw primitives in the same run.
package enum Bench {
    /// Measures and prints one table.
    ///
    /// - Parameters:
    ///   - names: the figures to measure; none means all.
    ///   - stack: the folder that `Scripts/linux-stack.sh up` was given; nil leaves out the figures of the Linux device.
    /// - Returns: the exit code: 0 with every figure within its limits, 4 with one over, 2 for a name that is no figure.
    package static func run(_ names: [String], stack: String? = nil) async throws -> Int32 {
        let all = measurements(on: stack)
        let chosen = names.isEmpty ? all : all.filter { names.contains($0.name) }
        guard !chosen.isEmpty, names.allSatisfy({ name in all.contains { $0.name == name } }) else {
            complain("bench: the figures are: \(all.map(\.name).joined(separator: " "))")
            complain("bench: \(aboutLinux(stack))")
            return 2
        }
        let workshop = try Workshop()
        defer { workshop.remove() }
        let report = BenchReport()
        report.begin(in: workshop.folder, aboutLinux(stack))
        var isWithinLimits = true
        for measurement in chosen {
            let figure = try await measurement.figure(in: workshop)
            report.add(figure)
            isWithinLimits = isWithinLimits && figure.isWithinLimits
        }
        return isWithinLimits ? 0 : 4
    }

    /// None where we have no raw primitives to compare with.
    private static func measurements(on stack: String?) -> [Measurement] {
        #if canImport(ThumbturnLinux)
        Measurement.all + (stack.map { Measurement.linux(on: $0) } ?? [])
        #elseif canImport(COpenSSL)
        Measurement.all
        #else
        []
        #endif
    }

    /// What becomes of the figures of the Linux device.
    private static func aboutLinux(_ stack: String?) -> String {
        #if canImport(ThumbturnLinux)
        stack.map { "tpm, fprintd: on a software TPM, and the fprintd of the stack in \($0)" }
            ?? "tpm, fprintd: left out without --stack, see `thumbturn help bench`"
        #else
        "tpm, fprintd: left out on this system"
        #endif
    }

    private static func complain(_ text: String) {
        var line = Array((text + "\n").utf8)
        _ = unsafe write(STDERR_FILENO, &line, line.count)
    }
}

/// How long `body` takes, in seconds of a clock that nobody sets.
func timed(_ body: () throws -> Void) rethrows -> Double {
    let start = monotonicSeconds()
    try body()
    return monotonicSeconds() - start
}

/// The same for what waits.
func timed(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async rethrows -> Double {
    let start = monotonicSeconds()
    try await body()
    return monotonicSeconds() - start
}

/// A clock that nobody sets.
func monotonicSeconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
