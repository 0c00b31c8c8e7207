import ThumbturnHTTP

/// Eight threads, each with its own connection and address, that submit wrong proofs at the same time.
///
/// From one address all would count their failures in one row, and block each other in a database with concurrent
/// writers.
struct Crowd {
    private static let size = 8
    private static let loginsOfOne = 25

    private let members: [BenchLogin]

    init(of service: BenchService) throws {
        members = try (1...Self.size).map { number in
            guard let address = PeerAddress("192.0.2.\(number)") else { throw BenchError(what: "no address") }
            return try service.login(from: address)
        }
    }

    /// - Returns: the average time per login while all run at once, in seconds.
    func run() throws -> Double {
        let seconds = try timed {
            try onThreads(members.count) { [members] in try members[$0].fail(strangers: Self.loginsOfOne) }
        }
        return seconds / Double(Self.size * Self.loginsOfOne)
    }
}
