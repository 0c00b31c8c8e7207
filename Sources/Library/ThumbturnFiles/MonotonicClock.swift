#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A clock that can't be set.
package enum MonotonicClock {
    /// Its reading in microseconds.
    package static var microseconds: UInt64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    }

    /// Its reading in milliseconds.
    package static var milliseconds: Int64 { Int64(microseconds / 1_000) }
}
