/// A failure of PostgreSQL.
enum PostgresFailure: Error, Equatable {
    /// The connection is lost, or the server is about to end it.
    case lost
    /// The server announced the end of the connection before it reached the requested statement, which did not run.
    case skipped
    /// The server did not answer in time; the statement may have run or not.
    case silent
    /// The server refused with an SQLSTATE of five characters (PostgreSQL's manual, appendix A).
    case state(String)

    /// Classifies an SQLSTATE: some mean that the connection ends.
    init(state: String) {
        // Shutdown, crash and startup; behind a pooler also a changed server connection, and a former standby, which is
        // read-only.
        let endings = ["57P01", "57P02", "57P03", "26000", "25006"]
        self = state.hasPrefix("08") || endings.contains(state) ? .lost : .state(state)
    }

    /// A division by zero, which only `PostgresTransaction.demand` causes.
    static let versionMoved = PostgresFailure.state("22012")

    /// Whether the transaction conflicted with another, so that a retry may succeed.
    var isRace: Bool { self == .state("40001") || self == .state("40P01") }
}

extension StoreError {
    /// Classifies a failure by its SQLSTATE or the class that starts it.
    init(_ failure: PostgresFailure) {
        guard case .state(let state) = failure else {
            self = .unavailable
            return
        }
        self =
            switch (state.prefix(2), state) {
            // Blocked too long: a lock, a statement timeout, or endless conflicts.
            case (_, "40001"), (_, "40P01"), (_, "55P03"), (_, "57014"): .busy
            // Too many connections; authentication refused; no such database or schema.
            case (_, "53300"), ("28", _), (_, "3D000"), (_, "3F000"), (_, "42501"), ("58", _): .unavailable
            case ("53", _): .full
            case ("23", _): .conflict
            // Missing tables and columns, unexpected tables, and corrupted pages.
            case (_, "42P01"), (_, "42703"), (_, "42P07"), (_, "XX001"), (_, "XX002"): .damaged
            default: .other(state)
            }
    }
}
