import Testing
// Not `@testable`: what an app may write is tried here.
import ThumbturnRules

@Suite("What an app makes itself, for a preview")
struct PreviewTests {
    @Test func `a snapshot says what it was told, and else that nothing is wrong`() {
        let plain = VaultSnapshot()
        #expect(plain.condition == .ready && plain.mode == .local && plain.state == .locked && plain.migration == .full)
        #expect(plain.biometrics != .enabled && !plain.capability.supported)
        #expect(plain.headIsReadable && plain.slotsAreWhole && plain.ledgerIsReliable && plain.isAuthentic == nil)
        #expect(!plain.isOlderCopy && !plain.formerSecretRemains && !plain.asksForLongerSecret && !plain.isCovered)
        #expect(!plain.recoveryKeyAwaitsCheck)
        let told = VaultSnapshot(
            condition: .keyMissing,
            mode: .system,
            state: .unlocked(.exportOnly),
            biometrics: .enabled,
            capability: BiometricCapability(biometryType: .faceID, assurance: .hardwareBound),
            migration: .half,
            slots: [VaultSnapshot.Slot(kind: .system, assurance: .hardwareBound, isRevoked: true)],
            recoveryKeyAwaitsCheck: true,
            policy: .pd107,
            device: .apple,
            assurance: .osKeychain,
            asksForLongerSecret: true,
            headIsReadable: false,
            slotsAreWhole: false,
            walletCount: 3,
            failedAttempts: 4,
            ledgerIsReliable: false,
            isOlderCopy: true,
            formerSecretRemains: true,
            failedBiometricAttempts: 2,
            nextAttempt: .suspended,
            decision: .promptSystem,
            isCovered: true,
            isAuthentic: false
        )
        #expect(told.condition == .keyMissing && told.mode == .system && told.state == .unlocked(.exportOnly))
        #expect(told.biometrics == .enabled && told.capability.biometryType == .faceID && told.migration == .half)
        #expect(told.slots.map(\.kind) == [.system] && told.slots.map(\.isRevoked) == [true])
        #expect(told.recoveryKeyAwaitsCheck && told.slots.map(\.createdAt) == [.zero])
        #expect(told.policy == .pd107 && told.device == .apple && told.assurance == .osKeychain)
        #expect(told.asksForLongerSecret && !told.headIsReadable && !told.slotsAreWhole && told.walletCount == 3)
        #expect(told.failedAttempts == 4 && !told.ledgerIsReliable && told.isOlderCopy && told.formerSecretRemains)
        #expect(told.failedBiometricAttempts == 2 && told.nextAttempt == .suspended && told.decision == .promptSystem)
        #expect(told.isCovered && told.isAuthentic == false)
    }

    @Test func `its screens are made of nothing else`() {
        let inFront = AppUnlockFields.Surroundings(phase: .active)
        let locked = AppUnlockFields(VaultSnapshot(), inFront)
        #expect(locked.screen == .secret && locked.biometry == nil && locked.notice == nil && !locked.isCovered)
        let waiting = AppUnlockFields(VaultSnapshot(failedAttempts: 4, nextAttempt: .wait(.minutes(5))), inFront)
        #expect(waiting.screen == .wait(Countdown(.minutes(5))) && waiting.failedSecrets == 4)
        let open = AppUnlockFields(VaultSnapshot(state: .unlocked(.full)), inFront)
        #expect(open.screen == .content && open.scope == .full)
        let offered = BiometricSettingsFields(
            VaultSnapshot(capability: BiometricCapability(biometryType: .faceID, assurance: .hardwareBound)),
            BiometricSettingsFields.Surroundings(language: .french)
        )
        #expect(offered.isShown && !offered.enabled && offered.obstacle == nil && offered.asksSecretToDisable)
        let system = SystemSettingsFields(VaultSnapshot(mode: .system), SystemSettingsFields.Surroundings())
        #expect(system.isShown && system.isOn && system.warning == .disabling)
    }
}
