/// What was found out before, by all that it follows from.
///
/// Every thirtieth time it is found out again and must be the same, so that nothing is left out of what it follows from.
final class Known<Key: Hashable, Value: Equatable> {
    private var results: [Key: Result<Value, any Error>] = [:]
    private var uses = 0

    /// What is known, or else is found out now.
    func value(for key: Key, _ find: () async throws -> Value) async throws -> Value {
        guard let known = results[key] else {
            let result = await Self.result(of: find)
            results[key] = result
            return try result.get()
        }
        uses += 1
        if uses.isMultiple(of: 30) {
            let again = await Self.result(of: find)
            guard Self.same(known, again) else { throw NotTheSameTwice(before: "\(known)", now: "\(again)") }
        }
        return try known.get()
    }

    private static func result(of find: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await find()) } catch { return .failure(error) }
    }

    private static func same(_ first: Result<Value, any Error>, _ second: Result<Value, any Error>) -> Bool {
        switch (first, second) {
        case (.success(let first), .success(let second)): first == second
        case (.failure(let first), .failure(let second)): "\(first)" == "\(second)"
        case (.success, .failure), (.failure, .success): false
        }
    }
}

/// The same was played twice, and ended in two ways.
struct NotTheSameTwice: Error {
    let before: String
    let now: String
}
