import LedgerModel
import Testing
import ThumbturnRules

/// Explores the ledger's machine in a small bound; `make model` goes further.
@Suite struct LedgerModelTests {
    @Test(
        "every world that copies, kills and faults lead to keeps the laws",
        .holds("A8", "A10", "A19"),
        arguments: Scenario.some
    )
    func everyWorldKeepsTheLaws(scenario: Scenario) {
        let exploration = Exploration(of: scenario)
        print("model \(scenario.name): \(exploration.states) states, \(exploration.passages) passages")
        let broken = exploration.findings.map { "\($0.law.rawValue): \($0.way.joined(separator: "; "))" }
        #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
        #expect(exploration.states >= scenario.leastStates)
    }

    @Test("each planted mutant of the machine is caught by its law", arguments: Mutation.planted)
    func mutantsAreCaught(mutation: Mutation) {
        let caught = Exploration(of: mutation).findings.map(\.law)
        #expect(caught.contains { $0 == mutation.law }, "\(mutation.name): \(caught)")
    }
}
