#if canImport(SwiftUI)
import Foundation
import SwiftUI
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

private let sampleKey = "TTRK-EXAM-PLE0-0000-0000"
private let sampleWords =
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

extension Still {
    static var biometricToggle: [Still] {
        let off = VaultSnapshot(state: .unlocked(.full), capability: .face)
        let notEnrolled = BiometricCapability(
            biometryType: .faceID,
            reasonIfUnavailable: .notEnrolled,
            assurance: .hardwareBound
        )
        let states: [(String, VaultSnapshot)] = [
            ("on", .open()), ("off", off),
            ("obstacle", VaultSnapshot(state: .unlocked(.full), capability: notEnrolled)),
        ]
        return states.map { name, snapshot in
            Still("BiometricToggle", name) { BiometricToggle(BiometricSettingsObject(showing: snapshot)) }
        }
    }

    static var systemAuthenticationScreen: [Still] {
        let steps = SystemSettingsFields.Step.allCases.map { step in
            Still("SystemAuthenticationScreen", "\(step)") {
                SystemAuthenticationScreen(system(.open(), SystemSettingsFields.Surroundings(step: step)))
            }
        }
        let obstacle = SystemSettingsFields.Surroundings(obstacle: .recoveryKeyRequired)
        var policy = VaultPolicy.wallet
        policy.allowsSystemModeFromBiometrics = true
        let byFace = system(.open(policy: policy), SystemSettingsFields.Surroundings(step: .secret))
        return steps + [
            Still("SystemAuthenticationScreen", "secret or face") { SystemAuthenticationScreen(byFace) },
            Still("SystemAuthenticationScreen", "on") {
                SystemAuthenticationScreen(system(.open(mode: .system), SystemSettingsFields.Surroundings()))
            },
            Still("SystemAuthenticationScreen", "obstacle") {
                SystemAuthenticationScreen(system(.open(slots: []), obstacle))
            },
        ]
    }

    private static func system(
        _ snapshot: VaultSnapshot,
        _ around: SystemSettingsFields.Surroundings
    ) -> SystemSettingsObject {
        let model = SystemSettingsObject(StillVault(nil), offer: nil)
        model.hold(SystemSettingsFields(snapshot, around), key: .sample(sampleKey))
        return model
    }

    static var wordsScreen: [Still] {
        let steps = WordsFields.Step.allCases.map { step in
            Still("WordsScreen", "\(step)") {
                WordsScreen(words(WordsFields.Surroundings(step: step, places: [3, 7])))
            }
        }
        var captured = WordsFields.Surroundings(step: .words)
        captured.isCaptured = true
        var wrong = WordsFields.Surroundings(step: .question, places: [3, 7])
        wrong.wrongPlace = 3
        return steps + [
            Still("WordsScreen", "captured") { WordsScreen(words(captured)) },
            Still("WordsScreen", "wrong") { WordsScreen(words(wrong)) },
        ]
    }

    private static func words(_ around: WordsFields.Surroundings) -> WordsModel {
        let model = WordsModel(StillVault(nil), wallet: Identifier(high: 0, low: 0))
        model.hold(WordsFields(.open(), around), words: .sample(sampleWords))
        return model
    }

    static var recoveryKeyScreen: [Still] {
        let steps = RecoveryKeyFields.Step.allCases.map { step in
            Still("RecoveryKeyScreen", "\(step)") {
                RecoveryKeyScreen(recoveryKey(.open(), RecoveryKeyFields.Surroundings(step: step)))
            }
        }
        var captured = RecoveryKeyFields.Surroundings(step: .key)
        captured.isCaptured = true
        return steps + [
            Still("RecoveryKeyScreen", "unchecked") {
                RecoveryKeyScreen(recoveryKey(.open(slots: [], awaitsCheck: true), RecoveryKeyFields.Surroundings()))
            },
            Still("RecoveryKeyScreen", "captured") { RecoveryKeyScreen(recoveryKey(.open(), captured)) },
        ]
    }

    private static func recoveryKey(
        _ snapshot: VaultSnapshot,
        _ around: RecoveryKeyFields.Surroundings
    ) -> RecoveryKeyModel {
        let model = RecoveryKeyModel(StillVault(nil))
        model.hold(RecoveryKeyFields(snapshot, around), key: .sample(sampleKey))
        return model
    }

    static var backupScreen: [Still] {
        let steps = BackupFields.Step.allCases.map { step in
            var around = BackupFields.Surroundings(step: step)
            (around.done, around.path, around.madeAt) = (1, "/tmp/wallets.backup", .days(20_000))
            return Still("BackupScreen", "\(step)") { BackupScreen(backup(.open(), around), share: { _ in }) }
        }
        return steps + [
            Still("BackupScreen", "obstacle") {
                BackupScreen(backup(.open(slots: []), BackupFields.Surroundings()))
            }
        ]
    }

    static var backupReminder: [Still] {
        BackupAdvice.allCases.map { advice in
            let snapshot = advice == .recoveryKey ? VaultSnapshot.open(slots: []) : .open()
            return Still("BackupReminder", "\(advice)") {
                BackupReminder(backup(snapshot, BackupFields.Surroundings()), open: { _ in })
            }
        }
    }

    private static func backup(_ snapshot: VaultSnapshot, _ around: BackupFields.Surroundings) -> BackupModel {
        let model = BackupModel(StillVault(nil), to: { "/tmp/wallets.backup" })
        model.hold(BackupFields(snapshot, around))
        return model
    }

    static var pinChangeScreen: [Still] {
        let steps = PINChangeFields.Step.allCases.map { step in
            Still("PINChangeScreen", "\(step)") {
                PINChangeScreen(change(.open(asksForLongerSecret: true), PINChangeFields.Surroundings(step: step)))
            }
        }
        return steps + [
            Still("PINChangeScreen", "obstacle") {
                PINChangeScreen(change(.open(mode: .system), PINChangeFields.Surroundings()))
            }
        ]
    }

    private static func change(_ snapshot: VaultSnapshot, _ around: PINChangeFields.Surroundings) -> PINChangeModel {
        let model = PINChangeModel(StillVault(nil))
        model.hold(PINChangeFields(snapshot, around))
        return model
    }

    static var trailScreen: [Still] {
        var failure = TrailEvent(.passwordFailure, at: .days(20_000), seq: nil)
        (failure.count, failure.until) = (3, .days(20_000))
        var opened = TrailEvent(.biometricSuccess, at: .days(19_999), seq: 7)
        (opened.biometryType, opened.attemptCount) = (.faceID, 2)
        let page = TrailPage(
            events: [failure, opened],
            first: 6,
            brokenAt: 8,
            undelivered: 2,
            beganBecause: "created"
        )
        var refused = TrailFields.Surroundings()
        refused.refusal = .storageUnavailable
        let lost = TrailPage(events: [opened], beganBecause: "lost")
        let states: [(String, TrailFields.Surroundings)] = [
            ("events", TrailFields.Surroundings(pages: [page])), ("empty", TrailFields.Surroundings()),
            ("incomplete", TrailFields.Surroundings(pages: [lost])), ("unreadable", refused),
        ]
        return states.map { name, around in
            Still("TrailScreen", name) {
                let model = TrailModel(StillVault(nil))
                let _ = model.hold(TrailFields(.open(), around))
                TrailScreen(model)
            }
        }
    }
}

struct BiometricTogglePreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.biometricToggle) }
}

struct SystemAuthenticationScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.systemAuthenticationScreen) }
}

struct WordsScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.wordsScreen) }
}

struct RecoveryKeyScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.recoveryKeyScreen) }
}

struct BackupScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.backupScreen) }
}

struct BackupReminderPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.backupReminder) }
}

struct PINChangeScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.pinChangeScreen) }
}

struct TrailScreenPreviews: PreviewProvider {
    static var previews: some View { StillColumn(stills: Still.trailScreen) }
}
#endif
