import Foundation

/// The phone's clocks, in nanoseconds.
struct PhoneClock {
    /// Since 1970; the user can set it.
    var wall: Int64 = 1_767_225_600_000_000_000
    /// Since the boot, sleep included: Darwin's `CLOCK_MONOTONIC` and `CLOCK_MONOTONIC_RAW`.
    var continuous: Int64 = 3_600_000_000_000
    /// Since the boot, without sleep: Darwin's `CLOCK_UPTIME_RAW`.
    var uptime: Int64 = 3_600_000_000_000
    var bootSession = UUID()
}

extension Phone {
    /// Lets time pass on every clock; `asleep` stops the clock that does not count sleep.
    public func pass(milliseconds: Int64, asleep: Bool = false) {
        withState { state in
            state.clock.wall += milliseconds * 1_000_000
            state.clock.continuous += milliseconds * 1_000_000
            if !asleep { state.clock.uptime += milliseconds * 1_000_000 }
        }
    }

    /// Sets the wall clock, as the user does in Settings.
    public func moveWallClock(byMilliseconds span: Int64) { withState { $0.clock.wall += span * 1_000_000 } }

    /// Nanoseconds since 1970.
    public var wallClock: Int64 { withState { $0.clock.wall } }
    /// Nanoseconds since the boot, sleep included.
    public var continuousClock: Int64 { withState { $0.clock.continuous } }
    /// Nanoseconds since the boot, sleep left out.
    public var uptimeClock: Int64 { withState { $0.clock.uptime } }
    /// Names this boot: `kern.bootsessionuuid`.
    public var bootSession: String { withState { $0.clock.bootSession.uuidString } }
}
