import Testing
import ThumbturnRules

/// What becomes of a row that a stopped writer left ahead of its anchor, and of one that knows another slot.
@Suite struct LedgerPendingTests {
    private func identifier(_ number: UInt64) -> Identifier { Identifier(high: 0, low: number) }

    private var now: ClockReading { ClockReading(wall: .days(20_000), boottime: .hours(1), bootID: identifier(9)) }

    @Test(.holds("A7"))
    func `a row that fits its anchor is the vault's where it knows the slot, and is made anew where not`() {
        let anchor = LedgerPosition(sequence: 5, mark: identifier(5))
        var row = Ledger(vault: identifier(1), position: anchor)
        row.slots = [identifier(2)]
        for isKnown in [true, false] {
            var machine = LedgerMachine(vault: identifier(1))
            let orders = machine.handle(
                .found(stored: row, anchor: anchor, isKnown: isKnown, now: now, mark: identifier(6))
            )
            #expect(machine.row == (isKnown ? row : nil))
            guard case .write(let renewed)? = orders.first else {
                #expect(isKnown && orders.isEmpty)
                continue
            }
            #expect(!isKnown && renewed.slots.isEmpty && !renewed.attempts.isReliable)
            #expect(renewed.position == LedgerPosition(sequence: 6, mark: identifier(6)))
        }
    }

    @Test(.holds("A7")) func `a pending row of another slot is settled, and nothing is tried before it is made anew`() {
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
