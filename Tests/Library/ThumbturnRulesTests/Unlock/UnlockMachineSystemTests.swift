import Testing
@_spi(OpenedEnvelope) import ThumbturnRules

// What the walk can't say of system mode: which effects, in which order, for the passages that matter most.
@Suite struct UnlockMachineSystemTests {
    private typealias Event = UnlockMachine.Event

    private func machine(_ policy: VaultPolicy = .wallet, after events: Event...) -> UnlockMachine {
        var machine = UnlockMachine(policy: policy)
        machine.adopt(policy, mode: .system)
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private static let asked = Event.systemUnlockRequested(.promptSystem)

    private static func proved(_ integrity: VaultIntegrity = .intact, _ decision: UnlockDecision = .promptSystem)
        -> Event
    {
        .proved(UnlockProof(opened: .system, integrity: integrity), decision)
    }

    @Test(.holds("S-06")) func `the system's prompt opens, and nothing is counted or dated`() {
        var machine = machine()
        #expect(machine.handle(Self.asked) == [.showSystemPrompt])
        #expect(machine.handle(Self.proved()) == [.record([.systemSuccess]), .publishSession(.full)])
        #expect(machine.state == .unlocked(.full))
    }

    @Test(
        "a prompt without its owner closes the vault until it is reopened, and no second one comes by itself",
        .holds("S-06"),
        arguments: [
            DeviceRefusal.cancelledByUser(afterMismatch: false), .cancelledByUser(afterMismatch: true),
            .fallbackChosen, .notRecognised, .lockedOut, .unclassified,
        ]
    )
    func ended(refusal: DeviceRefusal) {
        var machine = machine(after: Self.asked)
        #expect(machine.handle(.systemRefused(refusal)).last == .refuse(.systemPromptEnded))
        #expect(ErrorCode.systemPromptEnded.recovery == .reopen)
        for _ in 1...3 {
            #expect(machine.state == .closedUntilReopened)
            #expect(machine.handle(Self.asked) == [.refuse(.systemPromptEnded)])
            #expect(machine.handle(.lockRequested) == [.eraseKeys])
        }
        // What is left: the recovery key, and a wrong one opens no prompt either.
        #expect(machine.handle(.strongSecretEntered(.recovery, .suspended)) == [.openSlot(.recovery)])
        _ = machine.handle(.strongSecretRefused)
        #expect(machine.state == .closedUntilReopened)
    }

    @Test(.holds("S-06")) func `a plain cancel is recorded nowhere, a stranger is`() {
        for (refusal, isRecorded) in [
            (DeviceRefusal.cancelledByUser(afterMismatch: false), false), (.cancelledBySystem, false),
            (.cancelledByUser(afterMismatch: true), true), (.notRecognised, true), (.lockedOut, true),
            (.readerFailed(afterMismatch: false), false), (.readerFailed(afterMismatch: true), true),
            (.proofNotAccepted, true),
        ] {
            var machine = machine(after: Self.asked)
            #expect(machine.handle(.systemRefused(refusal)).contains(.record([.systemFailure])) == isRecorded)
        }
    }

    @Test(.holds("S-06"))
    func `what may pass is tried again: storage, the system's own cancel, a passcode that is missing`() {
        for (refusal, code) in [
            (DeviceRefusal.unavailable, ErrorCode.storageUnavailable), (.cancelledBySystem, .systemPromptEnded),
            (.notEnrolled, .passcodeMissing), (.absent, .keyMissing), (.revoked, .keyMissing),
            (.readerFailed(afterMismatch: false), .storageUnavailable),
        ] {
            var machine = machine(after: Self.asked)
            #expect(machine.handle(.systemRefused(refusal)) == [.refuse(code)])
            #expect(machine.state == .locked)
            #expect(machine.handle(Self.asked) == [.showSystemPrompt])
        }
    }

    @Test(.holds("S-06", "A29")) func `a watch that the system takes and the item does not is said, and tried again`() {
        var machine = machine(after: Self.asked)
        #expect(
            machine.handle(.systemRefused(.proofNotAccepted)) == [
                .record([.systemFailure]), .refuse(.proofNotAccepted),
            ]
        )
        #expect(machine.state == .locked)
        #expect(machine.handle(Self.asked) == [.showSystemPrompt])
    }

    @Test(.holds("S-06"))
    func `in an open session the prompt proves the owner once more, and its end leaves the session`() {
        var machine = machine(after: Self.asked, Self.proved(), Self.asked)
        #expect(machine.state == .promptingSystem(resuming: .full))
        _ = machine.handle(.systemRefused(.notRecognised))
        #expect(machine.state == .unlocked(.full))
        _ = machine.handle(Self.asked)
        #expect(machine.handle(Self.proved()) == [.record([.systemSuccess]), .publishSession(.full)])
    }

    @Test(.holds("A36")) func `a proof that arrives after a lock opens nothing`() {
        var machine = machine(after: Self.asked, .lockRequested)
        #expect(machine.handle(Self.proved()) == [.eraseKeys, .refuse(.systemPromptEnded)])
        #expect(machine.state == .closedUntilReopened)
    }

    @Test func `a tampered vault opens for export alone, also in a session that the tampering was found in`() {
        var fresh = machine(after: Self.asked)
        #expect(
            fresh.handle(Self.proved(.tampered)) == [
                .record([.systemSuccess, .vaultTampered]), .publishSession(.exportOnly),
            ]
        )
        var open = machine(after: Self.asked, Self.proved(), Self.asked)
        #expect(open.handle(.tamperingFound) == [.publishSession(.exportOnly), .record([.vaultTampered])])
        _ = open.handle(.systemRefused(.cancelledByUser(afterMismatch: false)))
        #expect(open.state == .unlocked(.exportOnly))
    }

    @Test(.holds("C3")) func `neither a PIN nor a finger is asked for in system mode, nor the system in the other`() {
        var system = machine()
        #expect(system.handle(.strongSecretEntered(.localSecret, .allowed)) == [.refuse(.systemModeOnly)])
        #expect(system.handle(.biometricUnlockRequested(.promptBiometrics)) == [.refuse(.systemModeOnly)])
        #expect(system.state == .locked)
        var local = UnlockMachine(policy: .wallet)
        #expect(local.handle(Self.asked) == [.refuse(.systemModeOff)])
        #expect(local.state == .locked)
    }

    @Test(.holds("P-107-01")) func `under .pd107 a system slot opens nothing, whatever the file says`() {
        let context = UnlockPolicyContext(
            now: ClockReading(wall: .zero, boottime: .zero, bootID: Identifier(high: 0, low: 1)),
            capability: BiometricCapability(biometryType: .touchID, assurance: .hardwareBound)
        )
        var system = context
        system.mode = .system
        #expect(VaultPolicy.wallet.decision(for: system) == .promptSystem)
        let decision = VaultPolicy.pd107.decision(for: system)
        var machine = machine(.pd107)
        #expect(!machine.handle(.systemUnlockRequested(decision)).contains(.showSystemPrompt))
        #expect(machine.state == .closedUntilReopened)
    }

    @Test func `the mode's change leaves a session, and no screen of the other mode`() {
        var open = machine(after: Self.asked, Self.proved())
        open.adopt(.wallet, mode: .local)
        #expect(open.state == .unlocked(.full))
        var closed = machine(after: Self.asked, .systemRefused(.notRecognised))
        closed.adopt(.wallet, mode: .local)
        #expect(closed.state == .locked)
        var asking = UnlockMachine(policy: .wallet)
        _ = asking.handle(.biometricUnlockRequested(.requireStrongFactor(.rebooted)))
        asking.adopt(.wallet, mode: .system)
        #expect(asking.state == .locked)
    }

    @Test(.holds("S-06")) func `time, failures, a lockout and a damaged ledger demand nothing`() {
        let boot = Identifier(high: 0, low: 1)
        let now = ClockReading(wall: .zero - .days(900), boottime: .seconds(1), bootID: Identifier(high: 0, low: 2))
        for reason in BiometricCapability.Reason.allCases {
            var context = UnlockPolicyContext(
                now: now,
                capability: BiometricCapability(biometryType: .none, reasonIfUnavailable: reason, assurance: .simulated)
            )
            context.mode = .system
            context.lastUse = ClockReading(wall: .days(1), boottime: .days(400), bootID: boot)
            context.failedBiometricAttempts = .max
            context.wasLockedOut = true
            context.ledgerIsReliable = false
            #expect(VaultPolicy.wallet.decision(for: context) == .promptSystem)
            context.resetIsPending = true
            #expect(VaultPolicy.wallet.decision(for: context) == .resetPending)
            context.storageIsReadable = false
            #expect(VaultPolicy.wallet.decision(for: context) == .storageUnavailable)
        }
    }
}
