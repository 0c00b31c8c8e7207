import Glibc

/// Why a measurement was impossible; a figure over its limits is not an error.
struct BenchError: Error {
    /// A description.
    let what: String
}

/// Returns the duration of `body` in seconds on a monotonic clock.
func timed(_ body: () throws -> Void) rethrows -> Double {
    let start = monotonicSeconds()
    try body()
    return monotonicSeconds() - start
}

/// Returns the duration of an asynchronous `body`.
func timed(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void) async rethrows -> Double {
    let start = monotonicSeconds()
    try await body()
    return monotonicSeconds() - start
}

/// Returns the time of a monotonic clock.
func monotonicSeconds() -> Double { seconds(CLOCK_MONOTONIC) }

private func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
