import Glibc
import Synchronization
import ThumbturnFiles

/// The number of cores that this process may use.
let coreCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

/// Runs `body` on so many threads at once, with the number of each, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failure = FirstFailure()
    let threads = try (0..<count).map { number in
        let thread = SystemThread { do { try body(number) } catch { failure.note(error) } }
        guard let thread else { throw BenchError(what: "no more threads") }
        return thread
    }
    for thread in threads { thread.join() }
    try failure.rethrow()
}

/// The first error on several threads.
private final class FirstFailure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    func note(_ other: any Error) { error.withLock { $0 = $0 ?? other } }

    func rethrow() throws { if let error = error.withLock({ $0 }) { throw error } }
}
