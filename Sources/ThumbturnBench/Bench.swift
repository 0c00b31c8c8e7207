#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto

typealias Measurement = ThumbturnConsole.Measurement<Workshop>

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
        report.begin(notes(in: workshop.folder, stack))
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

    /// What does not depend on the machine's speed.
    private static func notes(in folder: String, _ stack: String?) -> [String] {
        let argon2 = Argon2Limits.standard.default
        return [
            "files in \(folder)",
            "Argon2id \(argon2.memoryKiB / 1_024) MiB, \(argon2.passes) passes, 1 lane · device simulated, in memory",
            aboutLinux(stack),
        ]
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
