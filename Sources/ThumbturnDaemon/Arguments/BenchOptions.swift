import ThumbturnConsole

/// What `bench` is told beside the names of figures.
struct BenchOptions: Sendable {
    /// A Python that has the package `srp`.
    let python: String?
    /// A database of PostgreSQL that nothing is in.
    let postgres: String?

    static let options: [any OptionForm] = [Option.python, Option.postgres]
    static let operands = "[--python PATH] [--postgres URI] [NAME...]"

    init(_ given: GivenOptions) throws(Failure) {
        python = try given[.python]
        postgres = try given[.postgres]
    }
}
