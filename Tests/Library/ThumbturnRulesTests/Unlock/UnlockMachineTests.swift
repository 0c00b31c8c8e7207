import Testing
@_spi(OpenedEnvelope) import ThumbturnRules

// What the walk can't say: which effects, in which order, for the passages that matter most.
@Suite struct UnlockMachineTests {
    private typealias Event = UnlockMachine.Event

    private func machine(_ policy: VaultPolicy = .wallet, after events: Event...) -> UnlockMachine {
        var machine = UnlockMachine(policy: policy)
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private static let prompted = Event.biometricUnlockRequested(.promptBiometrics)
    private static let pin = Event.strongSecretEntered(.localSecret, .allowed)

    private static func proved(_ slot: SlotKind, _ integrity: VaultIntegrity = .intact) -> Event {
        .proved(UnlockProof(opened: slot, integrity: integrity), .promptBiometrics)
    }

    @Test(.holds("F-107-04")) func `a match clears the failures, publishes and is recorded`() {
        var machine = machine(after: Self.prompted)
        #expect(
            machine.handle(Self.proved(.biometric)) == [
                .clearBiometricFailures([.biometricSuccess]), .publishSession(.full),
            ]
        )
        #expect(machine.state == .unlocked(.full))
    }

    @Test(.holds("F-107-05", "A10")) func `a PIN is counted first, and its success acknowledged before the session`() {
        var machine = UnlockMachine(policy: .wallet)
        #expect(machine.handle(Self.pin) == [.recordAttempt, .openSlot(.localSecret)])
        #expect(
            machine.handle(Self.proved(.localSecret)) == [
                .acknowledgeStrongUnlock([.passwordFallback]), .publishSession(.full),
            ]
        )
    }

    @Test func `a wrong PIN in a session is counted and leaves the session`() {
        var machine = machine(after: Self.pin, Self.proved(.localSecret), Self.pin)
        #expect(machine.state == .verifyingStrongFactor(.localSecret, resuming: .full))
        #expect(machine.handle(.strongSecretRefused) == [.record([.passwordFailure]), .refuse(.strongFactorRefused)])
        #expect(machine.state == .unlocked(.full))
    }

    @Test(.holds("P-107-01"))
    func `the recovery key opens export only under pd107, and lifts no demand from biometrics`() {
        let recovery = Event.strongSecretEntered(.recovery, .suspended)
        var pd107 = machine(.pd107, after: recovery)
        #expect(
            pd107.handle(Self.proved(.recovery)) == [
                .clearAttempts([.passwordFallback]), .publishSession(.exportOnly),
            ]
        )
        var wallet = machine(.wallet, after: recovery)
        #expect(
            wallet.handle(Self.proved(.recovery)) == [
                .acknowledgeStrongUnlock([.passwordFallback]), .publishSession(.full),
            ]
        )
    }

    @Test func `a tampered vault opens for export, and nothing is folded into its head`() {
        var machine = machine(after: Self.pin)
        #expect(
            machine.handle(Self.proved(.localSecret, .tampered)) == [
                .clearAttempts([.passwordFallback, .vaultTampered]), .publishSession(.exportOnly),
            ]
        )
    }

    @Test(.holds("P-107-01")) func `beside a head that was changed a finger opens nothing, not even for export`() {
        for (integrity, reason, told) in [
            (VaultIntegrity.tampered, StrongFactorReason.unclassified, AuditEventKind.vaultTampered),
            (.putBack, .ledgerUnreliable, .olderCopyFound),
        ] {
            var machine = machine(after: Self.prompted)
            #expect(
                machine.handle(Self.proved(.biometric, integrity)) == [
                    .eraseKeys, .record([told]), .refuse(reason.errorCode),
                ]
            )
            #expect(machine.state == .requiresStrongFactor(reason))
        }
    }

    @Test(.holds("A36")) func `a proof that arrives after a lock opens nothing`() {
        var machine = machine(after: Self.prompted, .lockRequested)
        #expect(machine.handle(Self.proved(.biometric)) == [.eraseKeys, .refuse(.strongFactorRequired)])
        #expect(machine.state == .requiresStrongFactor(.unexpectedEvent))
    }

    @Test(.holds("A36", "C7")) func `what a prompt learned is kept although the lock won`() {
        func effects(_ refusal: DeviceRefusal) -> [UnlockMachine.Effect] {
            var machine = machine(after: Self.prompted, .lockRequested)
            let effects = machine.handle(.biometricsRefused(refusal))
            #expect(machine.state == .locked)
            return effects
        }
        #expect(effects(.notRecognised) == [.countBiometricFailures(1)])
        #expect(effects(.cancelledByUser(afterMismatch: true)) == [.countBiometricFailures(1)])
        #expect(effects(.cancelledByUser(afterMismatch: false)).isEmpty)
        #expect(effects(.cancelledBySystem).isEmpty)
        #expect(effects(.readerFailed(afterMismatch: true)) == [.countBiometricFailures(1)])
        #expect(effects(.readerFailed(afterMismatch: false)).isEmpty)
        for meaning in [DeviceRefusal.Meaning.notRecognised, .cancelledBySystem, .notEnrolled, .hardwareMissing] {
            #expect(effects(DeviceRefusal(meaning, mismatches: 3)) == [.countBiometricFailures(3)])
        }
        #expect(effects(DeviceRefusal(.unavailable, mismatches: 3)).first == .countBiometricFailures(3))
        #expect(effects(.lockedOut) == [.recordLockout([.biometricFailure])])
        #expect(effects(.revoked) == [.revokeBiometrics(confirmed: true)])
        #expect(effects(.absent) == [.revokeBiometrics(confirmed: true)])
        #expect(effects(.unclassified) == [.revokeBiometrics(confirmed: false)])
    }

    @Test(.holds("INV-107-08", "F-107-06"))
    func `the third failure is told as a failure and ends in the strong factor`() {
        for (total, state) in [
            (2, UnlockMachine.State.biometricsFailed), (3, .requiresStrongFactor(.tooManyMismatches)),
        ] {
            var machine = machine(.pd107, after: Self.prompted, .biometricsRefused(.notRecognised))
            #expect(
                machine.handle(.biometricFailureCounted(total: UInt32(total))) == [.refuse(.biometricsNotRecognised)]
            )
            #expect(machine.state == state)
        }
    }

    @Test(.holds("C7")) func `a lockout that the sensor reports is kept`() {
        var machine = UnlockMachine(policy: .wallet)
        #expect(
            machine.handle(.biometricUnlockRequested(.requireStrongFactor(.lockedOut))) == [
                .recordLockout([]), .refuse(.strongFactorRequired),
            ]
        )
    }

    @Test("a cancelled prompt ends, and only the user brings the next", .holds("A33"), arguments: 1...3)
    func cancelled(taps: Int) {
        var machine = UnlockMachine(policy: .wallet)
        var shown = 0
        for _ in 0..<taps {
            shown += machine.handle(Self.prompted).filter { $0 == .showBiometricPrompt }.count
            #expect(
                machine.handle(.biometricsRefused(.cancelledByUser(afterMismatch: false))) == [
                    .refuse(.promptCancelled)
                ]
            )
            #expect(machine.state == .requiresStrongFactor(.cancelled))
        }
        #expect(shown == taps)
    }

    @Test(.holds("B-03", "C7")) func `a reader that fails asks for the PIN, and counts what failed before it alone`() {
        for afterMismatch in [false, true] {
            var machine = machine(after: Self.prompted)
            #expect(
                machine.handle(.biometricsRefused(.readerFailed(afterMismatch: afterMismatch)))
                    == (afterMismatch ? [.countBiometricFailures(1)] : []) + [.refuse(.biometricsUnavailable)]
            )
            #expect(machine.state == .requiresStrongFactor(.biometricsUnavailable))
            #expect(ErrorCode.biometricsUnavailable.recovery == .offerStrongFactor)
            // The count comes back, and keeps the state that asks for the PIN.
            #expect(machine.handle(.biometricFailureCounted(total: 1)).isEmpty)
            #expect(machine.state == .requiresStrongFactor(.biometricsUnavailable))
        }
    }

    @Test(.holds("F-107-05")) func `choosing the PIN is no failure`() {
        var machine = machine(after: Self.prompted)
        #expect(machine.handle(.biometricsRefused(.fallbackChosen)) == [.refuse(.strongFactorRequired)])
        #expect(machine.state == .requiresStrongFactor(.fallbackChosen))
    }

    @Test(.holds("ERR-TT-102", "ERR-TT-103")) func `a delay and a suspension refuse and change nothing`() {
        var machine = UnlockMachine(policy: .wallet)
        #expect(machine.handle(.strongSecretEntered(.localSecret, .wait(.seconds(9)))) == [.refuseUntil(.seconds(9))])
        #expect(machine.handle(.strongSecretEntered(.localSecret, .suspended)) == [.refuse(.localSecretSuspended)])
        #expect(machine.state == .locked)
    }

    @Test func `a pending reset and unreadable storage stop every proof`() {
        for (decision, code) in [
            (UnlockDecision.resetPending, ErrorCode.resetPending), (.storageUnavailable, .storageUnavailable),
        ] {
            for (event, slot) in [(Self.prompted, SlotKind.biometric), (Self.pin, .localSecret)] {
                var machine = machine(after: event)
                let proof = UnlockProof(opened: slot, integrity: .intact)
                #expect(machine.handle(.proved(proof, decision)) == [.eraseKeys, .refuse(code)])
                #expect(machine.state == .locked)
            }
        }
    }

    @Test(.holds("C17")) func `pd107 covers and locks in the background, a wallet covers`() {
        var pd107 = machine(.pd107, after: Self.pin, Self.proved(.localSecret))
        #expect(pd107.handle(.movedToBackground) == [.coverScreen, .eraseKeys])
        #expect(pd107.state == .locked)
        var wallet = machine(.wallet, after: Self.pin, Self.proved(.localSecret))
        #expect(wallet.handle(.movedToBackground) == [.coverScreen])
        #expect(wallet.state == .unlocked(.full))
        #expect(wallet.handle(.idleLimitPassed) == [.eraseKeys])
    }

    @Test(.holds("A19")) func `a storage fault is no guess and ends no session`() {
        var verifying = machine(after: Self.pin)
        #expect(verifying.handle(.storageFailed) == [.eraseKeys, .refuse(.storageUnavailable)])
        #expect(verifying.state == .locked)
        var open = machine(after: Self.pin, Self.proved(.localSecret))
        #expect(open.handle(.storageFailed) == [.refuse(.storageUnavailable)])
        #expect(open.state == .unlocked(.full))
    }

    @Test(.holds("F-107-06")) func `a count that comes late is recorded and disturbs nobody`() {
        var machine = machine(after: Self.prompted, .biometricsRefused(.notRecognised), .lockRequested)
        #expect(machine.handle(.biometricFailureCounted(total: 1)).isEmpty)
        #expect(machine.state == .locked)
    }

    @Test func `in an open session a prompt is shown, and its failure is counted, told, and leaves the session`() {
        for total in [UInt32(1), 3] {
            var machine = machine(after: Self.pin, Self.proved(.localSecret))
            #expect(machine.handle(Self.prompted) == [.showBiometricPrompt])
            #expect(machine.state == .promptingBiometrics(resuming: .full))
            #expect(machine.handle(.biometricsRefused(.notRecognised)) == [.countBiometricFailures(1)])
            #expect(
                machine.handle(.biometricFailureCounted(total: total)) == [.refuse(.biometricsNotRecognised)]
            )
            #expect(machine.state == .unlocked(.full))
        }
    }

    @Test func `in an open session a prompt that the policy forbids is refused by its reason`() {
        var machine = machine(after: Self.pin, Self.proved(.localSecret))
        let asked = Event.biometricUnlockRequested(.requireStrongFactor(.biometricsDisabled))
        #expect(machine.handle(asked) == [.refuse(.strongFactorRequired)])
        #expect(machine.state == .unlocked(.full))
    }

    @Test(.holds("P-107-09")) func `the mandatory events have their names`() {
        let mandatory = [
            "BIOMETRIC_ENABLED", "BIOMETRIC_DISABLED", "BIOMETRIC_AUTH_SUCCESS", "BIOMETRIC_AUTH_FAILURE",
            "BIOMETRIC_REVOKED_SYSTEM_CHANGE", "PASSWORD_AUTH_FALLBACK",
        ]
        #expect(AuditEventKind.allCases.prefix(6).map(\.name) == mandatory)
        #expect(Set(AuditEventKind.allCases.map(\.name)).count == AuditEventKind.allCases.count)
        #expect(AuditEventKind.allCases.map(\.rawValue) == Array(1...UInt8(AuditEventKind.allCases.count)))
        for kind in AuditEventKind.allCases {
            #expect(!kind.name.isEmpty && kind.name.utf8.allSatisfy { $0 == 0x5F || (0x41...0x5A).contains($0) })
        }
    }
}
