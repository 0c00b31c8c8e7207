import ThumbturnRules

/// What follows a world, and the law that the way there breaks.
struct Passage {
    let step: Step
    let world: World
    let broken: Law?
}

/// Takes every step that a world allows.
struct Stepper {
    let mutation: Mutation
    private(set) var passages: [Passage] = []

    init(mutation: Mutation) {
        self.mutation = mutation
        passages.reserveCapacity(64)
    }

    mutating func step(from world: World) -> [Passage] {
        passages.removeAll(keepingCapacity: true)
        for copy in world.copies.indices {
            if let process = world.copies[copy].process {
                work(process, copy, world)
                if world.left.kills > 0 { kill(process, copy, world) }
            } else {
                begin(copy, world)
            }
            if world.left.meddling > 0 { meddle(copy, world) }
        }
        if !world.flights.isEmpty { land(world) }
        if world.left.boots > 0 { boot(world) }
        return passages
    }

    private mutating func add(_ step: Step, _ world: World, broken: Law? = nil) {
        passages.append(Passage(step: step, world: world, broken: broken))
    }
}

// A call, step by step.
extension Stepper {
    private mutating func begin(_ copy: Int, _ world: World) {
        var next = world
        next.copies[copy].process = Process(
            machine: LedgerMachine(vault: Scenario.vault),
            base: world.copies[copy].row,
            effects: [],
            hand: .reading,
            won: nil,
            isCharged: false
        )
        add(.begins(copy), next)
    }

    private mutating func work(_ process: Process, _ copy: Int, _ world: World) {
        switch process.effects.first {
        case .write(let row)?: write(row, process, copy, world)
        case .move(let former, let target)?: move(from: former, to: target, process, copy, world)
        case .derive?: derive(process, copy, world)
        case .reportUnreliable?, .refuseOvertaken?, .refuseUnavailable?, nil: choose(process, copy, world)
        }
    }

    /// Nothing is under way: the caller says what it came for.
    private mutating func choose(_ process: Process, _ copy: Int, _ world: World) {
        if process.hand == .reading { return look(process, copy, world) }
        guard let row = process.machine.row else { return }
        switch process.hand {
        case .reading, .counting, .leaving: break
        case .clearing:
            for byHead in [false, true] {
                var next = world
                let event: LedgerMachine.Event =
                    byHead ? .demanded(row.cleared, mark: next.nextMark()) : .eased(row.cleared)
                feed(event, process, copy, &next, hand: .leaving)
                add(.clears(copy, byHead: byHead), next)
            }
            return
        case .looking:
            if let dated = row.dated {
                var next = world
                feed(.eased(dated), process, copy, &next)
                return add(.dates(copy), next)
            }
            attempt(row, process, copy, world)
            countFinger(row, process, copy, world)
        }
        var next = world
        next.copies[copy].process = nil
        add(.ends(copy), next)
    }

    private mutating func look(_ process: Process, _ copy: Int, _ world: World) {
        var next = world
        let found = Self.found(world.copies[copy], process.base?.ledger, world.anchor, mark: next.nextMark())
        feed(found, process, copy, &next, hand: .looking)
        add(.looks(copy), next)
    }

    static func found(_ copy: Copy, _ row: Ledger?, _ anchor: LedgerPosition?, mark: Identifier) -> LedgerMachine.Event
    {
        // A ledger that was made anew names no slots, and waits for a head that somebody verified.
        let isKnown = row.map { $0.slots.isEmpty || !copy.slotIsForeign } ?? false
        return .found(stored: row, anchor: anchor, isKnown: isKnown, now: .now, mark: mark)
    }

    private mutating func attempt(_ row: Ledger, _ process: Process, _ copy: Int, _ world: World) {
        guard world.left.attempts > 0, row.attempts.waitEnds else { return }
        var next = world
        next.left.attempts -= 1
        feed(.attempted(now: .now, mark: next.nextMark()), process, copy, &next, hand: .leaving)
        let isUnnamed = world.copies[copy].slotIsForeign && !row.slots.isEmpty
        add(
            .attempts(copy),
            next,
            broken: row.attempts.isShortenedByClocks ? .clocksEndNoWait : isUnnamed ? .opensNamed : nil
        )
    }

    private mutating func countFinger(_ row: Ledger, _ process: Process, _ copy: Int, _ world: World) {
        guard world.left.fingers > 0 else { return }
        var next = world
        next.left.fingers -= 1
        var wanted = row
        wanted.biometricFailures += 1
        feed(.demanded(wanted, mark: next.nextMark()), process, copy, &next, hand: .counting)
        add(.failsFinger(copy), next)
    }

    private mutating func write(_ row: Ledger, _ process: Process, _ copy: Int, _ world: World) {
        let stands = world.copies[copy].row?.ledger == process.base?.ledger
        let stored = Row(row)
        let takesBack = row.beforeAttempt == nil
        var next = world
        if stands {
            next.store(stored, in: copy)
            feed(.written, process, copy, &next, base: stored, isCharged: process.isCharged && !takesBack)
            add(.writes(copy, .done), next)
        } else {
            next.truth.isExcused = true  // Only who writes the folder gets here.
            feed(.overtaken, process, copy, &next)
            add(.writes(copy, .refused), next)
        }
        guard world.left.faults > 0 else { return }
        for isDone in stands ? [false, true] : [false] {
            next = world
            next.left.faults -= 1
            if isDone { next.store(stored, in: copy) }
            // The second fault of a call, or its first behind a kill: nobody is left to give the attempt back.
            if process.isCharged { next.truth.isExcused = next.truth.isExcused || !isDone || !takesBack }
            feed(.failed, process, copy, &next, base: isDone ? stored : process.base)
            add(.writes(copy, isDone ? .failedDone : .failedUndone), next)
        }
    }

    private mutating func move(
        from former: LedgerPosition?,
        to target: LedgerPosition,
        _ process: Process,
        _ copy: Int,
        _ world: World
    ) {
        let mayMove = LedgerPosition.mayMove(world.anchor, from: former, to: target)
        let countsAttempt = process.machine.opensAttempt
        var next = world
        if mayMove {
            next.moveAnchor(to: target)
            feed(.moved, process, copy, &next, won: target, isCharged: process.isCharged || countsAttempt)
            add(.moves(copy, .done), next)
        } else {
            feed(.stoodElsewhere, process, copy, &next)
            add(.moves(copy, .refused), next)
        }
        guard world.left.faults > 0 else { return }
        let answers: [Step.Answer] = mayMove ? [.failedUndone, .failedDone, .failedLater] : [.failedUndone]
        for answer in answers {
            next = world
            next.left.faults -= 1
            carryOut(answer, from: former, to: target, countsAttempt, &next)
            if answer != .failedUndone, process.machine.settlesAttempt { next.truth.isExcused = true }
            let isCharged = process.isCharged || (answer != .failedUndone && countsAttempt)
            feed(.failed, process, copy, &next, isCharged: isCharged)
            add(.moves(copy, answer), next)
        }
    }

    private func carryOut(
        _ answer: Step.Answer,
        from former: LedgerPosition?,
        to target: LedgerPosition,
        _ countsAttempt: Bool,
        _ world: inout World
    ) {
        switch answer {
        case .failedDone: world.moveAnchor(to: target)
        case .failedLater:
            let flight = Flight(former: former, target: target, countsAttempt: countsAttempt)
            if !world.flights.contains(flight) { world.flights.append(flight) }
        case .done, .refused, .wrong, .right, .failedUndone: break
        }
    }

    private mutating func derive(_ process: Process, _ copy: Int, _ world: World) {
        let place = process.machine.derivedPosition
        let broken: Law? =
            switch place {
            case let place? where place == process.won: world.derived.contains(place) ? .derivesOnce : nil
            case .some, nil: .derivesBehindMove
            }
        var next = world
        if let place { next.derived = world.derived.filter { $0.sequence >= place.sequence } + [place] }
        let started = next
        next.truth.answerWrong(at: place?.sequence ?? 0)
        // From here on the row that counts the attempt is as it must be.
        feed(.answered, process, copy, &next, hand: .leaving, isCharged: false)
        add(.derives(copy, .wrong), next, broken: broken)
        next = started
        next.truth.answerRight(at: place?.sequence ?? 0)
        feed(.answered, process, copy, &next, hand: .clearing)
        add(.derives(copy, .right), next, broken: broken)
        guard world.left.faults > 0 else { return }
        next = started
        next.left.faults -= 1
        feed(.interrupted, process, copy, &next)
        add(.derives(copy, .failedUndone), next, broken: broken)
    }

    /// Tells a call's machine what happened, and keeps what it asks for.
    private func feed(
        _ event: LedgerMachine.Event,
        _ process: Process,
        _ copy: Int,
        _ world: inout World,
        hand: Process.Hand? = nil,
        base: Row? = nil,
        won: LedgerPosition? = nil,
        isCharged: Bool? = nil
    ) {
        var machine = process.machine
        let effects = (Array(process.effects.dropFirst()) + mutation.turn(&machine, event))
            .filter { $0 != .reportUnreliable }
        let isOver = effects.contains(.refuseOvertaken) || effects.contains(.refuseUnavailable)
        guard !isOver, !effects.isEmpty || machine.row != nil else { return world.copies[copy].process = nil }
        var nextHand = hand ?? process.hand
        if nextHand == .counting, effects.isEmpty, let row = machine.row {
            // The call says that the finger was counted.
            world.truth.fingers.append(row.position.sequence)
            nextHand = .leaving
        }
        world.copies[copy].process = Process(
            machine: machine,
            base: base ?? process.base,
            effects: effects,
            hand: nextHand,
            won: won ?? process.won,
            isCharged: isCharged ?? process.isCharged
        )
    }
}

// What stops calls, and who writes the folder besides.
extension Stepper {
    private mutating func kill(_ process: Process, _ copy: Int, _ world: World) {
        var killed = world
        killed.left.kills -= 1
        killed.copies[copy].process = nil
        if process.isCharged { killed.truth.isExcused = true }
        add(.killed(copy, .done), killed)
        guard case .move(let former, let target)? = process.effects.first,
            LedgerPosition.mayMove(world.anchor, from: former, to: target)
        else { return }
        for answer in [Step.Answer.failedDone, .failedLater] {
            var next = killed
            carryOut(answer, from: former, to: target, process.machine.opensAttempt, &next)
            if process.machine.opensAttempt { next.truth.isExcused = true }
            add(.killed(copy, answer), next)
        }
    }

    private mutating func land(_ world: World) {
        for flight in world.flights where flight.former == world.anchor {
            var next = world
            next.flights.removeAll { $0 == flight }
            next.moveAnchor(to: flight.target)
            add(.movesLate, next)
        }
    }

    /// Ends every process, and dates whatever was dated in the boot before.
    private mutating func boot(_ world: World) {
        var next = world
        next.left.boots -= 1
        next.flights = []
        next.earlier = world.earlier.map { Row($0.ledger.afterBoot) }
        for copy in world.copies.indices {
            if world.copies[copy].process?.isCharged == true { next.truth.isExcused = true }
            next.copies[copy].process = nil
            next.copies[copy].row = world.copies[copy].row.map { Row($0.ledger.afterBoot) }
        }
        add(.boots, next)
    }

    private mutating func meddle(_ copy: Int, _ world: World) {
        var meddled = world
        meddled.left.meddling -= 1
        meddled.truth.isExcused = true
        meddled.truth.isMeddled = true
        if world.copies[copy].row != nil {
            var next = meddled
            next.copies[copy].row = nil
            add(.deletes(copy), next)
        }
        for (index, row) in world.earlier.enumerated() where row.ledger != world.copies[copy].row?.ledger {
            var next = meddled
            next.copies[copy].row = row
            add(.putsBack(copy, index), next)
        }
        // A call looks at the slots once, under the folder's lock.
        if !world.copies[copy].slotIsForeign, world.copies[copy].process == nil {
            var next = meddled
            next.copies[copy].slotIsForeign = true
            add(.exchangesSlot(copy), next)
        }
    }
}

extension LedgerMachine {
    /// Whether the move under way goes to a row that counts an attempt.
    var opensAttempt: Bool {
        switch state {
        case .settling(let row, _), .moving(let row, _): row.beforeAttempt != nil
        case .unknown, .standing, .writing, .deriving: false
        }
    }

    /// Whether the move under way settles an attempt that somebody else began.
    var settlesAttempt: Bool {
        switch state {
        case .settling(let row, _): row.beforeAttempt != nil
        case .unknown, .standing, .writing, .moving, .deriving: false
        }
    }

    var derivedPosition: LedgerPosition? {
        switch state {
        case .deriving(let row): row.position
        case .unknown, .standing, .writing, .moving, .settling: nil
        }
    }
}
