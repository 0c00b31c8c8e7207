import Testing
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnScreenJSON

@Suite struct ScreenSampleTests {
    private static let frozen = FrozenScreens("screens")

    @Test func `each screen and each action is written as its sample`() throws { try Self.frozen.expect(Self.made) }

    @Test func `each action is read back from its sample`() throws {
        for action in ScreenSamples.actions {
            #expect(try ScreenAction(reading: Self.frozen.bytes(of: Self.name(of: action))) == action)
        }
    }

    @Test func `every screen, step and action of the sources has its sample`() throws {
        let names = Self.made.keys
        let (rules, actions) = ("Library/ThumbturnRules/Screens/", "Screens/ThumbturnScreenJSON/Actions/")
        for (screen, enumeration, file) in [
            ("app-", "Screen", rules + "VaultScreensFields.swift"),
            ("onboarding-step-", "Step", rules + "OnboardingFields.swift"),
            ("unlock-", "Screen", rules + "AppUnlockFields.swift"),
            ("unlock-completion-", "CompletionStep", rules + "CompletionStep.swift"),
            ("unlock-olderCopy-", "OlderCopyStep", rules + "OlderCopyStep.swift"),
            ("recover-step-", "Step", rules + "RecoverFields.swift"),
            ("system-step-", "Step", rules + "SystemSettingsFields.swift"),
            ("pin-step-", "Step", rules + "PINChangeFields.swift"),
            ("recoveryKey-step-", "Step", rules + "RecoveryKeyFields.swift"),
            ("words-step-", "Step", rules + "WordsFields.swift"),
            ("backup-step-", "Step", rules + "BackupFields.swift"),
            ("backup-advice-", "BackupAdvice", rules + "BackupAdvice.swift"),
            ("wallets-", "WalletKind", "Library/ThumbturnRules/Secrets/WalletKind.swift"),
            ("action-app-", "VaultScreensAction", actions + "VaultScreensAction.swift"),
            ("action-onboarding-", "OnboardingAction", actions + "OnboardingAction.swift"),
            ("action-unlock-", "UnlockAction", actions + "UnlockAction.swift"),
            ("action-recover-", "RecoverAction", actions + "RecoverAction.swift"),
            ("action-biometrics-", "BiometricsAction", actions + "BiometricsAction.swift"),
            ("action-system-", "SystemAction", actions + "SystemAction.swift"),
            ("action-pin-", "PINChangeAction", actions + "PINChangeAction.swift"),
            ("action-recoveryKey-", "RecoveryKeyAction", actions + "RecoveryKeyAction.swift"),
            ("action-words-", "WordsAction", actions + "WordsAction.swift"),
            ("action-backup-", "BackupAction", actions + "BackupAction.swift"),
            ("action-trail-", "TrailAction", actions + "TrailAction.swift"),
            ("action-wallets-", "WalletsAction", actions + "WalletsAction.swift"),
        ] {
            let cases = try EnumerationCases.names(of: enumeration, in: file)
            #expect(!cases.isEmpty, "\(enumeration)")
            for name in cases {
                #expect(names.contains { $0.hasPrefix(screen + name) }, "no sample of \(enumeration).\(name)")
            }
        }
    }

    @Test func `every screen that an action names has a sample of its own`() throws {
        let screens = try EnumerationCases.names(
            of: "ScreenAction",
            in: "Screens/ThumbturnScreenJSON/Actions/ScreenAction.swift"
        )
        #expect(screens == Set(ScreenSamples.actions.map(\.screen)))
        for screen in screens {
            #expect(ScreenSamples.screens.contains { $0.name.hasPrefix(screen + "-") }, "\(screen)")
        }
    }

    @Test func `every field of a screen's value is a member of its JSON`() {
        for screen in ScreenSamples.screens {
            #expect(!screen.fields.isEmpty)
            for field in screen.fields { #expect(screen.json(.english)[field] != nil, "\(screen.name) lacks \(field)") }
        }
    }

    @Test func `each text of a screen is in both languages`() throws {
        for screen in ScreenSamples.screens {
            let (english, french) = (screen.json(.english), screen.json(.french))
            #expect(english["texts"]?.elements?.count == french["texts"]?.elements?.count, "\(screen.name)")
            #expect(english["offers"]?.elements?.count == french["offers"]?.elements?.count, "\(screen.name)")
        }
        #expect(Words.json(in: .english)["cancel"]?.plainText == "Cancel")
        #expect(Words.json(in: .french)["cancel"]?.plainText == "Annuler")
        let texts = Set(Words.ours + Words.settingsWords + Words.firstStartWords + Words.captureWords)
        let ofEvents = AuditEventKind.words + BiometricCapability.BiometryType.allCases.map(\.text)
        #expect(texts.subtracting(ofEvents).isSubset(of: Words.named.values))
        #expect(texts.isSuperset(of: Words.named.values))
        #expect(Words.named["recoveryKeyDone"] == .recoveryKeyDone)
    }

    private static var made: [String: JSON] {
        var made: [String: JSON] = [:]
        for screen in ScreenSamples.screens { made[screen.name] = screen.both }
        for action in ScreenSamples.actions { made[name(of: action)] = action.json }
        return made
    }

    private static func name(of action: ScreenAction) -> String {
        let isBare = ScreenSamples.bareActions.contains(action)
        return "action-\(action.screen)-\(action.json["name"]?.plainText ?? "")\(isBare ? "-bare" : "")"
    }
}
