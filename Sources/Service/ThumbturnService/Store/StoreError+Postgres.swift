/// Why PostgreSQL did not do what it was asked.
enum PostgresFailure: Error, Equatable {
    /// The connection is gone, or the server is about to end it.
    case lost
    /// The server told that the connection is of no use before it came to the statement that was asked for, and did not run that.
    case skipped
    /// The server did not answer in time; whether it ran the statement is unknown.
    case silent
    /// It refused, with a state of five characters (PostgreSQL's manual, appendix A).
    case state(String)

    /// Sorts a state: some tell that the connection ends.
    init(state: String) {
        // Shut down, crashed, starting; behind a pooler also a connection that was changed beneath its statements, and a
        // server that was a standby's, which only reads.
        let endings = ["57P01", "57P02", "57P03", "26000", "25006"]
        self = state.hasPrefix("08") || endings.contains(state) ? .lost : .state(state)
    }

    /// A division by zero, which no statement but `PostgresTransaction.demand` makes.
    static let versionMoved = PostgresFailure.state("22012")

    /// Whether the same transaction may succeed when it is tried again: it was in another's way.
    var isRace: Bool { self == .state("40001") || self == .state("40P01") }
}

extension StoreError {
    /// Sorts what PostgreSQL tells, by its state, or the class that this begins with.
    init(_ failure: PostgresFailure) {
        guard case .state(let state) = failure else {
            self = .unavailable
            return
        }
        self =
            switch (state.prefix(2), state) {
            // Somebody in the way for too long: a lock, a statement's time, or transactions without end.
            case (_, "40001"), (_, "40P01"), (_, "55P03"), (_, "57014"): .busy
            // Too many connections; no way in with these words; no such database or schema.
            case (_, "53300"), ("28", _), (_, "3D000"), (_, "3F000"), (_, "42501"), ("58", _): .unavailable
            case ("53", _): .full
            case ("23", _): .conflict
            // Missing tables and columns, tables that were there before, and pages that don't hold together.
            case (_, "42P01"), (_, "42703"), (_, "42P07"), (_, "XX001"), (_, "XX002"): .damaged
            default: .other(state)
            }
    }
}
