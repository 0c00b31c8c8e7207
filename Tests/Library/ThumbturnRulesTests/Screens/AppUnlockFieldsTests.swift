import Testing

@testable import ThumbturnRules

@Suite("What the unlock screen shows of each state")
struct AppUnlockFieldsTests {
    private typealias Screen = AppUnlockFields.Screen

    @Test(
        .holds("P-107-03"),
        arguments: [
            (UnlockMachine.State.locked, VaultSnapshot.AppUnlockState.locked, AppUnlockFields.Screen.secret),
            (.promptingBiometrics(resuming: nil), .promptingBiometric, .prompt),
            (.promptingBiometrics(resuming: .full), .unlocked, .content),
            (.biometricsFailed, .promptingBiometric, .secret),
            (.requiresStrongFactor(.cancelled), .requirePassword, .secret),
            (.requiresStrongFactor(.rebooted), .requirePassword, .secret),
            (.verifyingStrongFactor(.localSecret, resuming: nil), .requirePassword, .secret),
            (.verifyingStrongFactor(.recovery, resuming: nil), .requirePassword, .secret),
            (.verifyingStrongFactor(.localSecret, resuming: .full), .unlocked, .content),
            (.promptingSystem(resuming: nil), .promptingBiometric, .prompt),
            (.promptingSystem(resuming: .full), .unlocked, .content),
            (.closedUntilReopened, .locked, .reopen),
            (.unlocked(.full), .unlocked, .content),
            (.unlocked(.exportOnly), .unlocked, .content),
        ]
    )
    func `seed 002's state, and the screen`(
        state: UnlockMachine.State,
        hook: VaultSnapshot.AppUnlockState,
        screen: AppUnlockFields.Screen
    ) {
        let fields = fields(.test(state))
        #expect(fields.state == hook)
        #expect(fields.screen == screen)
        #expect(fields.failedAttempts == 1 && fields.failedSecrets == 2)
    }

    @Test(.holds("P-107-01"), arguments: UnlockMachine.State.samples)
    func `content shows only while a session is open`(state: UnlockMachine.State) {
        for condition in [VaultSnapshot.Condition.ready, .keyMissing] {
            let fields = fields(.test(state, condition: condition))
            #expect((fields.screen == .content) == (fields.scope != nil))
            #expect((fields.screen == .content) == (fields.state == .unlocked))
        }
        #expect(fields(.test(state, condition: .resetPending)).screen == .reset)
    }

    @Test(.holds("C8")) func `a revocation shows until the next strong unlock`() {
        let revoked = BiometricLifecycle.State.revoked(.biometricsChanged)
        for state in [UnlockMachine.State.locked, .requiresStrongFactor(.biometricsChanged)] {
            let fields = fields(.test(state, biometrics: revoked, decision: .requireStrongFactor(.biometricsChanged)))
            #expect(fields.state == .revoked && fields.reason == .biometricsChanged)
        }
        #expect(fields(.test(.unlocked(.full), biometrics: revoked)).state == .unlocked)
    }

    @Test func `a vault that is being read is covered, and asks nothing`() {
        let fields = AppUnlockFields(nil, AppUnlockFields.Surroundings())
        #expect(fields.screen == .opening && fields.state == .locked && fields.isCovered)
        #expect(fields.biometry == nil && fields.error == nil && fields.scope == nil)
    }

    @Test func `a delay hides the PIN pad, and the finger is still good`() {
        let fields = fields(.test(nextAttempt: .wait(.seconds(30))))
        #expect(fields.screen == .wait(Countdown(.seconds(30))))
        #expect(fields.biometry == .touchID)
    }

    @Test(.holds("ERR-TT-102")) func `a delay says how it ends, and names a recovery key only where one opens`() throws
    {
        for isThere in [false, true] {
            let snapshot = VaultSnapshot.test(nextAttempt: .wait(.seconds(30)), hasRecoveryKey: isThere)
            let error = try #require(fields(snapshot, refusal: .attemptDelayed).error)
            let hint = error.hint
            #expect(hint.hasPrefix("Leave the device on, or check again before you switch it off; then try again"))
            #expect(hint.contains("recovery key") == isThere)
        }
    }

    @Test func `where a PIN may be too short by now it is said in both languages, locked and open`() {
        for state in [UnlockMachine.State.locked, .unlocked(.full)] {
            #expect(fields(.test(state)).secretAdvice == nil)
            for (language, word) in [(Language.english, "fewer than 12 digits"), (.french, "moins de 12 chiffres")] {
                var around = AppUnlockFields.Surroundings()
                around.language = language
                let advised = AppUnlockFields(.test(state, asksForLongerSecret: true), around)
                #expect(advised.secretAdvice?.contains(word) == true)
                #expect(advised.screen == fields(.test(state)).screen, "it is advice, and stops nobody")
            }
        }
    }

    @Test func `without the PIN only the recovery key is left`() {
        #expect(fields(.test(nextAttempt: .suspended)).screen == .recovery(.localSecretSuspended))
        #expect(fields(.test(condition: .keyMissing)).screen == .recovery(.keyMissing))
        #expect(fields(.test(condition: .ledgerDamaged)).screen == .recovery(.vaultDamaged))
        #expect(fields(.test(condition: .diskFull)).screen == .recovery(.diskFull))
        #expect(fields(.test(.unlocked(.exportOnly), condition: .keyMissing)).screen == .content)
        let lost = VaultSnapshot.test(condition: .keyMissing, decision: .requireStrongFactor(.ledgerUnreliable))
        #expect(fields(lost).notice == nil, "the screen says its cause, and no other")
    }

    @Test(.holds("K-07")) func `a half migrated vault asks for the former PIN, also without the device's key`() {
        let fields = fields(.test(condition: .keyMissing, migration: .half, nextAttempt: .wait(.seconds(30))))
        #expect(fields.screen == .secret)
    }

    @Test(.holds("S-06")) func `system mode asks for no PIN, and after the prompt's end for a reopening`() {
        let locked = fields(.test(mode: .system, decision: .promptSystem))
        #expect(locked.screen == .system && locked.biometry == nil && locked.notice == nil)
        let closed = fields(.test(.closedUntilReopened, mode: .system, decision: .promptSystem))
        #expect(closed.screen == .reopen && closed.notice?.errorCode == .systemPromptEnded)
        #expect(closed.notice?.recoverable == false)
        let lost = fields(.test(condition: .keyMissing, mode: .system, decision: .promptSystem))
        #expect(lost.screen == .recovery(.keyMissing))
    }

    @Test(.holds("B-09"), arguments: StrongFactorReason.allCases)
    func `a finger is offered where the policy allows it, else the reason is said`(reason: StrongFactorReason) {
        let fields = fields(.test(decision: .requireStrongFactor(reason)))
        #expect(fields.biometry == nil && fields.reason == reason)
        let expected: ErrorCode? = reason == .biometricsDisabled || reason == .fallbackChosen ? nil : reason.errorCode
        #expect(fields.notice?.errorCode == expected)
        #expect(fields.error == nil, "nothing was refused yet")
    }

    @Test func `what a tap would meet can't be told from what was last demanded`() {
        // After a cancel the policy still allows a prompt, and only a tap asks for it.
        let fields = fields(.test(.requiresStrongFactor(.cancelled)))
        #expect(fields.biometry == .touchID && fields.reason == .cancelled)
        #expect(fields.notice?.code == "ERR-107-031")
    }

    @Test func `an error goes before a reason`() {
        let fields = fields(.test(.requiresStrongFactor(.cancelled)), refusal: .strongFactorRefused)
        #expect(fields.error?.code == "ERR-107-040" && fields.notice == fields.error)
    }

    @Test func `an open session shows no reason`() {
        let fields = fields(.test(.unlocked(.full), decision: .requireStrongFactor(.idle)))
        #expect(fields.reason == nil && fields.notice == nil && fields.biometry == nil)
    }

    @Test(.holds("A37"), arguments: AppPhase.allCases, [true, false])
    func `only an app in front that the vault does not cover is uncovered`(phase: AppPhase, isCovered: Bool) {
        let fields = fields(.test(.unlocked(.full), isCovered: isCovered), phase: phase)
        #expect(fields.isCovered == (isCovered || phase != .active))
    }

    @Test(.holds("A37")) func `an app that returns stays covered while the vault has not heard that it left`() {
        var around = AppUnlockFields.Surroundings(phase: .active)
        around.awaitsCover = true
        #expect(AppUnlockFields(.test(.unlocked(.full)), around).isCovered)
    }

    @Test(.holds("INV-107-06")) func `of a finger the models know the sensor's name, and how often it failed`() throws {
        let unlocking = Mirror(reflecting: fields(.test(), refusal: .biometricsNotRecognised))
        #expect(
            unlocking.children.compactMap(\.label) == [
                "state", "screen", "failedAttempts", "failedSecrets", "error", "reason", "notice", "secretAdvice",
                "biometry", "scope", "isBusy", "isCovered",
            ]
        )
        let error = try #require(fields(.test(), refusal: .biometricsNotRecognised).error)
        #expect(
            Mirror(reflecting: error).children.compactMap(\.label) == [
                "errorCode", "biometry", "language", "recoveryKeyOpens", "strongFactor", "recovery",
            ]
        )
        let settings = BiometricSettingsFields(.test(), BiometricSettingsFields.Surroundings())
        #expect(
            Mirror(reflecting: settings).children.compactMap(\.label) == [
                "capability", "enabled", "loading", "error", "isShown", "obstacle", "asksSecretToDisable",
            ]
        )
        let sensor = Mirror(reflecting: settings.capability)
        #expect(sensor.children.compactMap(\.label) == ["biometryType", "reasonIfUnavailable", "assurance"])
    }

    @Test func `an erased vault says so, whatever else`() {
        var around = AppUnlockFields.Surroundings(phase: .active)
        around.isErased = true
        #expect(AppUnlockFields(.test(condition: .resetPending), around).screen == .erased)
    }

    @Test func `a message names what the device has, and on Apple's devices seed 002's own words stand`() throws {
        let apple = try #require(fields(.test(), refusal: .biometricsUnavailable, language: .french).error)
        #expect(apple.message == "Face ID/Touch ID non disponible sur cet appareil.")
        let linux = VaultSnapshot.test(device: .linux)
        let other = try #require(fields(linux, refusal: .biometricsUnavailable, language: .french).error)
        #expect(other.message == "Reconnaissance d'empreinte digitale non disponible sur cet appareil.")
    }

    @Test(arguments: ErrorCode.allCases)
    func `every error has a sentence and a way on`(code: ErrorCode) throws {
        for language in Language.allCases {
            let error = try #require(fields(.test(), refusal: code, language: language).error)
            #expect(error.code == code.text && error.recovery == code.recovery)
            #expect(error.message.hasSuffix("."))
            #expect(error.hint.hasSuffix(".") && error.hint.first?.isUppercase == true)
        }
    }

    @Test func `what needs more than this screen is not recoverable here`() throws {
        let lost: [ErrorCode.Recovery] = [.useRecoveryKey, .mendEnvironment, .exportAndRenew, .reopen]
        for code in ErrorCode.allCases {
            let error = try #require(fields(.test(), refusal: code).error)
            #expect(error.recoverable == !lost.contains(code.recovery))
        }
    }

    private func fields(
        _ snapshot: VaultSnapshot,
        refusal: ErrorCode? = nil,
        phase: AppPhase = .active,
        language: Language = .english
    ) -> AppUnlockFields {
        var around = AppUnlockFields.Surroundings(phase: phase, language: language)
        around.refusal = refusal
        return AppUnlockFields(snapshot, around)
    }

    @Test(.holds("F-107-06", "ERR-107-030")) func `a finger that fails may be tried again until the third`() {
        for (failures, recovery) in [(UInt32(2), ErrorCode.Recovery.retry), (3, .offerStrongFactor)] {
            var around = AppUnlockFields.Surroundings(phase: .active)
            around.refusal = .biometricsNotRecognised
            let snapshot = VaultSnapshot(failedBiometricAttempts: failures)
            let error = AppUnlockFields(snapshot, around).error
            #expect(error?.recovery == recovery && error?.code == "ERR-107-030")
            #expect(error?.hint == (failures < 3 ? "Try again." : "Unlock with your PIN or password."))
        }
    }

    @Test(.holds("F-107-05")) func `no error on an account's screen names a PIN`() {
        let account = VaultSnapshot(policy: .pd107)
        for code in ErrorCode.allCases {
            for language in Language.allCases {
                var around = AppUnlockFields.Surroundings(phase: .active, language: language)
                around.refusal = code
                let error = AppUnlockFields(account, around).error
                let text = [error?.message, error?.hint].compactMap { $0 }.joined(separator: " ")
                #expect(!text.contains("PIN"), "\(text)")
                if language == .french, code.message(in: .english).contains("PIN") {
                    #expect(!text.contains("code"), "\(text)")
                }
            }
        }
    }
}
