import ThumbturnRules

/// A way to turn the machine: as it is, or with one rule broken.
///
/// The model hands every event to the machine through this one door, so a mutant can lie about an event, drop an effect
/// or put another one in, and the machine's code stays the product's.
package struct Mutation: Sendable {
    typealias Turn = @Sendable (inout LedgerMachine, LedgerMachine.Event) -> [LedgerMachine.Effect]

    /// The rule that it breaks.
    package let name: String
    /// The scenario that shows it.
    package let scenario: Scenario
    /// What it must be caught by; nil for the machine as it is.
    package let law: Law?
    let turn: Turn

    init(_ name: String, _ scenario: Scenario, breaks law: Law?, _ turn: @escaping Turn) {
        self.name = name
        self.scenario = scenario
        self.law = law
        self.turn = turn
    }

    /// The product's machine.
    static func none(_ scenario: Scenario) -> Mutation {
        Mutation("none", scenario, breaks: nil) { $0.handle($1) }
    }
}
