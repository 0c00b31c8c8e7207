import Testing

@testable import ThumbturnRules

@Suite("What the first start and the way back show")
struct FirstStartFieldsTests {
    private static let withKey = VaultSnapshot(slots: [.init(kind: .recovery, assurance: nil)])

    @Test func `the first start shows its step, and each refusal in words`() throws {
        var around = OnboardingFields.Surroundings(step: .repeated, language: .french)
        #expect(OnboardingFields(around).step == .repeated && OnboardingFields(around).error == nil)
        for code in ErrorCode.allCases {
            around.refusal = code
            let error = try #require(OnboardingFields(around).error)
            #expect(error.errorCode == code && error.message == code.message(in: .french))
        }
    }

    @Test func `on Apple's devices the first start says seed 002's own words`() throws {
        var around = OnboardingFields.Surroundings(device: .apple, language: .french)
        around.refusal = .biometricsUnavailable
        #expect(OnboardingFields(around).error?.message == "Face ID/Touch ID non disponible sur cet appareil.")
    }

    @Test func `the way back begins with the recovery key where one may open, else with the erase`() {
        let around = RecoverFields.Surroundings()
        #expect(RecoverFields(nil, around).step == .opening)
        #expect(RecoverFields(Self.withKey, around).step == .key)
        #expect(RecoverFields(VaultSnapshot(), around).step == .erase)
        #expect(!RecoverFields(VaultSnapshot(), around).recoveryKeyMayOpen)
        let unreadable = VaultSnapshot(headIsReadable: false)
        #expect(RecoverFields(unreadable, around).step == .key, "a list that can't be read may hide one")
        let erased = VaultSnapshot(condition: .resetPending, slots: Self.withKey.slots)
        #expect(RecoverFields(erased, around).step == .erase)
    }

    @Test func `a recovery key sets no new PIN where the policy, the account or the disk forbids it`() {
        var policy = VaultPolicy.wallet
        policy.recoveryOpensFully = false
        #expect(Self.withKey.recoverySetsSecret)
        #expect(!VaultSnapshot(policy: policy).recoverySetsSecret)
        #expect(!VaultSnapshot(policy: .pd107).recoverySetsSecret)
        #expect(!VaultSnapshot(condition: .diskFull).recoverySetsSecret)
    }

    @Test(.holds("P-107-04")) func `the lock screen leads out wherever its owner may be stuck`() {
        func leadsOut(_ snapshot: VaultSnapshot) -> Bool {
            AppUnlockFields(snapshot, AppUnlockFields.Surroundings(phase: .active)).leadsOut
        }
        let stuck: [VaultSnapshot] = [
            VaultSnapshot(), VaultSnapshot(nextAttempt: .wait(.minutes(5))), VaultSnapshot(nextAttempt: .suspended),
            VaultSnapshot(condition: .keyMissing), VaultSnapshot(condition: .ledgerDamaged),
            VaultSnapshot(condition: .diskFull), VaultSnapshot(mode: .system, state: .closedUntilReopened),
        ]
        for snapshot in stuck { #expect(leadsOut(snapshot), "\(snapshot)") }
        let free: [VaultSnapshot] = [
            VaultSnapshot(state: .unlocked(.full)), VaultSnapshot(state: .promptingBiometrics(resuming: nil)),
            VaultSnapshot(mode: .system), VaultSnapshot(condition: .resetPending),
        ]
        for snapshot in free { #expect(!leadsOut(snapshot), "\(snapshot)") }
        var inSystemMode = AppUnlockFields.Surroundings(phase: .active)
        for code in [ErrorCode.promptCancelled, .proofNotAccepted] {
            inSystemMode.refusal = code
            let fields = AppUnlockFields(VaultSnapshot(mode: .system), inSystemMode)
            #expect(fields.leadsOut == (code == .proofNotAccepted), "a key may be dead though its item is there")
        }
        let older = VaultSnapshot(state: .unlocked(.exportOnly), isOlderCopy: true)
        for step in [OlderCopyStep.question, .secret] {
            var around = AppUnlockFields.Surroundings(phase: .active)
            around.olderCopy = step
            #expect(AppUnlockFields(older, around).leadsOut == (step == .secret), "the PIN may be forgotten")
        }
    }

    @Test func `an app shows its vault, else the first start, else why neither`() {
        var around = VaultScreensFields.Surroundings(language: .french)
        #expect(VaultScreensFields(around).screen == .opening)
        around.refusal = .storageUnavailable
        guard case .failed(let error) = VaultScreensFields(around).screen else {
            Issue.record("no reason is shown")
            return
        }
        #expect(error.message == ErrorCode.storageUnavailable.message(in: .french))
        around.setupFault = "add Keychain Sharing"
        #expect(VaultScreensFields(around).screen == .misconfigured("add Keychain Sharing"))
        around.isOnboarding = true
        around.isRecovering = true
        #expect(VaultScreensFields(around).screen == .onboarding && !VaultScreensFields(around).isRecovering)
        around.hasVault = true
        #expect(VaultScreensFields(around).screen == .vault && VaultScreensFields(around).isRecovering)
    }

    @Test func `every text is in both languages, and in the catalogue`() {
        for words in Words.firstStartWords {
            #expect(words.english != words.french && Words.catalogue.contains(words), "\(words.english)")
        }
    }
}
