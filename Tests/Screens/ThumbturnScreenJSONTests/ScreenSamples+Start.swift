import ThumbturnRules

@testable import ThumbturnScreenJSON

// From the app's start to an open vault.
extension ScreenSamples {
    static var app: [ScreenSample] {
        [
            ("opening", { _ in }), ("onboarding", { $0.isOnboarding = true }), ("vault", { $0.hasVault = true }),
            ("vault-recovering", { ($0.hasVault, $0.isRecovering) = (true, true) }),
            ("failed", { $0.refusal = .storageUnavailable }),
            ("misconfigured", { $0.setupFault = "the project has no keychain group" }),
        ].map { (name: String, change: @escaping (inout VaultScreensFields.Surroundings) -> Void) in
            ScreenSample(
                "app-\(name)",
                { language in
                    var around = VaultScreensFields.Surroundings(language: language)
                    change(&around)
                    return VaultScreensFields(around)
                },
                { $0.json(in: $1) }
            )
        }
    }

    static var onboarding: [ScreenSample] {
        let steps: [(String, OnboardingFields.Step, ErrorCode?, SecretKind)] = [
            ("step-secret", .secret, nil, .pin(length: 6)), ("step-secret-password", .secret, nil, .password),
            ("step-secret-refused", .secret, .secretTooCommon, .pin(length: 6)),
            ("step-repeated", .repeated, nil, .pin(length: 6)), ("step-repeated-password", .repeated, nil, .password),
            ("step-biometrics", .biometrics(touch), nil, .pin(length: 6)),
            ("step-biometrics-notEnrolled", .biometrics(notEnrolled), nil, .pin(length: 6)),
            ("step-making", .making, nil, .pin(length: 6)), ("step-done", .done, nil, .pin(length: 6)),
            ("step-withoutBiometrics", .withoutBiometrics, .biometricsNotRecognised, .pin(length: 6)),
        ]
        return steps.map { name, step, refusal, secret in
            ScreenSample(
                "onboarding-\(name)",
                { language in
                    var around = OnboardingFields.Surroundings(step: step, policy: policy, language: language)
                    around.isBusy = step == .making
                    around.refusal = refusal
                    return OnboardingFields(around)
                },
                { $0.json(in: $1, asking: secret) }
            )
        }
    }

    private static let notEnrolled = BiometricCapability(
        biometryType: .faceID,
        reasonIfUnavailable: .notEnrolled,
        assurance: .simulated
    )

    static var recover: [ScreenSample] {
        let recovery = VaultSnapshot.Slot(kind: .recovery, assurance: .simulated)
        let locked = VaultSnapshot(slots: [recovery])
        let states: [(String, VaultSnapshot?, RecoverFields.Step?, ErrorCode?, SecretKind)] =
            RecoverFields.Step.allCases.map { ("step-\($0.name)", locked, $0, nil, .pin(length: 6)) }
            + [
                ("unread", nil, nil, nil, .pin(length: 6)),
                ("withoutRecoveryKey", VaultSnapshot(), nil, nil, .pin(length: 6)),
                ("step-key-refused", locked, .key, .recoveryKeyMalformed, .pin(length: 6)),
                ("step-newSecret-password", locked, .newSecret, nil, .password),
                ("step-repeated-password", locked, .repeated, nil, .password),
            ]
        return states.map { name, snapshot, step, refusal, secret in
            ScreenSample(
                "recover-\(name)",
                { language in
                    var around = RecoverFields.Surroundings(step: step, language: language)
                    around.isBusy = step == .working
                    around.refusal = refusal
                    return RecoverFields(snapshot, around)
                },
                { $0.json(in: $1, asking: secret) }
            )
        }
    }

    static var unlock: [ScreenSample] {
        let states: [(String, VaultSnapshot?, (inout AppUnlockFields.Surroundings) -> Void)] =
            [
                ("opening", nil, { _ in }),
                ("content", VaultSnapshot(state: .unlocked(.full), walletCount: 1), { _ in }),
                ("covered", VaultSnapshot(state: .unlocked(.full), isCovered: true), { $0.phase = .inactive }),
                ("offer", VaultSnapshot(state: .unlocked(.full)), { $0.hasOffer = true }),
                (
                    "completion-secret", VaultSnapshot(state: .unlocked(.full), migration: .half),
                    { $0.completion = .secret }
                ),
                (
                    "completion-newSecret", VaultSnapshot(state: .unlocked(.full), migration: .half),
                    { ($0.completion, $0.refusal) = (.newSecret, .secretTooShort) }
                ),
                (
                    "completion-walletName", VaultSnapshot(state: .unlocked(.full), migration: .half),
                    { $0.completion = .walletName }
                ),
                (
                    "completion-withoutBiometrics", VaultSnapshot(state: .unlocked(.full), migration: .half),
                    { $0.completion = .withoutBiometrics }
                ),
                (
                    "olderCopy-question", VaultSnapshot(state: .unlocked(.exportOnly), isOlderCopy: true),
                    { $0.olderCopy = .question }
                ),
                (
                    "olderCopy-secret", VaultSnapshot(state: .unlocked(.exportOnly), isOlderCopy: true),
                    { $0.olderCopy = .secret }
                ),
                ("prompt", VaultSnapshot(state: .promptingBiometrics(resuming: nil)), { $0.isBusy = true }),
                ("secret", VaultSnapshot(), { _ in }),
                (
                    "secret-withSensor",
                    VaultSnapshot(biometrics: .enabled, capability: touch, decision: .promptBiometrics), { _ in }
                ),
                (
                    "secret-refused", VaultSnapshot(failedAttempts: 2),
                    { $0.refusal = .strongFactorRefused }
                ),
                (
                    "secret-reason",
                    VaultSnapshot(
                        state: .requiresStrongFactor(.idle),
                        asksForLongerSecret: true,
                        decision: .requireStrongFactor(.idle)
                    ), { _ in }
                ),
                ("system", VaultSnapshot(mode: .system, decision: .promptSystem), { _ in }),
                ("reopen", VaultSnapshot(mode: .system, state: .closedUntilReopened), { _ in }),
                ("wait", VaultSnapshot(failedAttempts: 5, nextAttempt: .wait(.minutes(5))), { _ in }),
                ("recovery", VaultSnapshot(condition: .keyMissing), { _ in }),
                ("reset", VaultSnapshot(condition: .resetPending, decision: .resetPending), { _ in }),
                ("erased", VaultSnapshot(), { $0.isErased = true }),
            ]
        return states.map { name, snapshot, change in
            ScreenSample(
                "unlock-\(name)",
                { language in
                    var around = AppUnlockFields.Surroundings(phase: .active, language: language)
                    change(&around)
                    return AppUnlockFields(snapshot, around)
                },
                { $0.json(in: $1) }
            )
        }
    }
}
