import ThumbturnRules

/// What tells two worlds apart, in 128 bits: copies in any order, and marks only by which of them are equal.
///
/// A row that can't be the vault's any more is worth no more than a deleted one, so both are one.
struct Key: Hashable {
    private var high: UInt64 = 0x243F_6A88_85A3_08D3
    private var low: UInt64 = 0x1319_8A2E_0370_7344

    mutating func add(_ word: UInt64) {
        high = (high ^ word) &* 0x9E37_79B9_7F4A_7C15
        high ^= high >> 32
        low = (low &+ word &+ 1) &* 0xC2B2_AE3D_27D4_EB4F
        low ^= low >> 29
    }

    mutating func add(_ other: Key) {
        add(other.high)
        add(other.low)
    }

    static func < (left: Key, right: Key) -> Bool { (left.high, left.low) < (right.high, right.low) }

    func hash(into hasher: inout Hasher) { hasher.combine(low) }
}

extension World {
    var key: Key {
        var key = Key()
        var marks = Marks(anchor)
        let order = copies.indices.map { ($0, signature($0)) }.sorted { $0.1 < $1.1 }
        for (index, signature) in order {
            key.add(signature)
            name(index, &marks, &key)
        }
        for (row, shape) in earlier.map({ ($0, shape($0.ledger)) }).sorted(by: { $0.1 < $1.1 }) {
            key.add(shape)
            marks.name(row.ledger, &key)
        }
        key.add(UInt64(flights.count))
        for flight in flights {
            key.add(marks.number(flight.target.mark) << 1 | (flight.countsAttempt ? 1 : 0))
        }
        key.add(UInt64(truth.guesses.count) << 32 | UInt64(truth.wrong))
        let flags: UInt64 = (truth.isExcused ? 1 : 0) | (truth.isMeddled ? 2 : 0) | (anchor == nil ? 4 : 0)
        let isDerived: UInt64 = derived.contains { $0 == anchor } ? 8 : 0
        key.add(UInt64(truth.fingers.count) << 8 | flags | isDerived)
        let bounds = [left.attempts, left.fingers, left.faults, left.kills, left.meddling, left.boots]
        key.add(bounds.reduce(0) { $0 << 8 | UInt64($1) })
        return key
    }

    /// A row without its marks, as it lies to the anchor.
    private func shape(_ row: Ledger?) -> UInt64 {
        guard let row, !isDead(row) else { return 0 }
        let distance = row.position.sequence - (anchor?.sequence ?? 0)
        var shape: UInt64 = 1 << 8 | min(distance, 15) << 4
        if row.parent == nil { shape |= 1 }
        if row.slots.isEmpty { shape |= 2 }
        shape = shape << 16 | record(row.attempts)
        shape = shape << 16 | (row.beforeAttempt.map(record) ?? 0)
        return shape << 4 | UInt64(row.biometricFailures)
    }

    private func record(_ record: AttemptRecord) -> UInt64 {
        let date: UInt64 = record.since.map { $0.bootID == ClockReading.now.bootID ? 1 : 2 } ?? 0
        return 1 << 15 | UInt64(record.failures) << 4 | date << 1 | (record.isReliable ? 1 : 0)
    }

    /// A copy without any marks.
    private func signature(_ index: Int) -> Key {
        let copy = copies[index]
        var key = Key()
        key.add(shape(copy.row?.ledger) << 1 | (copy.slotIsForeign ? 1 : 0))
        guard let process = copy.process else { return key }
        let isBase = process.base?.ledger == copy.row?.ledger
        key.add(UInt64(process.hand.number) << 2 | (process.isCharged ? 2 : 0) | (isBase ? 1 : 0))
        key.add(shape(process.base?.ledger))
        key.add(process.machine.state.number)
        key.add(shape(process.machine.state.row))
        if let place = process.machine.derivedPosition?.sequence {
            // What its answer forgives, or is forgiven by.
            let later = truth.guesses.count { $0 > place } << 8 | truth.fingers.count { $0 > place }
            key.add(UInt64(later) << 1 | (place > truth.success ? 1 : 0))
        }
        for effect in process.effects {
            key.add(effect.number)
            if case .write(let row) = effect { key.add(shape(row)) }
        }
        return key
    }

    private func name(_ index: Int, _ marks: inout Marks, _ key: inout Key) {
        let copy = copies[index]
        name(copy.row?.ledger, &marks, &key)
        guard let process = copy.process else { return }
        if process.hand == .reading { name(process.base?.ledger, &marks, &key) }
        name(process.machine.state.row, &marks, &key)
        for effect in process.effects {
            switch effect {
            case .write(let row): name(row, &marks, &key)
            case .move(let former, let target):
                key.add(former == anchor ? 1 : 0)
                key.add(target.sequence > (anchor?.sequence ?? 0) ? marks.number(target.mark) : 0)
            case .derive, .reportUnreliable, .refuseOvertaken, .refuseUnavailable: break
            }
        }
        if process.effects.first == .derive {
            key.add(process.won == process.machine.state.row?.position ? 1 : 0)
        }
    }

    private func name(_ row: Ledger?, _ marks: inout Marks, _ key: inout Key) {
        if let row, !isDead(row) { marks.name(row, &key) }
    }
}

/// The marks of a world, numbered as they are met.
private struct Marks {
    private var known: [Identifier] = []

    init(_ anchor: LedgerPosition?) {
        if let mark = anchor?.mark { known.append(mark) }
    }

    mutating func name(_ row: Ledger, _ key: inout Key) {
        key.add(number(row.position.mark) << 16 | number(row.parent))
    }

    mutating func number(_ mark: Identifier?) -> UInt64 {
        guard let mark else { return 0 }
        if let index = known.firstIndex(of: mark) { return UInt64(index) + 1 }
        known.append(mark)
        return UInt64(known.count)
    }
}

extension Process.Hand {
    fileprivate var number: UInt8 {
        switch self {
        case .reading: 0
        case .looking: 1
        case .counting: 2
        case .clearing: 3
        case .leaving: 4
        }
    }
}

extension LedgerMachine.State {
    fileprivate var row: Ledger? {
        switch self {
        case .unknown: nil
        case .settling(let row, _), .standing(let row), .writing(let row, _, _), .moving(let row, _),
            .deriving(let row):
            row
        }
    }

    fileprivate var number: UInt64 {
        switch self {
        case .unknown: 0
        case .settling(_, nil): 1
        case .settling(_, .some): 4
        case .standing: 2
        case .deriving: 3
        case .writing(_, let purpose, _): 8 + purpose.number
        case .moving(_, let purpose): 16 + purpose.number
        }
    }
}

extension LedgerMachine.Purpose {
    fileprivate var number: UInt64 {
        switch self {
        case .demand: 0
        case .attempt: 1
        case .renewal: 2
        case .easing: 3
        case .givingUp: 4
        }
    }
}

extension LedgerMachine.Effect {
    fileprivate var number: UInt64 {
        switch self {
        case .write: 1
        case .move: 2
        case .derive: 3
        case .reportUnreliable: 4
        case .refuseOvertaken: 5
        case .refuseUnavailable: 6
        }
    }
}
