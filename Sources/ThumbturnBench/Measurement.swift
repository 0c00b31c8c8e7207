/// One figure: what we do, what it is held against in the same run, and how far apart they may lie.
struct Measurement {
    enum Unit: String { case seconds, bytes }

    /// Two things to do in turn; each says what it cost, in the measurement's unit.
    struct Pair {
        let ours: () async throws -> Double
        /// Nil where only an absolute limit makes sense.
        var primitive: (() async throws -> Double)?
    }

    let name: String
    let ours: String
    let primitive: String
    var unit = Unit.seconds
    /// How many pairs count; what is quick is measured more often, because more disturbs it.
    let pairs: Int
    /// The most that the median of the pairs' ratios may be.
    var mostRatio: Double?
    /// The most that our median may be, in `unit`.
    var most: Double?
    /// The most that the median of the pairs' differences may be, in `unit`.
    var mostAbove: Double?
    let prepare: (Workshop) async throws -> Pair

    /// Measures A B A B …, so that whatever slows the machine slows both.
    ///
    /// The first pairs fill caches, and are not counted.
    func figure(in workshop: Workshop) async throws -> Figure {
        let pair = try await prepare(workshop)
        var ours: [Double] = []
        var primitives: [Double] = []
        for round in -min(3, pairs / 5)..<pairs {
            let own = try await pair.ours()
            let primitive = try await pair.primitive?()
            guard round >= 0 else { continue }
            ours.append(own)
            if let primitive { primitives.append(primitive) }
        }
        return Figure(
            measurement: self,
            ours: median(ours),
            primitive: primitives.isEmpty ? nil : median(primitives),
            ratio: primitives.isEmpty ? nil : median(zip(ours, primitives).map { $0 / $1 }),
            difference: primitives.isEmpty ? nil : median(zip(ours, primitives).map { $0 - $1 })
        )
    }
}

/// What a measurement found, in its unit.
struct Figure {
    let measurement: Measurement
    let ours: Double
    let primitive: Double?
    /// The median of the pairs' ratios, not the ratio of the medians.
    let ratio: Double?
    /// The median of the pairs' differences.
    let difference: Double?

    var isWithinLimits: Bool {
        if let most = measurement.most, ours > most { return false }
        if let mostAbove = measurement.mostAbove {
            guard let difference, difference <= mostAbove else { return false }
        }
        if let mostRatio = measurement.mostRatio {
            guard let ratio, ratio <= mostRatio else { return false }
        }
        return true
    }
}

/// The middle value, or the mean of the middle two.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let upper = sorted.count / 2
    return sorted.count % 2 == 0 ? (sorted[upper - 1] + sorted[upper]) / 2 : sorted[upper]
}
