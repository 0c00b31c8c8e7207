import ThumbturnRules

/// What one call without a fault makes of a copy that nobody else writes.
struct Look {
    /// The row that it takes for the vault's; nil where it finds none.
    let row: Ledger?
    /// The row in the file behind it.
    let stored: Ledger?
    let anchor: LedgerPosition?
    let isQuiet: Bool

    /// - Parameter stored: what stands in the copy's file.
    init(at copy: Copy, stored: Ledger?, anchor: LedgerPosition?, by turn: Mutation.Turn) {
        var machine = LedgerMachine(vault: Scenario.vault)
        var place = anchor
        var file = stored
        let mark = Identifier(high: 2, low: anchor?.sequence ?? 0)
        var isQuiet = true
        var queue = turn(&machine, Stepper.found(copy, stored, anchor, mark: mark))
        var isDated = false
        for _ in 0..<12 {
            guard let effect = queue.first else {
                guard !isDated, let dated = machine.row?.dated else { break }
                isDated = true
                queue = turn(&machine, .eased(dated))
                continue
            }
            queue.removeFirst()
            switch effect {
            case .write(let row):
                isQuiet = false
                file = row
                queue += turn(&machine, .written)
            case .move(let former, let target):
                isQuiet = false
                let mayMove = LedgerPosition.mayMove(place, from: former, to: target)
                if mayMove { place = target }
                queue += turn(&machine, mayMove ? .moved : .stoodElsewhere)
            case .reportUnreliable: isQuiet = false
            case .derive, .refuseOvertaken, .refuseUnavailable: queue = []
            }
        }
        self.row = queue.isEmpty ? machine.row : nil
        self.stored = file
        self.anchor = place
        self.isQuiet = isQuiet
    }
}

extension World {
    /// The laws that this world breaks.
    func brokenLaws(_ turn: Mutation.Turn) -> Set<Law> {
        var broken: Set<Law> = []
        for index in copies.indices {
            let copy = copies[index]
            let look = Look(at: copy, stored: copy.row?.ledger, anchor: anchor, by: turn)
            guard let row = look.row, row.attempts.waitEnds else {
                broken.insert(.everyWaitEnds)
                continue
            }
            let again = Look(at: copy, stored: look.stored, anchor: look.anchor, by: turn)
            judge(row, &broken)
            guard again.row != row || !again.isQuiet else { continue }
            broken.insert(.looksComeToRest)
            if let next = again.row { judge(next, &broken) }
        }
        return broken
    }

    private func judge(_ row: Ledger, _ broken: inout Set<Law>) {
        guard row.attempts.isReliable else {
            if copies.count == 1, !truth.isMeddled { broken.insert(.faultIsNoDamage) }
            return
        }
        if row.attempts.failures < truth.guesses.count { broken.insert(.everyGuessCounts) }
        if row.biometricFailures < truth.fingers.count { broken.insert(.everyFingerCounts) }
        let isAtRest = flights.isEmpty && copies.allSatisfy { $0.process == nil }
        if isAtRest, !truth.isExcused, row.attempts.failures > truth.wrong { broken.insert(.faultIsNoGuess) }
    }
}
