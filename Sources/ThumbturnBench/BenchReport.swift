#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import ThumbturnConsole
import ThumbturnCrypto

/// Prints figures as they come, in a table.
struct BenchReport {
    /// Says what does not depend on the machine's speed, then the columns' names.
    func begin(in folder: String, _ note: String) {
        let argon2 = Argon2Limits.standard.default
        print("cores \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) · files in \(folder)")
        print("Argon2id \(argon2.memoryKiB / 1_024) MiB, \(argon2.passes) passes, 1 lane · device simulated, in memory")
        print(note)
        print("medians of interleaved pairs; a ratio is the median of the pairs' ratios")
        print()
        print(line(["figure", "pairs", "ours", "primitive", "ratio", "limit", ""]))
    }

    func add(_ figure: Figure) {
        print(row(figure))
        fflush(nil)
    }

    private func row(_ figure: Figure) -> String {
        let measurement = figure.measurement
        let limits = [
            measurement.mostRatio.map { "\(fixed($0, 2)) ×" },
            measurement.most.map { shown($0, measurement.unit) },
            measurement.mostAbove.map { "+ \(shown($0, measurement.unit))" },
        ]
        let cells = [
            measurement.name,
            "\(measurement.pairs)",
            shown(figure.ours, measurement.unit),
            figure.primitive.map { shown($0, measurement.unit) } ?? "",
            distance(of: figure),
            limits.compactMap { $0 }.joined(separator: ", "),
            figure.isWithinLimits ? "" : "OVER",
        ]
        let against = measurement.primitive.isEmpty ? "" : " : \(measurement.primitive)"
        return "\(line(cells))\n    \(measurement.ours)\(against)"
    }

    /// How far ours lies from the primitive: the difference where that is limited, else the ratio.
    private func distance(of figure: Figure) -> String {
        if figure.measurement.mostAbove != nil, let difference = figure.difference {
            return "+ \(shown(difference, figure.measurement.unit))"
        }
        return figure.ratio.map { "\(fixed($0, 3)) ×" } ?? ""
    }

    private func line(_ cells: [String]) -> String {
        let widths = [14, 5, 10, 10, 8, 16, 4]
        return zip(cells, widths).map { cell, width in
            let space = String(repeating: " ", count: max(0, width - cell.columns))
            return width == widths[0] || width == widths[6] ? cell + space : space + cell
        }.joined(separator: "  ")
    }

    private func shown(_ amount: Double, _ unit: Measurement.Unit) -> String {
        switch unit {
        case .bytes: "\(fixed(amount / 1_048_576, 1)) MiB"
        case .seconds where amount < 0.001: "\(fixed(amount * 1e6, 0)) µs"
        case .seconds: "\(fixed(amount * 1e3, 2)) ms"
        }
    }

    /// A number with so many digits after its point.
    private func fixed(_ number: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (number.magnitude * scale).rounded()
        let whole = Int(scaled / scale)
        let sign = number < 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let rest = "\(Int(scaled) - whole * Int(scale))"
        return "\(sign)\(whole).\(String(repeating: "0", count: digits - rest.count))\(rest)"
    }
}
