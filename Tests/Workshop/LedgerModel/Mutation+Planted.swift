import ThumbturnRules

// One for each rule of the machine. What a mutant says to the machine, or leaves out of what it answers, is all that differs.
extension Mutation {
    private static let alone = Scenario(
        "one copy",
        .counting,
        copies: 1,
        Bounds(attempts: 2, fingers: 1, faults: 1, kills: 1)
    )
    private static let putBack = Scenario(
        "one copy, put back",
        .counting,
        copies: 1,
        Bounds(attempts: 2, fingers: 1, faults: 1, kills: 1, meddling: 1)
    )
    private static let guessing = Scenario("two copies", .counting, copies: 2, Bounds(attempts: 2, kills: 1))
    private static let two = Scenario(
        "two copies, put back",
        .counting,
        copies: 2,
        Bounds(attempts: 2, fingers: 1, faults: 1, kills: 1, meddling: 1)
    )
    private static let otherAnchor = Scenario("anchor lost", .anchorLost, copies: 1, Bounds(attempts: 1, meddling: 1))

    /// Every mutant.
    package static let planted: [Mutation] = rows + moves + attempts

    private static let rows: [Mutation] = [
        Mutation("a pending row is overwritten", alone, breaks: .faultIsNoDamage) { machine, event in
            guard case .found(let stored?, let anchor, _, let now, let mark) = event,
                LedgerMachine.standing(of: stored, at: anchor) == .pending
            else { return machine.handle(event) }
            return machine.handle(.found(stored: nil, anchor: anchor, isKnown: false, now: now, mark: mark))
        },
        Mutation("a pending row is taken for one that fits", alone, breaks: .faultIsNoGuess) { machine, event in
            guard case .found(let stored?, let anchor, let isKnown, let now, let mark) = event,
                LedgerMachine.standing(of: stored, at: anchor) == .pending
            else { return machine.handle(event) }
            return machine.handle(
                .found(stored: stored, anchor: stored.position, isKnown: isKnown, now: now, mark: mark)
            )
        },
        Mutation("a row that was put back is believed", guessing, breaks: .everyGuessCounts) { machine, event in
            guard case .found(let stored?, let anchor?, let isKnown, let now, let mark) = event,
                LedgerMachine.standing(of: stored, at: anchor) == .putBack
            else { return machine.handle(event) }
            var believed = stored
            believed.position = anchor
            return machine.handle(.found(stored: believed, anchor: anchor, isKnown: isKnown, now: now, mark: mark))
        },
        Mutation("the parent's mark is not compared", otherAnchor, breaks: .everyGuessCounts) { machine, event in
            guard case .found(let stored?, let anchor?, let isKnown, let now, let mark) = event else {
                return machine.handle(event)
            }
            var adopted = stored
            adopted.parent = anchor.mark
            return machine.handle(.found(stored: adopted, anchor: anchor, isKnown: isKnown, now: now, mark: mark))
        },
        Mutation("the row's own mark is not compared", two, breaks: .everyFingerCounts) { machine, event in
            guard case .found(let stored?, let anchor?, let isKnown, let now, let mark) = event,
                stored.position.sequence == anchor.sequence
            else { return machine.handle(event) }
            var believed = stored
            believed.position = anchor
            return machine.handle(.found(stored: believed, anchor: anchor, isKnown: isKnown, now: now, mark: mark))
        },
        Mutation("a ledger that names no slots is made anew again", putBack, breaks: .looksComeToRest) {
            machine,
            event in
            guard case .found(let stored?, let anchor, _, let now, let mark) = event, stored.slots.isEmpty else {
                return machine.handle(event)
            }
            return machine.handle(.found(stored: stored, anchor: anchor, isKnown: false, now: now, mark: mark))
        },
        Mutation("a pending row knows every slot", putBack, breaks: .looksComeToRest) { machine, event in
            guard case .found(let stored?, let anchor, _, let now, let mark) = event,
                LedgerMachine.standing(of: stored, at: anchor) == .pending
            else { return machine.handle(event) }
            return machine.handle(.found(stored: stored, anchor: anchor, isKnown: true, now: now, mark: mark))
        },
        Mutation("what is made anew waits for nothing", two, breaks: .everyGuessCounts) { machine, event in
            machine.handle(event).map { effect in
                guard case .write(var row) = effect, case .writing(_, .renewal, _) = machine.state else {
                    return effect
                }
                row.attempts = AttemptRecord()
                return .write(row)
            }
        },
    ]

    private static let moves: [Mutation] = [
        Mutation("the derivation runs before the move", alone, breaks: .derivesBehindMove) { machine, event in
            let effects = machine.handle(event)
            guard event == .written, case .moving(_, .attempt) = machine.state else { return effects }
            return [.derive] + effects
        },
        Mutation("an anchor that stood elsewhere is taken for moved", guessing, breaks: .derivesBehindMove) {
            machine,
            event in
            machine.handle(event == .stoodElsewhere ? .moved : event)
        },
        Mutation("a move that failed is taken for one that won", alone, breaks: .derivesBehindMove) { machine, event in
            guard event == .failed, case .moving = machine.state else { return machine.handle(event) }
            return machine.handle(.moved)
        },
        Mutation("a failed finger moves no anchor", putBack, breaks: .everyFingerCounts) { machine, event in
            let effects = machine.handle(event)
            guard event == .written, case .moving(_, .demand) = machine.state else { return effects }
            return machine.handle(.moved)
        },
        Mutation("an attempt moves no anchor", two, breaks: .derivesBehindMove) { machine, event in
            let effects = machine.handle(event)
            guard event == .written, case .moving(_, .attempt) = machine.state else { return effects }
            return machine.handle(.moved)
        },
    ]

    private static let attempts: [Mutation] = [
        Mutation("an attempt is not counted", alone, breaks: .everyGuessCounts) { machine, event in
            machine.handle(event).map { effect in
                guard case .write(let row) = effect, case .writing(_, .attempt, _) = machine.state else {
                    return effect
                }
                return .write(row.takenBack)
            }
        },
        Mutation("a pending attempt is taken back before it is settled", two, breaks: .everyGuessCounts) {
            machine,
            event in
            if event == .written, case .settling = machine.state { return [] }
            guard case .found(let stored?, let anchor, let isKnown, let now, let mark) = event,
                stored.beforeAttempt != nil, LedgerMachine.standing(of: stored, at: anchor) == .pending
            else { return machine.handle(event) }
            let settled = LedgerMachine.Event.found(
                stored: stored.takenBack,
                anchor: anchor,
                isKnown: isKnown,
                now: now,
                mark: mark
            )
            return [.write(stored.takenBack)] + machine.handle(settled)
        },
        Mutation("a settled attempt stays counted", alone, breaks: .faultIsNoGuess) { machine, event in
            guard case .found(let stored?, let anchor, let isKnown, let now, let mark) = event,
                LedgerMachine.standing(of: stored, at: anchor) == .pending
            else { return machine.handle(event) }
            var counted = stored
            counted.beforeAttempt = nil
            return machine.handle(.found(stored: counted, anchor: anchor, isKnown: isKnown, now: now, mark: mark))
        },
        Mutation("an attempt is taken back under a new place", alone, breaks: .faultIsNoDamage) { machine, event in
            machine.handle(event).map { effect in
                guard case .write(let row) = effect, case .writing(_, .givingUp, _) = machine.state else {
                    return effect
                }
                return .write(row.successor(mark: Identifier(high: 1, low: row.position.sequence)))
            }
        },
        Mutation("a wrong answer takes the attempt back", alone, breaks: .everyGuessCounts) { machine, event in
            machine.handle(event == .answered ? .interrupted : event)
        },
        Mutation("a derivation that broke off stays counted", alone, breaks: .faultIsNoGuess) { machine, event in
            machine.handle(event == .interrupted ? .answered : event)
        },
        Mutation("an attempt whose move failed stays counted", alone, breaks: .faultIsNoGuess) { machine, event in
            guard event == .failed, case .moving(_, .attempt) = machine.state else { return machine.handle(event) }
            return machine.handle(.stoodElsewhere)
        },
        Mutation("a kill behind the move gives the guess back", two, breaks: .everyGuessCounts) { machine, event in
            guard case .found(let stored?, let anchor, _, _, _) = event, stored.beforeAttempt != nil,
                stored.position == anchor
            else { return machine.handle(event) }
            return machine.handle(event) + machine.handle(.eased(stored.takenBack))
        },
    ]
}

extension Ledger {
    /// The row as it was before its attempt.
    fileprivate var takenBack: Ledger {
        var row = self
        row.attempts = beforeAttempt ?? attempts
        row.beforeAttempt = nil
        return row
    }
}
