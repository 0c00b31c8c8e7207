import ThumbturnRules

/// What stands between biometrics and the vault, told from the facts alone and not by asking the policy.
struct Demands: OptionSet {
    let rawValue: UInt16

    static let ledger = Demands(rawValue: 1)
    static let epoch = Demands(rawValue: 2)
    static let time = Demands(rawValue: 4)
    static let lockout = Demands(rawValue: 8)
    static let mismatches = Demands(rawValue: 16)
    /// No slot, a revoked one, or one that the hardware will refuse.
    static let slot = Demands(rawValue: 32)
    static let moment = Demands(rawValue: 64)
}

extension World {
    /// What is remembered against biometrics: only a strong success may make it less (A34).
    var demands: Demands {
        let policy = machine.policy
        var demands = Demands()
        if !facts.ledgerIsReliable { demands.insert(.ledger) }
        if facts.epochIsOld { demands.insert(.epoch) }
        let isTooOld =
            switch facts.age {
            case .never: true
            case .fresh: false
            case .idleOver: policy.strongFactorAfterIdle != nil
            case .strongOver: policy.strongFactorMaxAge != nil
            case .rebooted:
                policy.strongFactorAfterReboot || policy.strongFactorAfterIdle != nil
                    || policy.strongFactorMaxAge != nil
            }
        if isTooOld { demands.insert(.time) }
        if facts.wasLockedOut { demands.insert(.lockout) }
        if facts.biometricFailures >= 3 { demands.insert(.mismatches) }
        if biometrics != .enabled || facts.setChanged { demands.insert(.slot) }
        return demands
    }

    /// The same, with what `moment` adds.
    func demands(at moment: Moment) -> Demands {
        let adds =
            switch moment {
            case .plain, .wallPlusSecond, .wallMinusSecond, .idleAtLimit, .strongAtLimit: false
            case .storageUnreadable, .resetPending, .noHardware, .notEnrolled, .lockedOut, .permissionDenied,
                .noPasscode, .temporarilyUnavailable:
                true
            // Across a reboot the two clocks have nothing to disagree about.
            case .wallForward, .wallBackward: facts.age != .rebooted
            case .serverUnheard: machine.policy.maxOfflineAge != nil
            }
        return adds ? demands.union(.moment) : demands
    }
}

extension UnlockMachine.State {
    /// Whether the master key of a published session is in memory.
    var holdsSession: Bool { scope != nil }

    /// What that session may do.
    var scope: SessionScope? {
        switch self {
        case .unlocked(let scope): scope
        case .verifyingStrongFactor(_, resuming: let scope), .promptingSystem(resuming: let scope),
            .promptingBiometrics(resuming: let scope):
            scope
        case .locked, .biometricsFailed, .requiresStrongFactor, .closedUntilReopened: nil
        }
    }

    var isUnlocked: Bool { if case .unlocked = self { true } else { false } }
}

extension DeviceRefusal {
    /// C7: a failed evaluation counts one; a cancel, or a reader that fails, counts none, unless it follows a mismatch in
    /// the same prompt.
    var countsAsFailure: Bool {
        self == .notRecognised || self == .cancelledByUser(afterMismatch: true)
            || self == .readerFailed(afterMismatch: true)
    }

    var isCancel: Bool {
        switch meaning {
        case .cancelledByUser, .cancelledBySystem, .fallbackChosen: true
        case .notRecognised, .lockedOut, .notEnrolled, .revoked, .readerFailed, .unavailable, .hardwareMissing, .absent,
            .damaged,
            .weakerThanAsked, .wrongAuthorisation, .proofNotAccepted, .unclassified:
            false
        }
    }

    /// C16: whether the slot goes, and whether for good.
    var revocation: UnlockMachine.Effect? {
        switch meaning {
        case .revoked, .absent: .revokeBiometrics(confirmed: true)
        case .damaged, .weakerThanAsked, .wrongAuthorisation, .proofNotAccepted, .unclassified:
            .revokeBiometrics(confirmed: false)
        case .cancelledByUser, .cancelledBySystem, .fallbackChosen, .notRecognised, .lockedOut, .notEnrolled,
            .readerFailed, .unavailable, .hardwareMissing:
            nil
        }
    }
}
