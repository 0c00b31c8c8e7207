/// The unit of a figure.
enum FigureUnit: String, Sendable { case seconds, bytes, count }

/// The result of a measurement, in its unit.
struct Figure: Sendable {
    struct Limits {
        let mostRatio: Double?
        let most: Double?
        let mostAbove: Double?
    }

    let name: String
    let what: String
    let unit: FigureUnit
    let pairs: Int
    let limits: Limits
    let ours: Double
    let primitive: Double?
    /// The median of the pairs' ratios, not the ratio of the medians.
    let ratio: Double?
    /// The median of the pairs' differences.
    let difference: Double?

    /// Whether the value and its distance from the primitive are within the limits.
    var isWithinLimits: Bool {
        if let most = limits.most, ours > most { return false }
        if let mostAbove = limits.mostAbove {
            guard let difference, difference <= mostAbove else { return false }
        }
        if let mostRatio = limits.mostRatio {
            guard let ratio, ratio <= mostRatio else { return false }
        }
        return true
    }
}

/// Returns the middle value, or the mean of the middle two.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let upper = sorted.count / 2
    return sorted.count % 2 == 0 ? (sorted[upper - 1] + sorted[upper]) / 2 : sorted[upper]
}
