/// One figure: what we do, what it is held against in the same run, and how far apart they may lie.
///
/// What prepares it is handed the workshop, where it makes what it measures.
struct Measurement {
    /// Two things to do in turn; each says what it cost, in the measurement's unit.
    struct Pair {
        let ours: () async throws -> Double
        let primitive: (() async throws -> Double)?

        /// - Parameter primitive: nil where only an absolute limit makes sense.
        init(ours: @escaping () async throws -> Double, primitive: (() async throws -> Double)? = nil) {
            (self.ours, self.primitive) = (ours, primitive)
        }
    }

    /// What it is called on the command line.
    let name: String
    let ours: String
    let primitive: String
    let unit: FigureUnit
    let pairs: Int
    let mostRatio: Double?
    let most: Double?
    let mostAbove: Double?
    private let prepare: (Workshop) async throws -> Pair

    /// Describes a figure.
    ///
    /// - Parameters:
    ///   - pairs: how many count; what is quick is measured more often, because more disturbs it.
    ///   - mostRatio: the most that the median of the pairs' ratios may be.
    ///   - most: the most that our median may be, in `unit`.
    ///   - mostAbove: the most that the median of the pairs' differences may be, in `unit`.
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

    /// Measures A B A B …, so that whatever slows the machine slows both.
    ///
    /// The first pairs fill caches, and are not counted.
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
