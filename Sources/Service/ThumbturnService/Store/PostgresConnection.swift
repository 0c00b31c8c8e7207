internal import CPostgres
internal import Glibc
internal import ThumbturnFiles

/// A connection to PostgreSQL, with statements prepared once and a timeout on every wait.
///
/// Not `Sendable`: only one thread uses it.
@safe final class PostgresConnection {
    private let handle: OpaquePointer
    private let patience: Int64
    /// The prepared statements, by the address of their text, which is constant while the program runs.
    private var prepared: Set<UInt> = []
    /// What was sent and not yet answered, in order: the statement being prepared, or `nil` for one being run.
    private var unanswered: [UInt?] = []

    /// Connects, and applies the settings for every transaction.
    ///
    /// - Throws: `.lost`, among others, if the server can't be reached.
    init(_ server: PostgresServer) throws(PostgresFailure) {
        patience = server.answerMilliseconds
        let handle = unsafe Self.connect(to: server.uri)
        guard let handle = unsafe handle, unsafe PQstatus(handle) == CONNECTION_OK else {
            unsafe PQfinish(handle)
            throw .lost
        }
        unsafe self.handle = unsafe handle
        unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw .lost }
        try execute(Self.settings(server))
    }

    deinit { unsafe PQfinish(handle) }

    private var isGivenUp = false

    /// Whether the connection is usable as far as this side knows; one with a pending answer is not.
    var isUp: Bool { unsafe !isGivenUp && PQstatus(handle) == CONNECTION_OK }

    /// Runs statements without values, and discards their rows.
    func execute(_ sql: String) throws(PostgresFailure) {
        try giving { () throws(PostgresFailure) in
            guard !isGivenUp, unsafe PQexitPipelineMode(handle) == 1, unsafe PQsendQuery(handle, sql) == 1 else {
                throw .lost
            }
            let end = MonotonicClock.milliseconds + patience
            try flush(until: end)
            var failure: PostgresFailure?
            while let result = unsafe try nextResult(until: end) {
                defer { unsafe PQclear(result) }
                if unsafe Self.answer(in: result) == nil {
                    failure = failure ?? (unsafe Self.failure(of: result)) ?? .lost
                }
            }
            if let failure { throw isUp ? failure : .lost }
        }
    }

    /// Runs a statement with values in binary format, after all that were sent before.
    ///
    /// - Throws: the first failure; the server has run no statement after it. `.skipped` if the server announced the
    ///   end of the connection before it reached the last statement.
    func query(_ sql: StaticString, _ values: [StoreValue]) throws(PostgresFailure) -> PostgresAnswer {
        try send(sql, values)
        return try giving { () throws(PostgresFailure) in try answer() }
    }

    /// Sends a statement together with the next one, which saves a round trip.
    func send(_ sql: StaticString, _ values: [StoreValue]) throws(PostgresFailure) {
        try giving { () throws(PostgresFailure) in
            // A pending answer would be mistaken for this statement's.
            guard !isGivenUp, unsafe PQenterPipelineMode(handle) == 1 else { throw .lost }
            let parameters = PostgresParameters(values)
            let name = try prepare(sql, parameters)
            let isSent = unsafe parameters.lent { pointers, lengths, formats in
                unsafe PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
            }
            guard isSent == 1 else { throw .lost }
            unanswered.append(nil)
        }
    }

    /// Stops using a connection whose state is unknown.
    func giveUp() { isGivenUp = true }

    private func prepare(_ sql: StaticString, _ parameters: PostgresParameters) throws(PostgresFailure) -> String {
        let address = unsafe UInt(bitPattern: sql.utf8Start)
        let name = "s\(address)"
        guard !prepared.contains(address), !unanswered.contains(address) else { return name }
        let isSent = unsafe PQsendPrepare(
            handle,
            name,
            UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self),
            Int32(parameters.types.count),
            parameters.types
        )
        guard isSent == 1 else { throw .lost }
        unanswered.append(address)
        return name
    }

    private func giving<Result>(_ call: () throws(PostgresFailure) -> Result) throws(PostgresFailure) -> Result {
        do throws(PostgresFailure) { return try call() } catch {
            if case .state = error {} else { isGivenUp = true }
            throw error
        }
    }

    /// Waits for the server's answers to everything that was sent.
    ///
    /// - Returns: the last answer.
    private func answer() throws(PostgresFailure) -> PostgresAnswer {
        let sent = unanswered
        unanswered = []
        let end = MonotonicClock.milliseconds + patience
        guard unsafe PQpipelineSync(handle) == 1 else { throw .lost }
        try flush(until: end)
        var last = PostgresAnswer()
        var failure: PostgresFailure?
        for (place, statement) in sent.enumerated() {
            guard let result = unsafe try nextResult(until: end) else { throw .lost }
            defer { unsafe PQclear(result) }
            if let answer = unsafe Self.answer(in: result) {
                last = answer
                if let statement { prepared.insert(statement) }
            } else if failure == nil, unsafe PQresultStatus(result) != PGRES_PIPELINE_ABORTED {
                let told = unsafe Self.failure(of: result)
                failure = told ?? .lost
                if told == .lost, place < sent.count - 1 { throw .skipped }
            }
            guard failure != .lost, unsafe try nextResult(until: end) == nil else { throw .lost }
        }
        guard let mark = unsafe try nextResult(until: end) else { throw .lost }
        defer { unsafe PQclear(mark) }
        guard unsafe PQresultStatus(mark) == PGRES_PIPELINE_SYNC else { throw .lost }
        if let failure { throw isUp ? failure : .lost }
        return last
    }

    private static func answer(in result: OpaquePointer) -> PostgresAnswer? {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: unsafe PostgresAnswer(result)
        default: nil
        }
    }

    private func flush(until end: Int64) throws(PostgresFailure) {
        while true {
            switch unsafe PQflush(handle) {
            case 0: return
            case 1: try wait(for: POLLIN | POLLOUT, until: end)
            default: throw .lost
            }
            // Keep reading: a server that answers before it has read everything must not block on a full pipe.
            guard unsafe PQconsumeInput(handle) == 1 else { throw .lost }
        }
    }

    private func nextResult(until end: Int64) throws(PostgresFailure) -> OpaquePointer? {
        while unsafe PQisBusy(handle) == 1 {
            try wait(for: POLLIN, until: end)
            guard unsafe PQconsumeInput(handle) == 1 else { throw .lost }
        }
        return unsafe PQgetResult(handle)
    }

    private func wait(for events: Int32, until end: Int64) throws(PostgresFailure) {
        var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
        guard socket.fd >= 0 else { throw .lost }
        while true {
            let rest = end - MonotonicClock.milliseconds
            guard rest > 0 else { throw .silent }
            let count = unsafe poll(&socket, 1, Int32(clamping: rest))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw .lost }
        }
    }

    /// Returns the server's error; `nil` if there is none and only libpq noticed that the connection is gone.
    private static func failure(of result: OpaquePointer) -> PostgresFailure? {
        let field = Int32(UInt8(ascii: "C"))  // PG_DIAG_SQLSTATE, a macro that Swift cannot import
        guard let state = unsafe PQresultErrorField(result, field) else { return nil }
        return unsafe PostgresFailure(state: String(cString: state))
    }
}

// Settings of every connection.
extension PostgresConnection {
    /// Options before the URI are defaults that the URI can override; options after it can't be overridden.
    private static func connect(to uri: String) -> OpaquePointer? {
        let options = [
            ("connect_timeout", "3"), ("tcp_user_timeout", "8000"), ("target_session_attrs", "read-write"),
            ("fallback_application_name", "thumbturnd"), ("dbname", uri), ("client_encoding", "UTF8"),
        ]
        let keywords = unsafe options.map { unsafe UnsafePointer(strdup($0.0)) } + [nil]
        let values = unsafe options.map { unsafe UnsafePointer(strdup($0.1)) } + [nil]
        defer { unsafe (keywords + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        return unsafe PQconnectdbParams(keywords, values, 1)
    }

    /// An answered commit is on disk, regardless of the server's configuration; `remote_apply` demands more and stays.
    ///
    /// A sequential scan would conflict with every writer to the table, so transactions use an index if there is one,
    /// even on a small table. JIT compilation takes longer than any statement here.
    private static func settings(_ server: PostgresServer) -> String {
        """
        SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
        SET statement_timeout = \(server.statementMilliseconds); SET lock_timeout = \(server.statementMilliseconds);
        SET idle_in_transaction_session_timeout = \(2 * server.answerMilliseconds);
        SET enable_seqscan = off; SET jit = off; SET client_min_messages = error
        """
    }
}
