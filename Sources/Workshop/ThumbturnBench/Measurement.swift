/// A figure: our operation, the primitive it is compared with in the same run, and how far apart they may be.
///
/// Its preparation gets the workshop, in which it creates what it measures.
struct Measurement {
    /// Two operations to run in turn; each returns its cost in the measurement's unit.
    struct Pair {
        let ours: () async throws -> Double
        /// `nil` if only an absolute limit makes sense.
        var primitive: (() async throws -> Double)?
    }

    /// The name on the command line.
    let name: String
    let ours: String
    var primitive = ""
    var unit = FigureUnit.seconds
    /// The number of pairs that count; quick operations are measured more often, because they vary more.
    let pairs: Int
    /// The maximum of the median of the pairs' ratios.
    var mostRatio: Double?
    /// The maximum of our median, in `unit`.
    var most: Double?
    /// The maximum of the median of the pairs' differences, in `unit`.
    var mostAbove: Double?
    let prepare: (Workshop) async throws -> Pair

    /// Measures A B A B …, so that anything that slows the machine slows both.
    ///
    /// The first pairs fill caches and do not count.
    func figure(in workshop: Workshop) async throws -> Figure {
        let pair = try await prepare(workshop)
        var costs: [Double] = []
        var primitives: [Double] = []
        for round in -min(3, pairs / 5)..<pairs {
            let cost = try await pair.ours()
            let primitive = try await pair.primitive?()
            guard round >= 0 else { continue }
            costs.append(cost)
            if let primitive { primitives.append(primitive) }
        }
        return figure(costs, primitives)
    }

    private func figure(_ costs: [Double], _ primitives: [Double]) -> Figure {
        let ratios = zip(costs, primitives).map { $0 / $1 }
        let differences = zip(costs, primitives).map { $0 - $1 }
        return Figure(
            name: name,
            what: primitive.isEmpty ? ours : "\(ours) : \(primitive)",
            unit: unit,
            pairs: pairs,
            limits: Figure.Limits(mostRatio: mostRatio, most: most, mostAbove: mostAbove),
            ours: median(costs),
            primitive: primitives.isEmpty ? nil : median(primitives),
            ratio: ratios.isEmpty ? nil : median(ratios),
            difference: differences.isEmpty ? nil : median(differences)
        )
    }
}
