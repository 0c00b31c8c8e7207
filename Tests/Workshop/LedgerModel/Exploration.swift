/// Every world that a scenario leads to, nearest first.
package struct Exploration: Sendable {
    /// A law that does not hold, and the shortest way there.
    package struct Finding: Sendable {
        package let law: Law
        package let way: [String]
    }

    package private(set) var states = 0
    package private(set) var passages = 0
    package private(set) var findings: [Finding] = []

    /// Explores a scenario with the product's machine, to its end.
    package init(of scenario: Scenario) { self.init(of: .none(scenario)) }

    /// Explores until the first law is broken, or to the end.
    package init(of mutation: Mutation) {
        var stepper = Stepper(mutation: mutation)
        let start = mutation.scenario.world
        var seen: Set<Key> = [start.key]
        var ahead = [(start, Trail?.none)]
        judge(start, nil, mutation)
        while !ahead.isEmpty, findings.isEmpty {
            var further: [(World, Trail?)] = []
            for (world, trail) in ahead where findings.isEmpty {
                states += 1
                for passage in stepper.step(from: world) {
                    passages += 1
                    let isNew = seen.insert(passage.world.key).inserted
                    guard isNew || passage.broken != nil else { continue }
                    let longer = Trail(step: passage.step, from: trail)
                    if let law = passage.broken { findings.append(Finding(law: law, way: longer.way)) }
                    guard isNew else { continue }
                    judge(passage.world, longer, mutation)
                    further.append((passage.world, longer))
                }
            }
            ahead = further
        }
    }

    private mutating func judge(_ world: World, _ trail: Trail?, _ mutation: Mutation) {
        for law in world.brokenLaws(mutation.turn).sorted(by: { $0.rawValue < $1.rawValue }) {
            findings.append(Finding(law: law, way: trail?.way ?? []))
        }
    }
}

/// How a world was reached.
private final class Trail: Sendable {
    let step: Step
    let former: Trail?

    init(step: Step, from former: Trail?) {
        self.step = step
        self.former = former
    }

    var way: [String] {
        var way: [String] = []
        var last: Trail? = self
        while let trail = last {
            way.append("\(trail.step)")
            last = trail.former
        }
        return way.reversed()
    }
}
