import ThumbturnRules

/// Where an exploration starts, and how far it goes.
package struct Scenario: Sendable {
    package let name: String
    let copies: Int
    let start: Start
    /// How much may happen.
    package let bounds: Bounds
    /// An exploration that shrinks has stopped looking.
    package let leastStates: Int

    /// What stands there at the start.
    package enum Start: Sendable {
        /// Row and anchor agree, three guesses are counted: the next one makes the owner wait.
        case counting
        /// A vault whose first row is stored, and which has no anchor yet.
        case founded
        /// The device lost its anchor and has another one; rows that followed the lost one were kept.
        case anchorLost
    }

    /// Names a scenario.
    package init(_ name: String, _ start: Start, copies: Int, _ bounds: Bounds, leastStates: Int = 0) {
        self.name = name
        self.start = start
        self.copies = copies
        self.bounds = bounds
        self.leastStates = leastStates
    }

    static let vault = Identifier(high: 0, low: 1)
    private static let slot = Identifier(high: 0, low: 2)

    var world: World {
        func row(_ sequence: UInt64, _ mark: UInt64, parent: UInt64? = nil, failures: UInt32 = 3) -> Ledger {
            let position = LedgerPosition(sequence: sequence, mark: Identifier(high: 0, low: mark))
            var row = Ledger(vault: Self.vault, position: position, parent: parent.map { Identifier(high: 0, low: $0) })
            row.attempts = AttemptRecord(failures: failures, since: failures == 0 ? nil : .now)
            row.slots = [Self.slot]
            return row
        }
        var stored: Ledger
        var anchor: LedgerPosition?
        var kept: [Ledger] = []
        var failures: UInt32 = 3
        switch start {
        case .counting:
            stored = row(5, 15, parent: 14)
            anchor = stored.position
        case .founded:
            stored = row(1, 11, failures: 0)
            failures = 0
        case .anchorLost:
            stored = row(1, 11, failures: AttemptSchedule.suspensionLimit)
            stored.attempts = .unreliable(at: .now)
            stored.slots = []
            anchor = stored.position
            kept = [row(2, 22, parent: 21, failures: 0)]
        }
        let first = Row(stored)
        var truth = Truth(guesses: Array(repeating: 0, count: Int(failures)), wrong: failures)
        // It lost its anchor to somebody, and waits longest for that.
        if case .anchorLost = start { truth.isMeddled = true }
        return World(
            copies: Array(repeating: Copy(row: first), count: copies),
            anchor: anchor,
            earlier: [first] + kept.map(Row.init),
            truth: truth,
            left: bounds
        )
    }
}
