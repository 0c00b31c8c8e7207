import ThumbturnRules

/// The keys of a login's failure counters.
struct CountKeys: Hashable, Sendable {
    /// For the name from this network.
    let pair: [UInt8]
    /// For the name from all networks.
    let name: [UInt8]
    /// For the network, with any name.
    let network: [UInt8]
    /// The user id of the account, or of its substitute for an unknown name.
    let userID: Identifier
}

/// The counts for a login's name and network.
struct Counts: Hashable, Sendable {
    var pair = FailureCount.none
    var name = FailureCount.none
    var network = MinuteCount.none
    /// Until when the network counts as the owner's.
    var provenUntil: ServiceTime?

    /// Returns how long the login has to wait: the longest of its delays.
    func wait(_ limits: Limits, at now: ServiceTime) -> Milliseconds {
        let ofName = isProven(at: now) ? .zero : Throttle.account.wait(after: name, at: now)
        return max(Throttle.pair.wait(after: pair, at: now), ofName, limits.failures.wait(after: network, at: now))
    }

    func isProven(at now: ServiceTime) -> Bool { provenUntil.map { now < $0 } ?? false }
}

/// The kinds of rows in `counters`.
private enum Scope {
    static let pair: Int64 = 1
    static let name: Int64 = 2
    static let network: Int64 = 3
    static let registrations: Int64 = 4
    /// Counts nothing: an instance writes it to check that it can write.
    static let readiness: Int64 = 5
}

extension Tables {
    /// Reads all counts for one login's delay in one statement.
    func counts(_ keys: CountKeys) throws(Problem) -> Counts {
        var counts = Counts()
        let rows = try rows(
            """
            SELECT scope, failures, last_at FROM counters WHERE scope = 1 AND key = $1
            UNION ALL SELECT scope, failures, last_at FROM counters WHERE scope = 2 AND key = $2
            UNION ALL SELECT scope, failures, last_at FROM counters WHERE scope = 3 AND key = $3
            UNION ALL SELECT 0, 0, expires_at FROM proven WHERE user_id = $4 AND network = $5
            """,
            .blob(keys.pair),
            .blob(keys.name),
            .blob(keys.network),
            .identifier(keys.userID),
            .blob(keys.pair)
        )
        for row in rows {
            let (number, time) = (try row.integer(1), try row.time(2))
            switch try row.integer(0) {
            case Scope.pair: counts.pair = FailureCount(failures: number, lastAt: time)
            case Scope.name: counts.name = FailureCount(failures: number, lastAt: time)
            case Scope.network: counts.network = MinuteCount(events: number, since: time)
            default: counts.provenUntil = time
            }
        }
        return counts
    }

    /// Stores the failures of this name from this network.
    func setPair(_ count: FailureCount, _ keys: CountKeys) throws(Problem) {
        try set(Scope.pair, keys.pair, count.failures, count.lastAt, until: count.lastAt + Throttle.pair.lapse)
    }

    func setName(_ count: FailureCount, _ keys: CountKeys) throws(Problem) {
        try set(Scope.name, keys.name, count.failures, count.lastAt, until: count.lastAt + Throttle.account.lapse)
    }

    /// Stores the failures of this network.
    func setNetwork(_ count: MinuteCount, _ keys: CountKeys) throws(Problem) {
        try set(Scope.network, keys.network, count.events, count.since, until: count.since + .minutes(2))
    }

    func registrations(of network: [UInt8]) throws(Problem) -> MinuteCount {
        let row = try row("SELECT failures, last_at FROM counters WHERE scope = 4 AND key = $1", .blob(network))
        guard let row else { return .none }
        return MinuteCount(events: try row.integer(0), since: try row.time(1))
    }

    func setRegistrations(_ count: MinuteCount, of network: [UInt8]) throws(Problem) {
        try set(Scope.registrations, network, count.events, count.since, until: count.since + .minutes(2))
    }

    /// Writes a row without meaning.
    func noteReadiness(_ instance: [UInt8], at now: ServiceTime) throws(Problem) {
        try set(Scope.readiness, instance, 0, now, until: now + .minutes(2))
    }

    /// Clears the failures of a name from a network that just proved its password, and remembers the network.
    func prove(_ keys: CountKeys, at now: ServiceTime) throws(Problem) {
        try put("DELETE FROM counters WHERE scope = 1 AND key = $1", .blob(keys.pair))
        try remember(keys, at: now)
    }

    /// Remembers a network that knows the account's password.
    func remember(_ keys: CountKeys, at now: ServiceTime) throws(Problem) {
        try put(
            """
            INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (user_id, network) DO UPDATE SET expires_at = excluded.expires_at
            """,
            .identifier(keys.userID),
            .blob(keys.pair),
            .time(now + Throttle.proofLasts)
        )
    }

    private func set(
        _ scope: Int64,
        _ key: [UInt8],
        _ number: Int64,
        _ time: ServiceTime,
        until end: ServiceTime
    ) throws(Problem) {
        try put(
            """
            INSERT INTO counters (scope, key, failures, last_at, expires_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (scope, key)
            DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at, expires_at = excluded.expires_at
            """,
            .integer(scope),
            .blob(key),
            .integer(number),
            .time(time),
            .time(end)
        )
    }
}
