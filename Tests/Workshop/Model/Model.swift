import Foundation
import LedgerModel
import UnlockModel

/// Explores the machines of unlock and biometrics, then the ledger's and every planted mutant of that, and prints a row for each.
@main struct Model {
    static func main() {
        let start = ContinuousClock.now
        var states = 0
        var passages = 0
        var faults = 0
        for rules in UnlockWalk.Rules.all {
            let begun = ContinuousClock.now
            let walk = UnlockWalk(under: rules)
            states += walk.states
            passages += walk.passages
            faults += walk.findings.count
            row("unlock, \(rules.name)", (walk.states, walk.passages), since: begun)
            for finding in walk.findings { print("    broken: \(finding)") }
        }
        for scenario in Scenario.all {
            let begun = ContinuousClock.now
            let exploration = Exploration(of: scenario)
            states += exploration.states
            passages += exploration.passages
            faults += exploration.findings.count
            row(scenario.name, (exploration.states, exploration.passages), since: begun)
            for finding in exploration.findings { tell(finding) }
        }
        for mutation in Mutation.planted {
            let begun = ContinuousClock.now
            let exploration = Exploration(of: mutation)
            let caught = exploration.findings.map(\.law)
            row(mutation.name, (exploration.states, exploration.passages), since: begun)
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

    private static func row(
        _ name: String,
        _ size: (states: Int, passages: Int),
        since begun: ContinuousClock.Instant
    ) {
        print("\(name): \(size.states) states, \(size.passages) passages, \(ContinuousClock.now - begun)")
    }

    private static func tell(_ finding: Exploration.Finding) {
        print("    broken: \(finding.law.rawValue)")
        for step in finding.way { print("        \(step)") }
    }
}
