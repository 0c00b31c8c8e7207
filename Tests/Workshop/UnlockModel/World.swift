@_spi(OpenedEnvelope) import ThumbturnRules

/// A vault, its device and its user, small enough to visit every state they can reach together.
///
/// It carries out effects as the shell must, with the ledger's durable facts as its own fields.
struct World: Hashable {
    /// What the vault's storage and the device remember.
    struct Facts: Hashable {
        var age = Age.never
        var wrongSecrets = false
        var biometricFailures: UInt32 = 0
        var wasLockedOut = false
        var ledgerIsReliable = true
        var epochIsOld = false
        /// The enrolled set is not the one that the slot was made under; the vault doesn't know until it reads.
        var setChanged = false
    }

    /// Where both machines stand, without the policy, which never changes.
    struct Key: Hashable {
        var mode: UnlockMode
        var unlock: UnlockMachine.State
        var biometrics: BiometricLifecycle.State
        var facts: Facts
    }

    var machine: UnlockMachine
    /// What head and ledger say of the slot.
    var biometrics = BiometricLifecycle.State.disabled
    var facts = Facts()

    init(policy: VaultPolicy) {
        machine = UnlockMachine(policy: policy)
    }

    var key: Key { Key(mode: machine.mode, unlock: machine.state, biometrics: biometrics, facts: facts) }

    /// What the policy says at `moment`.
    func decision(at moment: Moment) -> UnlockDecision {
        let policy = machine.policy
        let clocks = moment.clocks(facts.age, under: policy)
        var context = UnlockPolicyContext(
            now: clocks.now,
            capability: BiometricCapability(
                biometryType: .touchID,
                reasonIfUnavailable: moment.reasonIfUnavailable,
                assurance: .hardwareBound
            )
        )
        context.mode = machine.mode
        context.lastStrongAuthentication = clocks.strong
        context.lastUse = clocks.used
        context.failedBiometricAttempts = facts.biometricFailures
        context.wasLockedOut = facts.wasLockedOut
        context.ledgerIsReliable = facts.ledgerIsReliable
        context.storageIsReadable = moment != .storageUnreadable
        context.resetIsPending = moment == .resetPending
        context.policyEpochIsCurrent = !facts.epochIsOld
        if let maxOfflineAge = policy.maxOfflineAge {
            let silence = moment == .serverUnheard ? maxOfflineAge + Milliseconds(1) : .hours(1)
            let steady = Moment.plain.clocks(facts.age, under: policy).now
            context.lastServerContact = steady.before(silence)
        }
        switch biometrics {
        case .disabled, .enabling: context.biometricSlot = .none
        case .enabled: context.biometricSlot = .ready
        case .revoked(let reason): context.biometricSlot = .revoked(reason)
        }
        return policy.decision(for: context)
    }
}

// What the environment and the user can do.
extension World {
    enum Step: Hashable {
        case request(Moment)
        case refused(DeviceRefusal)
        case systemRequest(Moment)
        case systemRefused(DeviceRefusal)
        /// This process or another one wrote a head of the other mode, after the strong factor or the system's prompt.
        case modeChanged
        case counted
        case entered(StrongSecret, AttemptDecision)
        case wrong
        case proved(SlotKind, VaultIntegrity, Moment)
        case made(SlotKind, VaultIntegrity)
        /// The account's server answered.
        case heard(Word)
        case storageFailed, lock, background, idle, tampering
        case biometrics(BiometricLifecycle.Event)
        case rebooted, processDied, idlePassed, strongAged, passwordChanged, setChanged, ledgerDamaged
    }

    /// What a server may say beside what it said before.
    enum Word: CaseIterable {
        case same, risen, fallen, deviceRevoked

        func spoken(after epoch: UInt64) -> ServiceAnswer {
            switch self {
            case .same: .epoch(epoch)
            case .risen: .epoch(epoch + 1)
            case .fallen: .epoch(epoch - 1)
            case .deviceRevoked: .deviceRevoked
            }
        }
    }

    /// Every step that may be tried in this state, those that make no sense included.
    var steps: [Step] {
        var steps = Self.everywhere
        // The secret of a slot whose set changed is gone with the hardware's word, so no proof of it can exist.
        if !facts.setChanged {
            for moment in Moment.allCases {
                steps.append(.proved(.biometric, .intact, moment))
                steps.append(.proved(.biometric, .tampered, moment))
            }
        }
        switch machine.mode {
        case .local:
            // What makes no sense here makes as little at any other moment.
            steps += [.systemRequest(.plain), .proved(.system, .intact, .plain), .proved(.system, .tampered, .plain)]
            steps += [.systemRefused(.notRecognised), .systemRefused(.unavailable)]
        case .system:
            steps += Moment.allCases.flatMap { moment -> [Step] in
                [.systemRequest(moment), .proved(.system, .intact, moment), .proved(.system, .tampered, moment)]
            }
            steps += Self.refusals.map(Step.systemRefused)
        }
        // The shell lets biometrics be enabled only in a session that a strong factor opened in full.
        if machine.mode == .local, case .unlocked(.full) = machine.state, decision(at: .plain).isNoOldFact {
            steps.append(.biometrics(.enableRequested(nil)))
            steps.append(.biometrics(.enableRequested(.unavailable(.lockedOut))))
            steps.append(.biometrics(.enableRequested(.assuranceTooLow)))
        }
        if machine.policy.maxOfflineAge != nil, machine.mode == .local { steps += Word.allCases.map(Step.heard) }
        if biometrics == .enabled {
            steps.append(.setChanged)
            if machine.policy.maxOfflineAge != nil { steps.append(.passwordChanged) }
        }
        return steps
    }

    private static let refusals: [DeviceRefusal] = [
        .cancelledByUser(afterMismatch: false), .cancelledByUser(afterMismatch: true), .cancelledBySystem,
        .fallbackChosen, .notRecognised, .lockedOut, .notEnrolled, .revoked, .unavailable, .hardwareMissing, .absent,
        .weakerThanAsked, .wrongAuthorisation, .proofNotAccepted, .unclassified, .readerFailed(afterMismatch: false),
        .readerFailed(afterMismatch: true), .damaged,
    ]

    private static let everywhere: [Step] = {
        var steps = Moment.allCases.map(Step.request) + refusals.map(Step.refused)
        for secret in StrongSecret.allCases {
            for decision in [AttemptDecision.allowed, .wait(.seconds(30)), .suspended] {
                steps.append(.entered(secret, decision))
            }
        }
        for slot in [SlotKind.localSecret, .recovery, .password] {
            for moment in Moment.decisive {
                steps.append(.proved(slot, .intact, moment))
                steps.append(.proved(slot, .tampered, moment))
            }
        }
        steps += RevocationReason.allCases.map { .biometrics(.revoked($0)) }
        steps += [
            .counted, .wrong, .storageFailed, .lock, .background, .idle, .tampering,
            .made(.localSecret, .intact), .made(.localSecret, .tampered), .made(.biometric, .intact),
            .made(.system, .intact), .made(.password, .intact), .modeChanged,
            .biometrics(.disableRequested),
            .rebooted, .processDied, .idlePassed, .strongAged, .ledgerDamaged,
        ]
        return steps
    }()
}

extension UnlockDecision {
    /// Whether nothing but the absence of a usable slot speaks against biometrics.
    fileprivate var isNoOldFact: Bool {
        switch self {
        case .promptBiometrics: true
        case .requireStrongFactor(let reason):
            switch reason {
            case .biometricsDisabled, .biometricsChanged, .reinstalled, .policyEpochOld, .serverUnheard: true
            default: false
            }
        case .promptSystem, .storageUnavailable, .resetPending: false
        }
    }
}
