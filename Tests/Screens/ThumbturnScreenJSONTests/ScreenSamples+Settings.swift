import ThumbturnRules

@testable import ThumbturnScreenJSON

// The screens behind an open vault.
extension ScreenSamples {
    static var biometrics: [ScreenSample] {
        let states: [(String, VaultSnapshot?, ErrorCode?)] =
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
                    "on",
                    VaultSnapshot(state: .unlocked(.full), biometrics: .enabled, capability: touch, policy: policy),
                    nil
                ),
                (
                    "on-pd107",
                    VaultSnapshot(state: .unlocked(.full), biometrics: .enabled, capability: touch, policy: .pd107), nil
                ),
            ]
        return states.map { name, snapshot, refusal in
            ScreenSample(
                "biometrics-\(name)",
                { language in
                    var around = BiometricSettingsFields.Surroundings(language: language)
                    around.refusal = refusal
                    return BiometricSettingsFields(snapshot, around)
                },
                { $0.json(in: $1) }
            )
        }
    }

    static var system: [ScreenSample] {
        let byFinger = VaultSnapshot(
            state: .unlocked(.full),
            biometrics: .enabled,
            capability: touch,
            slots: [VaultSnapshot.Slot(kind: .recovery, assurance: .simulated)],
            policy: systemPolicy
        )
        let states: [(String, VaultSnapshot?, ErrorCode?, SystemSettingsFields.Step, SecretKind)] =
            [
                ("opening", nil, nil, .warning, .pin(length: 6)),
                ("hidden", open, .systemModeNotOffered, .warning, .pin(length: 6)),
                ("off-recoveryKeyRequired", open, .recoveryKeyRequired, .warning, .pin(length: 6)),
                ("on", VaultSnapshot(mode: .system, state: .unlocked(.full)), nil, .warning, .pin(length: 6)),
                ("step-secret-byBiometrics", byFinger, nil, .secret, .pin(length: 6)),
                ("step-newSecret-password", open, nil, .newSecret, .password),
                ("step-repeated-password", open, nil, .repeated, .password),
            ] + SystemSettingsFields.Step.allCases.map { ("step-\($0.name)", open, nil, $0, .pin(length: 6)) }
        return states.map { name, snapshot, obstacle, step, secret in
            ScreenSample(
                "system-\(name)",
                { SystemSettingsFields(snapshot, .init(obstacle: obstacle, step: step, language: $0)) },
                { $0.json(in: $1, asking: secret) }
            )
        }
    }

    private static var systemPolicy: VaultPolicy {
        var policy = policy
        policy.allowsSystemModeFromBiometrics = true
        return policy
    }

    static var pin: [ScreenSample] {
        let states: [(String, VaultSnapshot?, PINChangeFields.Step, SecretKind)] =
            [
                ("opening", nil, .present, .pin(length: 6)),
                ("systemMode", VaultSnapshot(mode: .system), .present, .pin(length: 6)),
            ]
            + PINChangeFields.Step.allCases.flatMap { step in
                [
                    ("step-\(step.name)", open, step, .pin(length: 6)),
                    ("step-\(step.name)-password", open, step, .password),
                ]
            }
        return states.map { name, snapshot, step, secret in
            ScreenSample(
                "pin-\(name)",
                { PINChangeFields(snapshot, .init(step: step, language: $0)) },
                { $0.json(in: $1, asking: secret) }
            )
        }
    }

    static var recoveryKey: [ScreenSample] {
        let states: [(String, VaultSnapshot?, RecoveryKeyFields.Step)] =
            [
                ("opening", nil, .start),
                ("unchecked", VaultSnapshot(recoveryKeyAwaitsCheck: true), .start),
            ] + RecoveryKeyFields.Step.allCases.map { ("step-\($0.name)", open, $0) }
        return states.map { name, snapshot, step in
            ScreenSample(
                "recoveryKey-\(name)",
                { RecoveryKeyFields(snapshot, .init(step: step, language: $0)) },
                { $0.json(in: $1) }
            )
        }
    }

    static var words: [ScreenSample] {
        let inSystemMode = VaultSnapshot(mode: .system, state: .unlocked(.full))
        let states: [(String, VaultSnapshot?, WordsFields.Step, (inout WordsFields.Surroundings) -> Void)] =
            [
                ("opening", nil, .secret, { _ in }),
                ("step-secret-inSystemMode", inSystemMode, .secret, { _ in }),
                ("step-secret-refused", open, .secret, { $0.refusal = .strongFactorRefused }),
                ("step-words-hidden", open, .words, { $0.isCaptured = true }),
                ("step-question-wrong", open, .question, { ($0.places, $0.wrongPlace) = ([3, 8], 3) }),
            ]
            + WordsFields.Step.allCases.map { step in
                ("step-\(step.name)", open, step, { $0.places = step == .question ? [3, 8, 11] : [] })
            }
        return states.map { name, snapshot, step, change in
            ScreenSample(
                "words-\(name)",
                { language in
                    var around = WordsFields.Surroundings(step: step, language: language)
                    change(&around)
                    return WordsFields(snapshot, around)
                },
                { $0.json(in: $1) }
            )
        }
    }

    static var backup: [ScreenSample] {
        let recovery = VaultSnapshot.Slot(kind: .recovery, assurance: .simulated)
        let ready = VaultSnapshot(state: .unlocked(.full), slots: [recovery], walletCount: 2)
        let inSystemMode = VaultSnapshot(mode: .system, state: .unlocked(.full), slots: [recovery], walletCount: 2)
        let states: [(String, VaultSnapshot?, BackupFields.Step, (inout BackupFields.Surroundings) -> Void)] =
            [
                ("opening", nil, .start, { _ in }),
                ("advice-recoveryKey", VaultSnapshot(state: .unlocked(.full), walletCount: 2), .start, { _ in }),
                ("advice-backup", ready, .start, { _ in }),
                ("step-start-withoutRecoveryKey", open, .start, { _ in }),
                ("step-secret-inSystemMode", inSystemMode, .secret, { _ in }),
                ("step-running-unreported", ready, .running, { _ in }),
            ]
            + BackupFields.Step.allCases.map { step in
                (
                    "step-\(step.name)", ready, step,
                    {
                        $0.madeAt = Milliseconds(1_796_000_000_000)
                        ($0.done, $0.path, $0.isBusy) = (1, "/tmp/wallets.backup", step == .running)
                    }
                )
            }
        return states.map { name, snapshot, step, change in
            ScreenSample(
                "backup-\(name)",
                { language in
                    var around = BackupFields.Surroundings(step: step, language: language)
                    change(&around)
                    return BackupFields(snapshot, around)
                },
                { $0.json(in: $1) }
            )
        }
    }

    static var trail: [ScreenSample] {
        let locked = VaultSnapshot()
        let states: [(String, VaultSnapshot?, [TrailPage], ErrorCode?)] = [
            ("opening", nil, [], nil), ("empty", locked, [], nil), ("unread", locked, [], .storageUnavailable),
            ("events", locked, [TrailPage(events: events, beganBecause: "created")], nil),
            ("earlier", locked, [TrailPage(events: events, first: 40, undelivered: 3)], nil),
            ("broken", locked, [TrailPage(events: events, brokenAt: 2, beganBecause: "damaged")], nil),
            (
                "account", VaultSnapshot(policy: .pd107),
                [TrailPage(events: events, undelivered: 0, beganBecause: "created")], nil
            ),
        ]
        return states.map { name, snapshot, pages, refusal in
            ScreenSample(
                "trail-\(name)",
                { language in
                    var around = TrailFields.Surroundings(pages: pages, language: language)
                    around.refusal = refusal
                    return TrailFields(snapshot, around)
                },
                { $0.json(in: $1) }
            )
        }
    }

    private static var events: [TrailEvent] {
        let at = Milliseconds(1_796_000_000_000)
        var failures = TrailEvent(.passwordFailure, at: at, seq: nil)
        (failures.count, failures.until) = (2, at + .seconds(9))
        var finger = TrailEvent(.biometricSuccess, at: at, seq: 5)
        (finger.biometryType, finger.attemptCount) = (.touchID, 1)
        var export = TrailEvent(.walletExported, at: at, seq: 4)
        export.count = 2
        var disabled = TrailEvent(.biometricDisabled, at: at, seq: 3)
        disabled.reason = "the app's own reason"
        return [failures, finger, export, disabled, TrailEvent(.vaultCreated, at: at, seq: 0)]
    }

    static var wallets: [ScreenSample] {
        let kinds = WalletKind.allCases.map { kind in (kind.name, open, [kind], ErrorCode?.none) }
        let states: [(String, VaultSnapshot?, [WalletKind], ErrorCode?)] =
            kinds + [
                ("opening", nil, [], nil), ("empty", open, [], nil), ("locked", VaultSnapshot(), [.mnemonic], nil),
                ("inSystemMode", VaultSnapshot(mode: .system, state: .unlocked(.full)), [.mnemonic], nil),
                ("refused", open, [.mnemonic, .opaque], .nameTaken),
            ]
        return states.map { name, snapshot, kinds, refusal in
            ScreenSample(
                "wallets-\(name)",
                { language in
                    var around = WalletsFields.Surroundings(
                        list: kinds.map { .init(id: wallet, name: WalletName(stored: $0.name), kind: $0) },
                        language: language
                    )
                    around.refusal = refusal
                    return WalletsFields(snapshot, around)
                },
                { $0.json(in: $1) }
            )
        }
    }
}
