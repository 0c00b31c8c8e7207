/// The order in which a ledger's row and its anchor are written, and how to judge a row by its anchor (A8, A10, A12).
///
/// A row that makes anything stricter takes the next position, and the anchor follows by compare-and-move. Of the rows
/// that copies of a folder write at one position, only one is therefore the vault's, and the others count as rolled
/// back. Pure: the shell feeds in the answers of store and anchor, and carries out the effects in order; `make model`
/// explores it.
package struct LedgerMachine: Hashable, Sendable {
    /// What a stored row is, compared with the anchor.
    package enum Standing: Hashable, Sendable {
        /// Row and anchor agree.
        case fits
        /// The row follows the one that the anchor names: its writer was interrupted. The anchor is moved, the row
        /// never overwritten.
        case pending
        /// The row is missing, or another copy of the vault has moved ahead.
        case putBack
    }

    /// Why a row is being written.
    package enum Purpose: Hashable, Sendable {
        /// Something stricter: a failed prompt, a lockout, a revocation, a new head.
        case demand
        /// An attempt at the PIN begins.
        case attempt
        /// The stored row can't be believed.
        case renewal
        /// Something more lenient, or only a new date: the position stays.
        case easing
        /// An attempt whose anchor may not have moved is taken back; that ends the call.
        case givingUp
    }

    package enum State: Hashable, Sendable {
        /// Nothing is known, or a fault left open which row is stored.
        case unknown
        /// The anchor is being moved to a row that an interrupted writer left; `renewal` follows if that row does not
        /// know the slot.
        case settling(Ledger, renewal: Ledger?)
        /// This row is the vault's.
        case standing(Ledger)
        /// A row is being written; the anchor is at `anchor`.
        case writing(Ledger, Purpose, anchor: LedgerPosition?)
        /// The anchor is being moved to a row that was written.
        case moving(Ledger, Purpose)
        /// The slow derivation may run, once: this call moved the anchor.
        case deriving(Ledger)
    }

    package enum Event: Hashable, Sendable {
        /// Row and anchor were read.
        ///
        /// `stored` is nil when there is no authentic row; `isKnown` tells whether it knows the slot that a PIN would
        /// open.
        case found(stored: Ledger?, anchor: LedgerPosition?, isKnown: Bool, now: ClockReading, mark: Identifier)
        /// An attempt is to begin.
        case attempted(now: ClockReading, mark: Identifier)
        /// A stricter row with this content is wanted.
        case demanded(Ledger, mark: Identifier)
        /// A more lenient row with this content is wanted, or the same with other dates.
        case eased(Ledger)
        /// The row is stored.
        case written
        /// A different row is stored than the one that was read: nothing was written.
        case overtaken
        /// The anchor moved.
        case moved
        /// The anchor was at another position, and was not moved.
        case stoodElsewhere
        /// It is unknown whether the row was stored, or the anchor moved.
        case failed
        /// The derivation finished.
        case answered
        /// The derivation did not finish, so nothing was learned about the secret (A19).
        case interrupted
    }

    package enum Effect: Hashable, Sendable {
        /// Store the row if the row that was read is still stored: durably, unless it only eases.
        case write(Ledger)
        /// Move the anchor, durably.
        case move(from: LedgerPosition?, to: LedgerPosition)
        /// Run the slow derivation.
        case derive
        /// Report that the ledger could not be believed.
        case reportUnreliable
        /// End the call: another copy is ahead.
        case refuseOvertaken
        /// End the call: store or anchor are not available now.
        case refuseUnavailable
    }

    package private(set) var state = State.unknown
    private let vault: Identifier

    package init(vault: Identifier) { self.vault = vault }

    /// Starts a ledger that has no row yet, under an anchor that no commit has used.
    package init(founding ledger: Ledger) {
        self.vault = ledger.vault
        self.state = .standing(ledger)
    }

    /// The vault's row; nil while it is unknown.
    package var row: Ledger? {
        switch state {
        case .standing(let row), .deriving(let row): row
        case .unknown, .settling, .writing, .moving: nil
        }
    }

    /// The row that is being written, why, and where the anchor is; nil while none is.
    package var writing: (row: Ledger, purpose: Purpose, anchor: LedgerPosition?)? {
        guard case .writing(let row, let purpose, let anchor) = state else { return nil }
        return (row, purpose, anchor)
    }

    /// Compares a row with an anchor.
    package static func standing(of row: Ledger?, at anchor: LedgerPosition?) -> Standing {
        guard let row else { return .putBack }
        if row.position == anchor { return .fits }
        let next = LedgerPosition.sequence(after: anchor)
        return row.position.sequence == next && row.parent == anchor?.mark ? .pending : .putBack
    }

    /// Handles one event, and returns what to do.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .found(let stored, let anchor, let isKnown, let now, let mark):
            found(stored, anchor, isKnown: isKnown, now: now, mark: mark)
        case .attempted(let now, let mark):
            begin(.attempt) { $0.countingAttempt(at: now, mark: mark) }
        case .demanded(let wanted, let mark):
            begin(.demand) { $0.replacing(wanted).successor(mark: mark) }
        case .eased(let wanted):
            begin(.easing) { $0.replacing(wanted) }
        case .written: written()
        case .moved: moved()
        case .answered: answered()
        case .interrupted: interrupted()
        case .overtaken, .stoodElsewhere: lost()
        case .failed: failed()
        }
    }
}

// One function per event. Each lists every state, so that a new state does not compile until it has been considered.
extension LedgerMachine {
    private mutating func found(
        _ stored: Ledger?,
        _ anchor: LedgerPosition?,
        isKnown: Bool,
        now: ClockReading,
        mark: Identifier
    ) -> [Effect] {
        switch (Self.standing(of: stored, at: anchor), stored) {
        case (.fits, let row?) where isKnown:
            state = .standing(row)
            return []
        case (.pending, let row?):
            // An interrupted writer does not make a rolled-back slot any better known (A7).
            let renewal = Ledger.madeAnew(vault: vault, after: row.position, mark: mark, at: now)
            state = .settling(row, renewal: isKnown ? nil : renewal)
            return [.move(from: anchor, to: row.position)]
        case (.fits, _), (.pending, nil), (.putBack, _):
            return write(.madeAnew(vault: vault, after: anchor, mark: mark, at: now), .renewal, anchor: anchor)
        }
    }

    private mutating func begin(_ purpose: Purpose, _ next: (Ledger) -> Ledger) -> [Effect] {
        switch state {
        case .standing(let row):
            return write(next(row), purpose, anchor: row.position)
        case .unknown, .settling, .writing, .moving, .deriving:
            return end(.refuseUnavailable)
        }
    }

    private mutating func written() -> [Effect] {
        switch state {
        case .writing(let row, .demand, let anchor), .writing(let row, .attempt, let anchor),
            .writing(let row, .renewal, let anchor):
            guard case .writing(_, let purpose, _) = state else { return end(.refuseUnavailable) }
            state = .moving(row, purpose)
            return [.move(from: anchor, to: row.position)]
        case .writing(let row, .easing, _):
            state = .standing(row)
            return []
        case .writing(_, .givingUp, _), .unknown, .settling, .standing, .moving, .deriving:
            return end(.refuseUnavailable)
        }
    }

    private mutating func moved() -> [Effect] {
        switch state {
        case .settling(let row, let renewal?):
            return write(renewal, .renewal, anchor: row.position)
        case .settling(let row, nil) where row.beforeAttempt != nil:
            // The anchor had not moved, so nothing was derived, and nothing will be: the writer's own move now fails.
            return write(row.withoutAttempt, .easing, anchor: row.position)
        case .settling(let row, nil), .moving(let row, .demand):
            state = .standing(row)
            return []
        case .moving(let row, .attempt):
            state = .deriving(row)
            return [.derive]
        case .moving(let row, .renewal):
            state = .standing(row)
            return [.reportUnreliable]
        case .unknown, .standing, .writing, .moving(_, .easing), .moving(_, .givingUp), .deriving:
            return end(.refuseUnavailable)
        }
    }

    /// Leaves the row as it is after a wrong secret: it already counts the attempt.
    private mutating func answered() -> [Effect] {
        switch state {
        case .deriving(let row):
            state = .standing(row)
            return []
        case .unknown, .settling, .standing, .writing, .moving:
            return end(.refuseUnavailable)
        }
    }

    private mutating func interrupted() -> [Effect] {
        switch state {
        case .deriving(let row):
            return write(row.withoutAttempt, .easing, anchor: row.position)
        case .unknown, .settling, .standing, .writing, .moving:
            return []
        }
    }

    private mutating func lost() -> [Effect] {
        switch state {
        case .writing(_, .givingUp, _): end(.refuseUnavailable)
        case .unknown, .settling, .standing, .writing, .moving, .deriving: end(.refuseOvertaken)
        }
    }

    private mutating func failed() -> [Effect] {
        switch state {
        case .moving(let row, .attempt):
            // Whether it moved or not, nothing will be derived.
            return write(row.withoutAttempt, .givingUp, anchor: row.position)
        case .unknown, .settling, .standing, .writing, .moving, .deriving:
            return end(.refuseUnavailable)
        }
    }

    private mutating func write(_ row: Ledger, _ purpose: Purpose, anchor: LedgerPosition?) -> [Effect] {
        state = .writing(row, purpose, anchor: anchor)
        return [.write(row)]
    }

    private mutating func end(_ refusal: Effect) -> [Effect] {
        state = .unknown
        return [refusal]
    }
}

extension Ledger {
    /// Returns this row with another row's content, keeping its place in the chain.
    fileprivate func replacing(_ wanted: Ledger) -> Ledger {
        var row = wanted
        row.position = position
        row.parent = parent
        return row
    }
}
