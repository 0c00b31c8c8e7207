/// What was explored, and what went wrong.
package struct ExplorationReport: Sendable {
    package private(set) var name: String
    /// Operations, or waits, of the transition when nothing gets in its way.
    package private(set) var steps: Int
    package internal(set) var situations = 0
    /// How many of them ended in the new state.
    package internal(set) var arrived = 0
    package internal(set) var losses: [String] = []

    init(_ name: String, steps: Int) {
        self.name = name
        self.steps = steps
    }

    /// The same under another name.
    package func named(_ name: String) -> ExplorationReport {
        var report = self
        report.name = name
        return report
    }

    /// The sum of two.
    package func adding(_ other: ExplorationReport) -> ExplorationReport {
        var sum = self
        sum.steps = max(steps, other.steps)
        sum.situations += other.situations
        sum.arrived += other.arrived
        sum.losses += other.losses
        return sum
    }

    /// The row of the table, in columns.
    package var row: String {
        let name = name + String(repeating: " ", count: max(0, 40 - name.count))
        let numbers = [steps, situations, arrived, losses.count].map { number in
            String(repeating: " ", count: max(0, 9 - "\(number)".count)) + "\(number)"
        }
        return name + numbers.joined()
    }

    /// What the columns of `row` are.
    package static let heading = "transition                                   steps situations arrived   losses"
}

extension Array {
    /// The same elements in an order of which every beginning is spread over the whole: the same order each time.
    var scattered: [Element] {
        // A step of the golden section, made to have no divisor in common with the count, visits each place once.
        var step = Swift.max(1, count * 618 / 1_000)
        while count.hasDivisor(with: step) { step += 1 }
        return indices.map { self[$0 * step % count] }
    }

    /// So many elements at most, evenly drawn: the same ones each time.
    func evenly(_ limit: Int) -> [Element] {
        guard count > limit else { return self }
        return (0..<limit).map { self[$0 * count / limit] }
    }
}

extension Int {
    /// Whether both have a divisor other than 1.
    fileprivate func hasDivisor(with other: Int) -> Bool {
        var (left, right) = (self, other)
        while right != 0 { (left, right) = (right, left % right) }
        return left > 1
    }
}
