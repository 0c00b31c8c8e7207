import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnScreenJSON

/// One value of each screen, in each state that shows something else, and one of each action.
enum ScreenSamples {
    static var screens: [ScreenSample] {
        app + onboarding + unlock + recover + biometrics + system + pin + recoveryKey + words + backup + trail + wallets
    }

    /// One of each action.
    static var actions: [ScreenAction] {
        [
            UnlockAction.unlockWithBiometric, .unlockWithSystem, .submitSecret, .answerOffer(consent: true),
            .chooseSecret, .keepBoth(wallet: "second"), .askBiometricsAgain, .goOnWithoutBiometrics, .stopMoving,
            .acceptOlderCopy(typed: "ACCEPT"), .onlyExport, .askAboutOlderCopy, .reset(typed: "RESET"), .resetError,
            .lock, .submitRecoveryKey, .newWallet,
        ].map(ScreenAction.unlock)
            + [BiometricsAction.enable, .disable(withSecret: true), .refresh, .resetError].map(ScreenAction.biometrics)
            + [
                SystemAction.agree, .submitSecret, .enableByBiometrics, .makeRecoveryKey, .showRecoveryKey,
                .recoveryKeyIsWritten, .cancel, .refresh,
            ].map(ScreenAction.system)
            + [PINChangeAction.submitSecret, .cancel].map(ScreenAction.pin)
            + [
                RecoveryKeyAction.make, .typeBack, .submitSecret, .enterBySystem, .showKey, .keyIsWritten, .cancel,
            ].map(ScreenAction.recoveryKey)
            + [VaultScreensAction.start, .recover, .endRecovery].map(ScreenAction.app)
            + [OnboardingAction.submitSecret, .answer(consent: true), .goOn, .resetError].map(ScreenAction.onboarding)
            + [
                RecoverAction.submitSecret, .acceptOlderCopy(typed: "ACCEPT"), .onlyExport, .askToErase,
                .useRecoveryKey, .erase(typed: "RESET"), .goOn, .cancel,
            ].map(ScreenAction.recover)
            + [
                WordsAction.show(wallet: wallet), .submitSecret, .enterBySystem, .showWords, .wordsWritten, .answer,
                .cancel,
            ].map(ScreenAction.words)
            + [BackupAction.start, .submitSecret, .enterBySystem, .cancel, .later].map(ScreenAction.backup)
            + [TrailAction.read, .earlier].map(ScreenAction.trail)
            + [
                WalletsAction.create(wallet: "savings"), .import(wallet: "savings"),
                .export(wallet: wallet, withSecret: true), .rename(wallet: wallet, to: "old savings"),
                .delete(wallet: wallet, withSecret: true),
            ].map(ScreenAction.wallets)
            + bareActions
    }

    /// Those that need no secret, where the policy or the vault's mode asks for none.
    static let bareActions: [ScreenAction] = [
        .biometrics(.disable(withSecret: false)), .wallets(.export(wallet: wallet, withSecret: false)),
        .wallets(.delete(wallet: wallet, withSecret: false)),
    ]

    static let wallet = Identifier(high: 0x0123_4567_89AB_CDEF, low: 7)
    static let open = VaultSnapshot(state: .unlocked(.full))
    static let touch = BiometricCapability(biometryType: .touchID, assurance: .simulated)
    static let policy = VaultPolicy.wallet.allowing(.simulated)
}
