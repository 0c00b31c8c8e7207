/// What is known of the boot in which a reading was taken.
///
/// It is encoded in the boot's id, so that it is also known for a stored date.
package enum BootName: Hashable, Sendable {
    /// The system names its boots: a different id is a different boot.
    case given
    /// The id is derived from the clocks: a different one may be the same boot after its wall clock was set.
    case inferred
    /// The boot has no id, or boot time is not the system's: nothing can be measured.
    case none
}

extension Identifier {
    // No system gives such ids: a UUID has its version in the upper half, and a digest does not start with so many
    // ones.
    private static let unnamed = UInt64.max
    private static let inferred = UInt64.max - 1

    /// Creates an id for a boot without one, valid for the lifetime of a process.
    package static func unnamedBoot(_ unique: UInt64) -> Identifier { Identifier(high: unnamed, low: unique) }

    /// Creates an id for a boot that only the clocks distinguish from others.
    package static func inferredBoot(_ unique: UInt64) -> Identifier { Identifier(high: inferred, low: unique) }

    fileprivate var bootName: BootName {
        switch high {
        case Self.unnamed: .none
        case Self.inferred: .inferred
        default: .given
        }
    }
}

extension ClockReading {
    /// What is known of the boot.
    package var bootName: BootName { bootID.bootName }

    /// Returns how long the device was surely on since `earlier`, for measuring a wait (A14, A15, A16).
    ///
    /// Within one boot that is the difference in boot time, regardless of the wall clock. In another boot it is the
    /// time since that boot began, limited to the wall clock's difference; if it may be the same boot, the smaller of
    /// both differences. It errs on the short side: neither the wall clock alone nor a boot without an id adds
    /// anything.
    func timeTurnedOn(since earlier: ClockReading) -> Milliseconds {
        guard bootName != .none, earlier.bootName != .none else { return .zero }
        let span = boottime - earlier.boottime
        if bootID == earlier.bootID { return max(span, .zero) }
        let isOther = bootName == .given && earlier.bootName == .given || span < .zero
        return max(min(isOther ? boottime : span, wall - earlier.wall), .zero)
    }
}
