import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnScreenJSON

/// One value of each screen, in each state that shows something else, and one of each action.
enum ScreenSamples {
    /// What a sample's file has: the screen in each language.
    static var screens: [(name: String, json: (Language) -> JSON)] {
        settings
            + unlock.map { name, snapshot, change in
                (
                    "unlock-\(name)",
                    { language in
                        var around = AppUnlockFields.Surroundings(phase: .active, language: language)
                        change(&around)
                        return AppUnlockFields(snapshot, around).json(in: language)
                    }
                )
            }
            + biometrics.map { name, snapshot, refusal in
                (
                    "biometrics-\(name)",
                    { language in
                        var around = BiometricSettingsFields.Surroundings(language: language)
                        around.refusal = refusal
                        return BiometricSettingsFields(snapshot, around).json(in: language)
                    }
                )
            }
            + system.map { name, snapshot, obstacle, step in
                (
                    "system-\(name)",
                    { language in
                        let around = SystemSettingsFields.Surroundings(
                            obstacle: obstacle,
                            step: step,
                            language: language
                        )
                        return SystemSettingsFields(snapshot, around).json(in: language)
                    }
                )
            }
    }

    /// The screens behind the settings.
    private static var settings: [(name: String, json: (Language) -> JSON)] {
        PINChangeFields.Step.allCases.map { step in
            ("pin-step-\(step.name)", { PINChangeFields(open, .init(step: step, language: $0)).json(in: $0) })
        }
            + [
                ("pin-opening", { PINChangeFields(nil, .init(language: $0)).json(in: $0) }),
                (
                    "pin-systemMode",
                    { PINChangeFields(VaultSnapshot(mode: .system), .init(language: $0)).json(in: $0) }
                ),
                ("recoveryKey-opening", { RecoveryKeyFields(nil, .init(language: $0)).json(in: $0) }),
                (
                    "recoveryKey-unchecked",
                    {
                        RecoveryKeyFields(VaultSnapshot(recoveryKeyAwaitsCheck: true), .init(language: $0))
                            .json(in: $0)
                    }
                ),
            ]
            + RecoveryKeyFields.Step.allCases.map { step in
                (
                    "recoveryKey-step-\(step.name)",
                    { RecoveryKeyFields(open, .init(step: step, language: $0)).json(in: $0) }
                )
            }
    }

    /// One of each action.
    static var actions: [ScreenAction] {
        [
            UnlockAction.unlockWithBiometric, .unlockWithSystem, .submitSecret, .answerOffer(consent: true),
            .chooseSecret, .keepBoth(wallet: "second"), .askBiometricsAgain, .goOnWithoutBiometrics, .stopMoving,
            .acceptOlderCopy(typed: "ACCEPT"), .onlyExport, .askAboutOlderCopy, .reset(typed: "RESET"), .resetError,
            .lock, .submitRecoveryKey, .newWallet,
        ].map(ScreenAction.unlock)
            + [BiometricsAction.enable, .disable(withSecret: true), .disable(withSecret: false), .refresh, .resetError]
            .map(
                ScreenAction.biometrics
            )
            + [
                SystemAction.agree, .submitSecret, .makeRecoveryKey, .showRecoveryKey, .recoveryKeyIsWritten, .cancel,
                .refresh,
            ].map(ScreenAction.system)
            + [PINChangeAction.submitSecret, .cancel].map(ScreenAction.pin)
            + [
                RecoveryKeyAction.make, .typeBack, .submitSecret, .enterBySystem, .showKey, .keyIsWritten, .cancel,
            ].map(ScreenAction.recoveryKey)
    }

    private static let touch = BiometricCapability(biometryType: .touchID, assurance: .simulated)
    private static let policy = VaultPolicy.wallet.allowing(.simulated)

    private static var unlock: [(String, VaultSnapshot?, (inout AppUnlockFields.Surroundings) -> Void)] {
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
    }

    private static var biometrics: [(String, VaultSnapshot?, ErrorCode?)] {
        [
            ("opening", nil, nil),
            ("hidden", VaultSnapshot(), nil),
            ("off", VaultSnapshot(state: .unlocked(.full), capability: touch, policy: policy), nil),
            (
                "off-refused", VaultSnapshot(state: .unlocked(.full), capability: touch, policy: policy),
                .wrongSecretForEnabling
            ),
            ("off-tooWeak", VaultSnapshot(state: .unlocked(.full), capability: touch), nil),
            (
                "off-lockedOut",
                VaultSnapshot(
                    state: .unlocked(.full),
                    capability: BiometricCapability(
                        biometryType: .faceID,
                        reasonIfUnavailable: .lockedOut,
                        assurance: .simulated
                    ),
                    policy: policy
                ), nil
            ),
            (
                "on", VaultSnapshot(state: .unlocked(.full), biometrics: .enabled, capability: touch, policy: policy),
                nil
            ),
            (
                "on-pd107",
                VaultSnapshot(state: .unlocked(.full), biometrics: .enabled, capability: touch, policy: .pd107), nil
            ),
        ]
    }

    private static var system: [(String, VaultSnapshot?, ErrorCode?, SystemSettingsFields.Step)] {
        [
            ("opening", nil, nil, .warning),
            ("hidden", open, .systemModeNotOffered, .warning),
            ("off-recoveryKeyRequired", open, .recoveryKeyRequired, .warning),
            ("on", VaultSnapshot(mode: .system, state: .unlocked(.full)), nil, .warning),
        ] + SystemSettingsFields.Step.allCases.map { ("step-\($0.name)", open, nil, $0) }
    }

    private static let open = VaultSnapshot(state: .unlocked(.full))
}
