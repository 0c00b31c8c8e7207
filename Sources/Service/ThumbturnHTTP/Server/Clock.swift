import Glibc

/// The system's clocks.
enum Clock {
    /// Milliseconds of a monotonic clock.
    static var milliseconds: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Seconds since 1970.
    static var date: Int { time(nil) }
}
