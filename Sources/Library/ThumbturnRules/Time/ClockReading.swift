/// What the clocks said at one instant.
///
/// Time is always an argument, never a property.
public struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970 in UTC; the user can set it.
    public var wall: Milliseconds
    /// Milliseconds since this boot, sleep included (`CLOCK_BOOTTIME` on Linux, continuous time on Darwin).
    package var boottime: Milliseconds
    /// Names this boot of the device; `boottime` of two different boots cannot be compared.
    package var bootID: Identifier

    /// Makes a reading of both clocks in the boot named `bootID`.
    package init(wall: Milliseconds, boottime: Milliseconds, bootID: Identifier) {
        self.wall = wall
        self.boottime = boottime
        self.bootID = bootID
    }

    /// Whether both clocks of one boot say less than a second from another reading, so that a last use need not be dated anew.
    package func isBeside(_ other: ClockReading) -> Bool {
        let second = Milliseconds.seconds(1)
        return bootID == other.bootID && (boottime - other.boottime).magnitude < second
            && (wall - other.wall).magnitude < second
    }
}

/// How one reading lies to an earlier one.
///
/// Within one boot the two clocks must agree to the tolerance; a larger difference means that the wall clock was set, and a
/// negative one that it, or the record of the earlier reading, went backward (F-107-08, A14, A15, A16, A18).
package enum TimeRelation: Equatable, Sendable {
    /// Both clocks agree; `least` and `most` are their two differences, never negative.
    case elapsed(least: Milliseconds, most: Milliseconds)
    /// The wall clock was set forward by more than the tolerance; only `boottime` can be believed.
    case wallMoved(boottime: Milliseconds)
    /// A clock went backward by more than the tolerance.
    case backward
    /// The device was booted in between; nothing can be said of the time.
    case rebooted

    /// A step of NTP or a rounded second stays below this (A18).
    package static let tolerance = Milliseconds.seconds(2)

    /// How far two honest clocks may lie apart after so much time: the step, and 100 ppm, which no quartz drifts more (A18).
    package static func tolerance(over elapsed: Milliseconds) -> Milliseconds {
        tolerance + Milliseconds(elapsed.magnitude.count / 10_000)
    }
}

extension ClockReading {
    /// Tells how `now` lies to `earlier`, which may come from untrusted storage.
    package static func relation(from earlier: ClockReading, to now: ClockReading) -> TimeRelation {
        guard earlier.bootID == now.bootID else { return .rebooted }
        let wall = now.wall - earlier.wall
        let boottime = now.boottime - earlier.boottime
        let backward = Milliseconds.zero - TimeRelation.tolerance
        guard wall >= backward, boottime >= backward else { return .backward }
        guard (wall - boottime).magnitude <= TimeRelation.tolerance(over: boottime) else {
            return wall < boottime ? .backward : .wallMoved(boottime: max(boottime, .zero))
        }
        return .elapsed(least: max(min(wall, boottime), .zero), most: max(wall, boottime, .zero))
    }
}
