import Synchronization
import ThumbturnConsole
import ThumbturnFiles
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
        let failure = FirstFailure()
        let seconds = try timed {
            let threads = try members.map { member in
                let thread = SystemThread {
                    do { try member.fail(strangers: Self.loginsOfOne) } catch { failure.note(error) }
                }
                guard let thread else { throw BenchError(what: "no more threads") }
                return thread
            }
            for thread in threads { thread.join() }
        }
        try failure.rethrow()
        return seconds / Double(Self.size * Self.loginsOfOne)
    }
}

/// The first error on several threads.
private final class FirstFailure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    func note(_ other: any Error) { error.withLock { $0 = $0 ?? other } }

    func rethrow() throws { if let error = error.withLock({ $0 }) { throw error } }
}
