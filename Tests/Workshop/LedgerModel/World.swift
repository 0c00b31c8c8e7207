import ThumbturnRules

/// A row, shared between the worlds that it stands in.
final class Row: Sendable {
    let ledger: Ledger

    init(_ ledger: Ledger) { self.ledger = ledger }
}

/// One call of the vault, at work in one copy of the folder.
final class Process: Sendable {
    /// What the caller does next, once a row is the vault's.
    enum Hand: Hashable, Sendable {
        /// The row was read, the anchor not yet.
        case reading
        /// Nothing was done yet but the look.
        case looking
        /// A finger failed at its prompt, and that is being written.
        case counting
        /// The secret was right: the failures are to be cleared.
        case clearing
        /// The call is over as soon as the machine rests.
        case leaving
    }

    let machine: LedgerMachine
    /// The row that stands in the file as far as this call knows: each write compares with it.
    let base: Row?
    /// What the machine asked for and is still to be done.
    let effects: [LedgerMachine.Effect]
    let hand: Hand
    /// Where this call's own move was answered "moved".
    let won: LedgerPosition?
    /// Whether the anchor went, or may still go, to an attempt on behalf of this call, which is not given back yet.
    let isCharged: Bool

    init(
        machine: LedgerMachine,
        base: Row?,
        effects: [LedgerMachine.Effect],
        hand: Hand,
        won: LedgerPosition?,
        isCharged: Bool
    ) {
        self.machine = machine
        self.base = base
        self.effects = effects
        self.hand = hand
        self.won = won
        self.isCharged = isCharged
    }
}

/// One copy of the vault's folder.
struct Copy {
    /// The row in its file; nil where it was deleted or forged, which the machine can't tell apart.
    var row: Row?
    /// The folder's lock lets one call in at a time.
    var process: Process?
    /// Whether the slot that a PIN would open is another one than the ledger's rows name.
    var slotIsForeign = false
}

/// A move of the anchor that was begun and may still happen, also after its process died.
struct Flight: Hashable {
    let former: LedgerPosition?
    let target: LedgerPosition
    let countsAttempt: Bool
}

/// How much may happen in one exploration.
package struct Bounds: Hashable, Sendable {
    /// Attempts at the local secret.
    package var attempts: UInt8
    /// Fingers that fail at their prompt.
    package var fingers: UInt8
    /// Answers of storage, anchor or derivation that say nothing.
    package var faults: UInt8
    /// Processes that are stopped.
    package var kills: UInt8
    /// Rows put back or deleted, and slots exchanged.
    package var meddling: UInt8
    /// Boots of the device; each stops every process.
    package var boots: UInt8

    /// Makes bounds; what is not named does not happen.
    package init(
        attempts: UInt8 = 0,
        fingers: UInt8 = 0,
        faults: UInt8 = 0,
        kills: UInt8 = 0,
        meddling: UInt8 = 0,
        boots: UInt8 = 0
    ) {
        self.attempts = attempts
        self.fingers = fingers
        self.faults = faults
        self.kills = kills
        self.meddling = meddling
        self.boots = boots
    }
}

/// What really happened, which no copy of the vault knows for sure: the laws hold the rows against it.
struct Truth: Hashable {
    /// Where the anchor stood for each guess that was answered wrong and not forgiven yet; 0 for those before the start.
    var guesses: [UInt64]
    /// The same for each failed finger that its call said was counted.
    var fingers: [UInt64] = []
    /// Guesses answered wrong in all, with those before the start.
    var wrong: UInt32
    /// Where the anchor stood for the last strong success.
    var success: UInt64 = 0
    /// Whether something happened that may count an attempt without a guess: a kill behind the move, or two faults.
    var isExcused = false
    /// Whether somebody wrote the folder who is no vault.
    var isMeddled = false

    mutating func answerWrong(at place: UInt64) {
        wrong += 1
        if place > success { guesses.append(place) }
    }

    /// A success forgives what its row had counted, and that is what the anchor had reached by then.
    mutating func answerRight(at place: UInt64) {
        success = max(success, place)
        guesses.removeAll { $0 <= place }
        fingers.removeAll { $0 <= place }
    }
}

/// Up to three copies of a folder, the device's one anchor, and the calls at work.
struct World {
    var copies: [Copy]
    var anchor: LedgerPosition?
    var flights: [Flight] = []
    /// Every row that was ever stored and may still be worth something: whoever copies folders has them all.
    var earlier: [Row]
    var truth: Truth
    var left: Bounds
    /// Where a derivation ran.
    var derived: [LedgerPosition] = []
    /// Marks are counted here; only which of them are equal matters.
    var marks: UInt64 = 100

    mutating func nextMark() -> Identifier {
        marks += 1
        return Identifier(high: 0, low: marks)
    }

    /// Whether a row can't be the vault's any more, whatever happens: the anchor only goes up.
    func isDead(_ row: Ledger) -> Bool { row.isDead(at: anchor) }

    mutating func moveAnchor(to target: LedgerPosition) {
        anchor = target
        // What is worth no more than a deleted row need not be kept. A flight from elsewhere will find the anchor gone.
        earlier.removeAll { $0.ledger.isDead(at: target) }
        flights.removeAll { $0.former != target }
    }

    mutating func store(_ row: Row?, in copy: Int) {
        copies[copy].row = row
        guard let row, !isDead(row.ledger) else { return }
        if !earlier.contains(where: { $0 === row || $0.ledger == row.ledger }) { earlier.append(row) }
    }
}

extension Ledger {
    fileprivate func isDead(at anchor: LedgerPosition?) -> Bool {
        position != anchor && position.sequence <= (anchor?.sequence ?? 0)
    }
}
