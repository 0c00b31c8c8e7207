import ThumbturnCrypto
package import ThumbturnRules

/// How many logs the service has, and which one an account's events go to.
///
/// It is fixed when the database is made; `restored` begins the next generation.
package struct LedgerPlan: Equatable, Sendable {
    /// The most logs that a service can have.
    package static let mostLogs = 1_024

    /// The number of logs that are written to.
    package let count: Int
    /// How often the database was restored.
    package let generation: Int

    /// Creates a plan; `count` is 1 to 1,024.
    package init(count: Int, generation: Int = 0) { (self.count, self.generation) = (count, generation) }

    /// The numbers of the logs that are written to.
    package var logs: [Int64] { (0..<count).map { Int64(generation * count + $0) } }

    /// The number of each log that there is, former ones first.
    package var allLogs: [Int64] { (0..<(generation + 1) * count).map(Int64.init) }

    /// The next generation.
    package var next: LedgerPlan { LedgerPlan(count: count, generation: generation + 1) }

    /// The log of an account: all its devices share one, and its own entries.
    package func log(of user: Identifier) -> Int64 {
        let digest = SHA256.digest(Array("thumbturn.audit.log.v1\n".utf8), user.bytes)
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(generation * count) + Int64(number % UInt64(count))
    }

    /// The name of a log, which devices sign and its heads carry: `O`, `O/1` of several, `O/r1` or `O/r1/1` after one
    /// `restored`.
    ///
    /// - Parameter service: the service's name.
    package func origin(of log: Int64, of service: String) -> String {
        let (generation, place) = Int(log).quotientAndRemainder(dividingBy: count)
        return service + (generation > 0 ? "/r\(generation)" : "") + (count > 1 ? "/\(place)" : "")
    }
}

// What the database keeps of it: decimal numbers, joined by a space.
extension LedgerPlan {
    private var text: [UInt8] { Array("\(count) \(generation)".utf8) }

    private init(_ text: [UInt8]) throws(StoreError) {
        let numbers = String(decoding: text, as: UTF8.self).split(separator: " ").map { Int($0) }
        guard numbers.count == 2, let count = numbers[0], let generation = numbers[1], 1...Self.mostLogs ~= count,
            0...1_000_000 ~= generation
        else { throw .damaged }
        self.init(count: count, generation: generation)
    }

    /// Returns the database's plan; nil before its first start with a ledger.
    static func read(_ transaction: any StoreTransaction) throws(StoreError) -> LedgerPlan? {
        guard let row = try transaction.row("SELECT value FROM keys WHERE purpose = 'ledger'") else { return nil }
        return try LedgerPlan(row.blob(0))
    }

    /// Stores the plan.
    func write(_ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.run("DELETE FROM keys WHERE purpose = 'ledger'")
        try transaction.run("INSERT INTO keys (purpose, value) VALUES ('ledger', $1)", .blob(text))
    }
}
