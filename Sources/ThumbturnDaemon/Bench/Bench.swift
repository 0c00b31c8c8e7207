import Glibc
import ThumbturnConsole

typealias Measurement = ThumbturnConsole.Measurement<Workshop>

/// `thumbturnd bench`: what a login costs this build, next to what it can't cost less than, in the same run.
enum Bench {
    /// Measures and prints one table.
    ///
    /// - Parameter names: the figures to measure; none means all.
    /// - Returns: the exit code: 0 with every figure within its limits, 4 with one over.
    static func run(_ names: [String], _ options: BenchOptions) async throws(Failure) -> Int32 {
        let all = Measurement.all(options)
        guard names.allSatisfy({ name in all.contains { $0.name == name } }) else {
            let known = all.map(\.name).joined(separator: " ")
            throw Failure(
                .usage,
                Words("the figures are: \(known)", "les mesures sont : \(known)"),
                hint: Words("see `thumbturnd help bench`", "voir `thumbturnd help bench`")
            )
        }
        do {
            return try await measure(names.isEmpty ? all : all.filter { names.contains($0.name) }, options)
        } catch let error as BenchError {
            throw Failure(.storageUnavailable, Words(error.what))
        } catch {
            throw error as? Failure ?? Failure(.storageUnavailable, Words("\(error)"))
        }
    }

    private static func measure(_ chosen: [Measurement], _ options: BenchOptions) async throws -> Int32 {
        let workshop = try Workshop(options)
        defer { workshop.remove() }
        let report = BenchReport()
        report.begin([
            "files in \(workshop.folder)",
            "logins in the group of 3,072 bits; processor time without network and store, wall time with the store",
            options.python == nil ? "pypi: left out without --python" : "pypi: by srp's own library",
            options.postgres == nil ? "postgres: left out without --postgres" : "postgres: by the server of --postgres",
        ])
        var isWithinLimits = true
        for measurement in chosen {
            let figure = try await measurement.figure(in: workshop)
            report.add(figure)
            isWithinLimits = isWithinLimits && figure.isWithinLimits
        }
        return isWithinLimits ? 0 : 4
    }
}
