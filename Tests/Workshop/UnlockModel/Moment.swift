package import ThumbturnRules

/// How long ago the vault was used and strongly opened, and in which boot: only a strong unlock makes it young again.
enum Age: Hashable, CaseIterable {
    case never, fresh, idleOver, strongOver, rebooted
}

/// What may be so at one instant and otherwise at the next: nobody remembers it, so every question meets each of them.
enum Moment: Hashable, CaseIterable {
    case plain
    case storageUnreadable, resetPending
    case noHardware, notEnrolled, lockedOut, permissionDenied, noPasscode, temporarilyUnavailable
    case wallForward, wallBackward, wallPlusSecond, wallMinusSecond
    case serverUnheard
    case idleAtLimit, strongAtLimit

    /// Those a strong secret cares about.
    static let decisive: [Moment] = [.plain, .storageUnreadable, .resetPending, .wallBackward]

    var reasonIfUnavailable: BiometricCapability.Reason? {
        switch self {
        case .noHardware: .noHardware
        case .notEnrolled: .notEnrolled
        case .lockedOut: .lockedOut
        case .permissionDenied: .permissionDenied
        case .noPasscode: .noPasscode
        case .temporarilyUnavailable: .temporarilyUnavailable
        case .plain, .storageUnreadable, .resetPending, .wallForward, .wallBackward, .wallPlusSecond,
            .wallMinusSecond, .serverUnheard, .idleAtLimit, .strongAtLimit:
            nil
        }
    }

    private var wallStep: Milliseconds {
        switch self {
        case .wallForward: .days(1)
        case .wallBackward: .zero - .days(365)
        case .wallPlusSecond: .seconds(1)
        case .wallMinusSecond: .zero - .seconds(1)
        case .plain, .storageUnreadable, .resetPending, .noHardware, .notEnrolled, .lockedOut, .permissionDenied,
            .noPasscode, .temporarilyUnavailable, .serverUnheard, .idleAtLimit, .strongAtLimit:
            .zero
        }
    }

    /// The readings of a vault of this age at this moment.
    func clocks(_ age: Age, under policy: VaultPolicy) -> (
        now: ClockReading, strong: ClockReading?, used: ClockReading?
    ) {
        let steady = ClockReading(wall: .days(20_000), boottime: .days(100), bootID: Identifier(high: 0, low: 1))
        var now = steady
        now.wall = now.wall + wallStep
        let idleLimit = policy.strongFactorAfterIdle ?? .minutes(30)
        let strongLimit = policy.strongFactorMaxAge ?? .hours(72)
        var idle = Milliseconds.seconds(10)
        var strong = Milliseconds.seconds(60)
        switch age {
        case .never: return (now, nil, nil)
        case .fresh: break
        case .idleOver: (idle, strong) = (idleLimit + Milliseconds(1), idleLimit + Milliseconds(1))
        case .strongOver: strong = strongLimit + Milliseconds(1)
        case .rebooted: now.bootID = Identifier(high: 0, low: 2)
        }
        if self == .idleAtLimit, age == .fresh { (idle, strong) = (idleLimit, idleLimit) }
        if self == .strongAtLimit, age == .fresh { strong = strongLimit }
        return (now, steady.before(strong), steady.before(idle))
    }
}

extension ClockReading {
    /// The reading that both clocks gave so much earlier in the same boot.
    package func before(_ span: Milliseconds) -> ClockReading {
        ClockReading(wall: wall - span, boottime: boottime - span, bootID: bootID)
    }

    /// The reading that both clocks give so much later in the same boot.
    package func after(_ span: Milliseconds) -> ClockReading {
        ClockReading(wall: wall + span, boottime: boottime + span, bootID: bootID)
    }
}
