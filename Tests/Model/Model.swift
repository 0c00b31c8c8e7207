import Foundation
import LedgerModel

/// Explores the ledger's machine, then every planted mutant of it, and prints a row for each.
@main struct Model {
    static func main() {
        let start = ContinuousClock.now
        var states = 0
        var passages = 0
        var faults = 0
        for scenario in Scenario.all {
            let begun = ContinuousClock.now
            let exploration = Exploration(of: scenario)
            states += exploration.states
            passages += exploration.passages
            faults += exploration.findings.count
            row(scenario.name, exploration, since: begun)
            for finding in exploration.findings { tell(finding) }
        }
        for mutation in Mutation.planted {
            let begun = ContinuousClock.now
            let exploration = Exploration(of: mutation)
            let caught = exploration.findings.map(\.law)
            row(mutation.name, exploration, since: begun)
            print("    caught: \(caught.map(\.rawValue).joined(separator: "; "))")
            if !caught.contains(where: { $0 == mutation.law }) {
                faults += 1
                print("    BUT NOT BY: \(mutation.law?.rawValue ?? "")")
                for finding in exploration.findings { tell(finding) }
            }
        }
        print("= \(states) states, \(passages) passages, \(faults) faults, \(ContinuousClock.now - start)")
        exit(faults == 0 ? 0 : 1)
    }

    private static func row(_ name: String, _ exploration: Exploration, since begun: ContinuousClock.Instant) {
        let took = ContinuousClock.now - begun
        print("\(name): \(exploration.states) states, \(exploration.passages) passages, \(took)")
    }

    private static func tell(_ finding: Exploration.Finding) {
        print("    broken: \(finding.law.rawValue)")
        for step in finding.way { print("        \(step)") }
    }
}
