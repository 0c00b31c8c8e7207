import Testing

@testable import ThumbturnRules

@Suite("Screens behind the settings, as values")
struct SettingsScreensTests {
    private static let key = VaultSnapshot.Slot(kind: .recovery, assurance: nil)

    private static func open(
        slots: [VaultSnapshot.Slot] = [key],
        wallets: Int = 1,
        scope: SessionScope = .full,
        isCovered: Bool = false
    ) -> VaultSnapshot {
        VaultSnapshot(state: .unlocked(scope), slots: slots, walletCount: wallets, isCovered: isCovered)
    }

    @Test func `a vault that is still being read shows the first step, and no call`() {
        #expect(WordsFields(nil, WordsFields.Surroundings()).loading)
        #expect(RecoveryKeyFields(nil, RecoveryKeyFields.Surroundings()).loading)
        #expect(BackupFields(nil, BackupFields.Surroundings()).loading)
        #expect(PINChangeFields(nil, PINChangeFields.Surroundings()).loading)
        #expect(TrailFields(nil, TrailFields.Surroundings()).loading)
        #expect(BackupFields(nil, BackupFields.Surroundings()).advice == nil)
    }

    @Test func `a reminder is about the recovery key first, then about the backup`() {
        #expect(BackupAdvice(Self.open(slots: []), backedUpAt: .zero) == .recoveryKey)
        #expect(BackupAdvice(Self.open(), backedUpAt: nil) == .backup)
        #expect(BackupAdvice(Self.open(), backedUpAt: .zero) == nil)
    }

    @Test func `no reminder while paying, locked, covered, exporting or without a wallet`() {
        #expect(BackupAdvice(Self.open(), backedUpAt: nil, isPaying: true) == nil)
        #expect(BackupAdvice(VaultSnapshot(walletCount: 1), backedUpAt: nil) == nil)
        #expect(BackupAdvice(Self.open(isCovered: true), backedUpAt: nil) == nil)
        #expect(BackupAdvice(Self.open(scope: .exportOnly), backedUpAt: nil) == nil)
        #expect(BackupAdvice(Self.open(wallets: 0), backedUpAt: nil) == nil)
    }

    @Test func `what was put off is said again once something else is missing`() {
        var around = BackupFields.Surroundings()
        around.dismissed = .recoveryKey
        #expect(BackupFields(Self.open(slots: []), around).advice == nil)
        #expect(BackupFields(Self.open(), around).advice == .backup)
    }

    @Test func `the place that is asked for is shown at its question alone`() {
        var around = WordsFields.Surroundings(step: .words, places: [3, 7])
        #expect(WordsFields(Self.open(), around).place == nil)
        around.step = .question
        let fields = WordsFields(Self.open(), around)
        #expect(fields.place == 3 && fields.questionsLeft == 2)
    }

    @Test func `an event is said in both languages, with why and how often`() {
        var event = TrailEvent(.passwordFailure, at: .zero, seq: nil)
        (event.count, event.until, event.attemptCount) = (3, .seconds(9), 2)
        #expect(event.text(in: .english) == "Wrong PIN or password (failures before: 2, more of these: 3)")
        #expect(event.text(in: .french) == "Code ou mot de passe faux (échecs avant : 2, autres : 3)")
        #expect(event.text(in: .english, asking: .accountPassword).hasPrefix("Wrong password ("))
        var opened = TrailEvent(.biometricSuccess, at: .zero, seq: 4)
        opened.biometryType = .faceID
        #expect(opened.text(in: .french) == "Ouvert par biométrie (visage)")
        var exported = TrailEvent(.walletExported, at: .zero, seq: 5)
        #expect(exported.text(in: .english) == "Secret exported")
        exported.count = 4
        #expect(exported.text(in: .english) == "Secret exported (wallets: 4)")
        var recovered = TrailEvent(.passwordFallback, at: .zero, seq: 6)
        recovered.reason = "recoveryKey"
        #expect(recovered.text(in: .english) == "Opened by the recovery key")
        recovered.reason = "my-app-7"
        #expect(recovered.text(in: .english) == "Opened by PIN or password (my-app-7)")
    }

    @Test func `a trail is incomplete if its beginning says so, or can't be read`() {
        let event = TrailEvent(.vaultCreated, at: .zero, seq: 0)
        func isIncomplete(_ reason: String?, events: [TrailEvent] = [event]) -> Bool {
            let page = TrailPage(events: events, beganBecause: reason)
            return TrailFields(Self.open(), TrailFields.Surroundings(pages: [page])).isIncomplete
        }
        for reason in TrailReason.allCases {
            let isExpected = [.lost, .damaged, .cut, .putBack].contains(reason)
            #expect(isIncomplete(reason.name) == isExpected)
        }
        #expect(isIncomplete(nil) && !isIncomplete(nil, events: []))
    }

    @Test func `system authentication asks a finger only at its step, and where the policy allows`() {
        var policy = VaultPolicy.wallet
        let face = BiometricCapability(biometryType: .faceID, assurance: .hardwareBound)
        func biometry(_ policy: VaultPolicy, step: SystemSettingsFields.Step, isOn: Bool = true) -> Bool {
            let snapshot = VaultSnapshot(
                state: .unlocked(.full),
                biometrics: isOn ? .enabled : .disabled,
                capability: face,
                policy: policy
            )
            return SystemSettingsFields(snapshot, SystemSettingsFields.Surroundings(step: step)).biometry != nil
        }
        #expect(!biometry(policy, step: .secret))
        policy.allowsSystemModeFromBiometrics = true
        #expect(biometry(policy, step: .secret) && !biometry(policy, step: .secret, isOn: false))
        for step in SystemSettingsFields.Step.allCases where step != .secret { #expect(!biometry(policy, step: step)) }
    }
}
