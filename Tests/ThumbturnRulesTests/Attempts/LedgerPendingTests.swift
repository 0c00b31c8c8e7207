import Testing
import ThumbturnRules

/// What becomes of a row that a stopped writer left ahead of its anchor.
@Suite struct LedgerPendingTests {
    @Test func `A7: a pending row of another slot is settled, and nothing is tried before it is made anew`() {
        func identifier(_ number: UInt64) -> Identifier { Identifier(high: 0, low: number) }
        let now = ClockReading(wall: .days(20_000), boottime: .hours(1), bootID: identifier(9))
        let anchor = LedgerPosition(sequence: 5, mark: identifier(5))
        var row = Ledger(vault: identifier(1), position: anchor)
        row.slots = [identifier(2)]
        let pending = row.successor(mark: identifier(6))
        var machine = LedgerMachine(vault: identifier(1))
        let found = LedgerMachine.Event.found(
            stored: pending,
            anchor: anchor,
            isKnown: false,
            now: now,
            mark: identifier(7)
        )
        #expect(machine.handle(found) == [.move(from: anchor, to: pending.position)])
        guard case .write(let renewed)? = machine.handle(.moved).first else {
            Issue.record("the row of another slot is taken for the vault's")
            return
        }
        #expect(machine.row == nil)
        #expect(renewed.position == LedgerPosition(sequence: 7, mark: identifier(7)))
        #expect(renewed.parent == identifier(6))
        #expect(!renewed.attempts.isReliable)
        #expect(renewed.slots.isEmpty)
    }
}
