/// How long to wait after a delivery that failed: full jitter, from 1 second to 1 hour, and none after a success.
///
/// Full jitter draws the whole wait, from nothing to a span that doubles: devices that lost the same service at the same
/// moment come back spread out.
package struct DeliveryBackoff: Hashable, Sendable {
    /// The longest wait after the first failure.
    private static let shortest = Milliseconds.seconds(1)
    /// The longest wait of all, also where the service asks for more: a false one must not silence a device.
    package static let longest = Milliseconds.hours(1)

    /// Failures since the last success.
    private var failures: UInt32 = 0

    /// Creates the state before the first delivery.
    package init() {}

    /// Notes a delivery that succeeded.
    package mutating func succeed() { failures = 0 }

    /// Notes one that failed.
    ///
    /// - Parameters:
    ///   - asked: how long the service asks to wait; nil if it does not.
    ///   - random: any 64 random bits.
    /// - Returns: how long to wait before the next try.
    package mutating func fail(asked: Milliseconds?, random: UInt64) -> Milliseconds {
        let span = min(Self.longest.count, Self.shortest.count << Int64(min(failures, 12)))
        failures = min(failures + 1, 12)
        let drawn = Milliseconds(Int64(random % UInt64(span + 1)))
        guard let asked else { return drawn }
        // What is drawn comes on top: whoever was told the same span would come back at the same moment.
        return min(Self.longest, min(Self.longest, max(asked, .zero)) + drawn)
    }
}
