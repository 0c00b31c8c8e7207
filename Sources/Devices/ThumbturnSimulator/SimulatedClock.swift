import ThumbturnDevice
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The clocks of the machine that the simulation runs on.
struct HostClocks: Hashable, Sendable {
    /// Milliseconds since 1970.
    var wall: Milliseconds
    /// Milliseconds since the machine was booted, sleep included.
    var boottime: Milliseconds

    /// A machine whose time does not advance: 2026-01-01, an hour after its boot.
    static let still = HostClocks(wall: Milliseconds(1_767_225_600_000), boottime: .hours(1))

    /// Reads the real clocks.
    ///
    /// `CLOCK_MONOTONIC` stops during sleep on Linux, and `CLOCK_UPTIME_RAW` on Darwin, so neither is used (A17).
    static func now(_ read: (clockid_t) -> timespec = system) -> HostClocks {
        #if canImport(Glibc)
        HostClocks(wall: milliseconds(read(CLOCK_REALTIME)), boottime: milliseconds(read(CLOCK_BOOTTIME)))
        #else
        HostClocks(wall: milliseconds(read(CLOCK_REALTIME)), boottime: milliseconds(read(CLOCK_MONOTONIC_RAW)))
        #endif
    }

    /// Reads a clock; an unreadable one stays at zero, which later counts as time going backward and requires the
    /// strong factor.
    static func system(_ clock: clockid_t) -> timespec {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return time
    }

    private static func milliseconds(_ time: timespec) -> Milliseconds {
        .seconds(Int64(time.tv_sec)) + Milliseconds(Int64(time.tv_nsec) / 1_000_000)
    }
}

/// The offset of the simulated clocks from the host's.
///
/// A reboot of the host does not reboot the simulated device: its clock goes backward instead.
struct SimulatedClock: Hashable, Sendable {
    var wallOffset = Milliseconds.zero
    var boottimeOffset = Milliseconds.zero
    var bootID: Identifier

    func reading(at host: HostClocks) -> ClockReading {
        ClockReading(wall: host.wall + wallOffset, boottime: host.boottime + boottimeOffset, bootID: bootID)
    }

    mutating func advance(_ span: Milliseconds) {
        wallOffset = wallOffset + span
        boottimeOffset = boottimeOffset + span
    }

    mutating func reboot(as bootID: Identifier, at host: HostClocks) {
        boottimeOffset = .zero - host.boottime
        self.bootID = bootID
    }
}
