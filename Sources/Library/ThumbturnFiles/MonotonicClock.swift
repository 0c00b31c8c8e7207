#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A clock that can't be set.
package enum MonotonicClock {
    /// Its reading in milliseconds.
    package static var milliseconds: Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }
}
