/// A figure: our operation, the primitive it is compared with in the same run, and how far apart they may be.
///
/// Its preparation gets the workshop, in which it creates what it measures.
struct Measurement {
    /// Two operations to run in turn; each returns its cost in the measurement's unit.
    struct Pair {
        let ours: () async throws -> Double
        let primitive: (() async throws -> Double)?

        /// - Parameter primitive: `nil` if only an absolute limit makes sense.
        init(ours: @escaping () async throws -> Double, primitive: (() async throws -> Double)? = nil) {
            (self.ours, self.primitive) = (ours, primitive)
        }
    }

    /// The name on the command line.
    let name: String
    let ours: String
    let primitive: String
    let unit: FigureUnit
    let pairs: Int
    let mostRatio: Double?
    let most: Double?
    let mostAbove: Double?
    private let prepare: (Workshop) async throws -> Pair

    /// Creates a measurement.
    ///
    /// - Parameters:
    ///   - pairs: the number of pairs that count; quick operations are measured more often, because they vary more.
    ///   - mostRatio: the maximum of the median of the pairs' ratios.
    ///   - most: the maximum of our median, in `unit`.
    ///   - mostAbove: the maximum of the median of the pairs' differences, in `unit`.
    init(
        name: String,
        ours: String,
        primitive: String,
        unit: FigureUnit = .seconds,
        pairs: Int,
        mostRatio: Double? = nil,
        most: Double? = nil,
        mostAbove: Double? = nil,
        prepare: @escaping (Workshop) async throws -> Pair
    ) {
        (self.name, self.ours, self.primitive, self.unit) = (name, ours, primitive, unit)
        (self.pairs, self.mostRatio, self.most, self.mostAbove) = (pairs, mostRatio, most, mostAbove)
        self.prepare = prepare
    }

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
