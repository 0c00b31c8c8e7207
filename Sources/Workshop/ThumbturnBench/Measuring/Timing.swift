import Glibc

/// Why a measurement could not be made; the figures themselves are no errors.
struct BenchError: Error {
    /// What was wrong.
    let what: String

    /// Says what was wrong.
    init(what: String) { self.what = what }
}

/// How long `body` takes, in seconds of a clock that nobody sets.
func timed(_ body: () throws -> Void) rethrows -> Double {
    let start = monotonicSeconds()
    try body()
    return monotonicSeconds() - start
}

/// The same for what waits.
func timed(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async rethrows -> Double {
    let start = monotonicSeconds()
    try await body()
    return monotonicSeconds() - start
}

/// A clock that nobody sets.
func monotonicSeconds() -> Double { seconds(CLOCK_MONOTONIC) }

private func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
