/// Measurements; `thumbturn bench` runs them.
enum Bench {
    static func run(_ names: [String]) async throws -> Int32 { 0 }
}
