/// What is known of the boot that a reading comes from.
///
/// It lies in the name itself, so that it is also known of a date that was stored.
package enum BootName: Hashable, Sendable {
    /// The system names its boots: another name is another boot.
    case given
    /// The name follows from the clocks: another name may be the same boot with its wall clock set.
    case inferred
    /// Nobody told the name, or boot time is not the system's: nothing can be measured.
    case none
}

extension Identifier {
    // No system gives such names: a UUID has its version in the upper half, and no digest begins with so many ones.
    private static let unnamed = UInt64.max
    private static let inferred = UInt64.max - 1

    /// Names a boot that has no name, for as long as a process knows it.
    package static func unnamedBoot(_ unique: UInt64) -> Identifier { Identifier(high: unnamed, low: unique) }

    /// Names a boot that was told from others by the clocks alone.
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

    /// The time that the device was surely turned on since `earlier`, for a wait (A14, A15, A16).
    ///
    /// Within one boot that is what boot time says, whatever the wall clock does. In another boot it is the time since that
    /// boot began, at most the wall clock's difference; where it may be the same boot, what both have in common. It errs on
    /// the short side: the wall clock alone adds nothing, and a boot without a name nothing either.
    func timeTurnedOn(since earlier: ClockReading) -> Milliseconds {
        guard bootName != .none, earlier.bootName != .none else { return .zero }
        let span = boottime - earlier.boottime
        if bootID == earlier.bootID { return max(span, .zero) }
        let isOther = bootName == .given && earlier.bootName == .given || span < .zero
        return max(min(isOther ? boottime : span, wall - earlier.wall), .zero)
    }
}
