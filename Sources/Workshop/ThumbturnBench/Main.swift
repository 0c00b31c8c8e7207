import Glibc
import ThumbturnConsole
import ThumbturnCrypto

/// `thumbturn-bench`: measures how fast a release build is, compared in the same run with the least it could take.
///
/// It ships with neither program, and starts both from its own folder.
@main
enum Main {
    static func main() async {
        do {
            exit(try await run(BenchOptions(Array(CommandLine.arguments.dropFirst()))))
        } catch let error as UsageError {
            complain(error.text)
            exit(2)
        } catch {
            complain((error as? BenchError)?.what ?? "\(error)")
            exit(3)
        }
    }

    /// Measures and prints one table.
    ///
    /// - Returns: the exit code: 0 if every figure is within its limits, else 4.
    private static func run(_ options: BenchOptions) async throws -> Int32 {
        let all = options.figures
        guard options.names.allSatisfy({ name in all.contains { $0.name == name } }) else {
            throw UsageError(text: "the figures are: \(all.map(\.name).joined(separator: " "))")
        }
        let workshop = try Workshop(options)
        defer { workshop.remove() }
        let report = BenchReport()
        report.begin(["files in \(workshop.folder)"] + options.notes)
        var isWithinLimits = true
        for measurement in all where options.names.isEmpty || options.names.contains(measurement.name) {
            let figure = try await measurement.figure(in: workshop)
            report.add(figure)
            isWithinLimits = isWithinLimits && figure.isWithinLimits
        }
        return isWithinLimits ? 0 : 4
    }

    private static func complain(_ text: String) {
        var line = Array("thumbturn-bench: \(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, &line, line.count)
    }
}

extension BenchOptions {
    /// The figures that can be measured with these options.
    fileprivate var figures: [Measurement] {
        switch subject {
        case .vault: Measurement.vault + (stack.map(Measurement.linux) ?? []) + (java.map(Measurement.android) ?? [])
        case .service: isSoak ? Measurement.soak : Measurement.service(self)
        }
    }
}
