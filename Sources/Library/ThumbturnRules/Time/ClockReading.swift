/// The readings of the clocks at one instant.
///
/// Time is always an argument, never a property.
public struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970 in UTC; the user can set it.
    public var wall: Milliseconds
    /// Milliseconds since this boot, sleep included (`CLOCK_BOOTTIME` on Linux, continuous time on Darwin).
    package var boottime: Milliseconds
    /// Identifies this boot of the device; `boottime` of two different boots can't be compared.
    package var bootID: Identifier

    /// Creates a reading of both clocks in the boot `bootID`.
    package init(wall: Milliseconds, boottime: Milliseconds, bootID: Identifier) {
        self.wall = wall
        self.boottime = boottime
        self.bootID = bootID
    }

    /// Returns whether both clocks are within a second of another reading of the same boot, so that a last use needs no
    /// new date.
    package func isBeside(_ other: ClockReading) -> Bool {
        let second = Milliseconds.seconds(1)
        return bootID == other.bootID && (boottime - other.boottime).magnitude < second
            && (wall - other.wall).magnitude < second
    }
}

/// How one reading relates to an earlier one.
///
/// Within one boot the two clocks must agree to the tolerance; a larger difference means that the wall clock was set,
/// and a negative one that it, or the record of the earlier reading, went backward (F-107-08, A14, A15, A16, A18).
package enum TimeRelation: Equatable, Sendable {
    /// Both clocks agree; `least` and `most` are their two differences, never negative.
    case elapsed(least: Milliseconds, most: Milliseconds)
    /// The wall clock was set forward by more than the tolerance; only `boottime` can be trusted.
    case wallMoved(boottime: Milliseconds)
    /// A clock went backward by more than the tolerance.
    case backward
    /// The device was rebooted in between; the elapsed time is unknown.
    case rebooted

    /// An NTP step or a rounded second stays below this (A18).
    package static let tolerance = Milliseconds.seconds(2)

    /// Returns how far two honest clocks may differ after a time: the step, and 100 ppm, which no quartz exceeds (A18).
    package static func tolerance(over elapsed: Milliseconds) -> Milliseconds {
        tolerance + Milliseconds(elapsed.magnitude.count / 10_000)
    }
}

extension ClockReading {
    /// Returns how `now` relates to `earlier`, which may come from untrusted storage.
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
