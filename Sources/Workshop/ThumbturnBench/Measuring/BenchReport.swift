import Glibc
import ThumbturnConsole

/// Prints figures in a table as they are measured.
struct BenchReport {
    init() {}

    /// Prints facts that do not depend on the machine's speed, then the column titles.
    func begin(_ notes: [String]) {
        print("cores \(sysconf(Int32(_SC_NPROCESSORS_ONLN)))")
        for note in notes { print(note) }
        print("medians of interleaved pairs; a ratio is the median of the pairs' ratios")
        print()
        print(line(["figure", "pairs", "ours", "primitive", "ratio", "limit", ""]))
    }

    func add(_ figure: Figure) {
        print(row(figure))
        fflush(nil)
    }

    private func row(_ figure: Figure) -> String {
        let limits = [
            figure.limits.mostRatio.map { "\(fixed($0, 2)) ×" },
            figure.limits.most.map { shown($0, figure.unit) },
            figure.limits.mostAbove.map { "+ \(shown($0, figure.unit))" },
        ]
        let cells = [
            figure.name,
            "\(figure.pairs)",
            shown(figure.ours, figure.unit),
            figure.primitive.map { shown($0, figure.unit) } ?? "",
            distance(of: figure),
            limits.compactMap { $0 }.joined(separator: ", "),
            figure.isWithinLimits ? "" : "OVER",
        ]
        return "\(line(cells))\n    \(figure.what)"
    }

    /// Returns the distance from the primitive: the ratio if that is limited or nothing else is, else the difference.
    private func distance(of figure: Figure) -> String {
        if figure.limits.mostAbove != nil, figure.limits.mostRatio == nil, let difference = figure.difference {
            return "+ \(shown(difference, figure.unit))"
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

    private func shown(_ amount: Double, _ unit: FigureUnit) -> String {
        switch unit {
        case .bytes where amount < 1_048_576: "\(fixed(amount / 1_024, 2)) KiB"
        case .bytes: "\(fixed(amount / 1_048_576, 1)) MiB"
        case .count: fixed(amount, 0)
        case .seconds where amount < 0.001: "\(fixed(amount * 1e6, 0)) µs"
        case .seconds: "\(fixed(amount * 1e3, 2)) ms"
        }
    }

    /// Returns a number with this many decimal places.
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
