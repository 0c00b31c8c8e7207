// Declares no more than Darwin's clocks, and passes the rest of the C library on. What both have is Darwin's here.
@_exported public import Glibc
import StandIn

/// Darwin's names of its clocks.
public struct clockid_t: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public let CLOCK_REALTIME = clockid_t(0)
/// Sleep included [apple-src].
public let CLOCK_MONOTONIC_RAW = clockid_t(4)
/// Sleep included [apple-src].
public let CLOCK_MONOTONIC = clockid_t(6)
/// Sleep left out [apple-src].
public let CLOCK_UPTIME_RAW = clockid_t(8)

/// Reads a clock in nanoseconds; 0 when there is no such clock.
public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 {
    let phone = Phone.current
    return switch clock {
    case CLOCK_REALTIME: UInt64(phone.wallClock)
    case CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW: UInt64(phone.continuousClock)
    case CLOCK_UPTIME_RAW: UInt64(phone.uptimeClock)
    default: 0
    }
}

/// Reads a clock; -1 when there is no such clock.
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
    let nanoseconds = clock_gettime_nsec_np(clock)
    guard nanoseconds > 0 else { return -1 }
    unsafe time.pointee = timespec(
        tv_sec: Int(nanoseconds / 1_000_000_000),
        tv_nsec: Int(nanoseconds % 1_000_000_000)
    )
    return 0
}

/// Reads `kern.boottime` or `kern.bootsessionuuid`; -1 for every other name.
public func sysctlbyname(
    _ name: UnsafePointer<CChar>!,
    _ value: UnsafeMutableRawPointer!,
    _ valueCount: UnsafeMutablePointer<Int>!,
    _ newValue: UnsafeMutableRawPointer!,
    _ newCount: Int
) -> Int32 {
    let phone = Phone.current
    switch unsafe String(cString: name) {
    case "kern.boottime":
        // It shifts when the user sets the clock [apple-src].
        let boot = (phone.wallClock - phone.continuousClock) / 1_000
        var time = timeval(tv_sec: Int(boot / 1_000_000), tv_usec: Int(boot % 1_000_000))
        return unsafe withUnsafeBytes(of: &time) { unsafe copy($0, value, valueCount) }
    case "kern.bootsessionuuid" where phone.quirks.tellsBootSession:
        return unsafe Array(phone.bootSession.utf8CString).withUnsafeBytes { unsafe copy($0, value, valueCount) }
    default: return -1
    }
}

/// As `sysctl` does: a nil value asks for the count, and a short one is refused.
private func copy(
    _ bytes: UnsafeRawBufferPointer,
    _ value: UnsafeMutableRawPointer?,
    _ count: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let count = unsafe count else { return -1 }
    let room = unsafe count.pointee
    unsafe count.pointee = bytes.count
    guard let value = unsafe value else { return 0 }
    guard room >= bytes.count else { return -1 }
    unsafe UnsafeMutableRawBufferPointer(start: value, count: room).copyMemory(from: bytes)
    return 0
}
