import Thumbturn

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Milliseconds {
    /// The system's wall clock, in whole seconds.
    static var now: Milliseconds { Milliseconds(Int64(time(nil)) * 1_000) }
}
