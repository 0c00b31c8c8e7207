import Thumbturn
package import ThumbturnCrypto
import ThumbturnRules
package import ThumbturnScreenJSON
import ThumbturnUI

// The actions of a vault's screens: each is one call of a model, which decides.
extension VaultModels {
    /// Performs an action of one of these screens; the others are the app's.
    package func perform(_ action: ScreenAction, _ secret: HeldSecret?) async -> HostReply {
        // A model drops a call while another is under way, which "done" would hide from who gave the secret.
        if action.takesSecret || action.prompts, isCalling(for: action) { return refused(.busy) }
        return switch action {
        case .unlock(let action): await perform(action, secret)
        case .biometrics(let action): await perform(action, secret)
        case .system(let action): await perform(action, secret)
        case .pin(let action): await perform(action, secret)
        case .recoveryKey(let action): await perform(action, secret)
        case .words(let action): await perform(action, secret)
        case .backup(let action): await perform(action, secret)
        case .trail(let action): await perform(action)
        case .wallets(let action): await perform(action, secret)
        case .app, .onboarding, .recover: refused(.consentMissing)
        }
    }

    private func perform(_ action: UnlockAction, _ secret: HeldSecret?) async -> HostReply {
        switch action {
        case .unlockWithBiometric: await unlock.unlockWithBiometric()
        case .unlockWithSystem: await unlock.unlockWithSystem()
        case .submitSecret: if let secret { await unlock.unlockWithPassword(secret.bytes) }
        case .answerOffer(let agrees): await unlock.answerOffer(agrees ? unlock.consent() : nil)
        case .chooseSecret: if let secret { await unlock.chooseSecret(secret.bytes) }
        case .keepBoth(let wallet): await unlock.keepBoth(as: wallet)
        case .askBiometricsAgain: await unlock.askBiometricsAgain()
        case .goOnWithoutBiometrics: await unlock.goOnWithoutBiometrics()
        case .stopMoving: unlock.stopMoving()
        case .acceptOlderCopy(let typed): await unlock.acceptOlderCopy(typed: typed)
        case .onlyExport: unlock.onlyExport()
        case .askAboutOlderCopy: unlock.askAboutOlderCopy()
        case .reset(let typed): await unlock.reset(typed: typed)
        case .resetError: unlock.resetError()
        case .lock: await unlock.lock()
        case .submitRecoveryKey:
            guard let secret else { break }
            do throws(VaultError) { _ = try await core.unlock(withRecoveryKey: secret.bytes) } catch {
                return refused(error.code)
            }
        case .newWallet: return refused(.confirmationMissing)
        }
        return HostReply(unlock.error)
    }

    private func perform(_ action: BiometricsAction, _ secret: HeldSecret?) async -> HostReply {
        switch action {
        case .enable: if let secret { await biometrics.enable(biometrics.consent(), with: secret.bytes) }
        case .disable:
            if let secret { await biometrics.disable(with: secret.bytes) } else { await biometrics.disable() }
        case .refresh: await biometrics.refresh()
        case .resetError: biometrics.resetError()
        }
        return HostReply(biometrics.error)
    }

    private func perform(_ action: SystemAction, _ secret: HeldSecret?) async -> HostReply {
        guard let system else { return refused(.systemModeNotOffered) }
        switch action {
        case .agree: await system.agree()
        case .submitSecret: if let secret { await system.enter(secret.bytes) }
        case .enableByBiometrics: await system.enableByBiometrics()
        case .makeRecoveryKey: system.makeRecoveryKey()
        case .showRecoveryKey: return given(system.withRecoveryKey { HeldSecret(SecretBytes(copying: $0)) })
        case .recoveryKeyIsWritten: system.recoveryKeyIsWritten()
        case .cancel: system.cancel()
        case .refresh: await system.refresh()
        }
        return HostReply(system.error)
    }

    private func perform(_ action: PINChangeAction, _ secret: HeldSecret?) async -> HostReply {
        guard let pin else { return refused(.consentMissing) }
        switch action {
        case .submitSecret:
            if let obstacle = pin.obstacle { return refused(obstacle) }
            if let secret { await pin.enter(secret.bytes) }
        case .cancel: pin.cancel()
        }
        return HostReply(pin.error)
    }

    private func perform(_ action: RecoveryKeyAction, _ secret: HeldSecret?) async -> HostReply {
        switch action {
        case .make: recoveryKey.make()
        case .typeBack: recoveryKey.typeBack()
        case .submitSecret: if let secret { await recoveryKey.enter(secret.bytes) }
        case .enterBySystem: await recoveryKey.enterBySystem()
        case .showKey: return given(recoveryKey.withRecoveryKey { HeldSecret(SecretBytes(copying: $0)) })
        case .keyIsWritten: recoveryKey.recoveryKeyIsWritten()
        case .cancel: recoveryKey.cancel()
        }
        return HostReply(recoveryKey.error)
    }

    private func perform(_ action: WordsAction, _ secret: HeldSecret?) async -> HostReply {
        if case .show(let wallet) = action {
            showWords(of: wallet)
            return HostReply(nil)
        }
        guard let words else { return refused(.consentMissing) }
        switch action {
        case .show: break
        case .submitSecret: if let secret { await words.enter(secret.bytes) }
        case .enterBySystem: await words.enterBySystem()
        case .showWords: return given(words.text)
        case .wordsWritten: words.wordsAreWritten()
        case .answer: if let secret { words.answer(secret.bytes) }
        case .cancel: hideWords()
        }
        return HostReply(words.error)
    }

    private func perform(_ action: BackupAction, _ secret: HeldSecret?) async -> HostReply {
        switch action {
        case .start:
            // The screen says what is in the way, and drops the tap.
            if let obstacle = backup.obstacle { return refused(obstacle) }
            backup.start()
        case .submitSecret: if let secret { await backup.enter(secret.bytes) }
        case .enterBySystem: await backup.enterBySystem()
        case .cancel: backup.cancel()
        case .later: backup.dismissReminder()
        }
        return HostReply(backup.error)
    }

    private func perform(_ action: TrailAction) async -> HostReply {
        switch action {
        case .read: await trail.load()
        case .earlier: await trail.loadEarlier()
        }
        return HostReply(trail.error)
    }

    private func perform(_ action: WalletsAction, _ secret: HeldSecret?) async -> HostReply {
        switch action {
        case .create(let name): return changed(await wallets.add(.newMnemonic(words: .twelve), as: name))
        case .import(let name):
            guard let secret else { break }
            return changed(await wallets.add(.mnemonic(secret.bytes.copy()), as: name))
        case .rename(let wallet, let name): return changed(await wallets.rename(wallet, to: name))
        case .delete(let wallet, _): return changed(await wallets.delete(wallet, by: secret))
        case .export(let wallet, _):
            // Nothing is shown behind a cover (P-107-04); the device's own prompt covers the app too.
            guard snapshot?.isCovered != true else { return refused(.consentMissing) }
            let given = await wallets.export(wallet, by: secret)
            guard secret == nil || snapshot?.isCovered != true else { return refused(.consentMissing) }
            if let given { return HostReply(given) }
            // A lock that overtook it, or a call that it would have overtaken, is no refusal of the screen.
            if wallets.error == nil { return refused(wallets.isCalling ? .busy : .locked) }
        }
        return HostReply(wallets.error)
    }

    /// The answer to a change of the wallets: one that a lock overtook, or another call kept from beginning, is not done.
    private func changed(_ isDone: Bool) -> HostReply {
        guard !isDone, wallets.error == nil else { return HostReply(wallets.error) }
        return refused(wallets.isCalling ? .busy : .locked)
    }

    private func isCalling(for action: ScreenAction) -> Bool {
        switch action {
        case .unlock: unlock.isCalling
        case .biometrics: biometrics.isCalling
        case .system: system?.isCalling == true
        case .pin: pin?.isCalling == true
        case .recoveryKey: recoveryKey.isCalling
        case .words: words?.isCalling == true
        case .backup: backup.isCalling
        case .wallets: wallets.isCalling
        case .trail, .app, .onboarding, .recover: false
        }
    }

    private func refused(_ code: ErrorCode) -> HostReply {
        HostReply(UserError(code, snapshot ?? VaultSnapshot(policy: .wallet), in: language))
    }

    private func given(_ secret: HeldSecret?) -> HostReply {
        secret.map { HostReply($0) } ?? refused(.consentMissing)
    }
}

extension ScreenAction {
    /// Whether it shows the device's prompt on the lock screen.
    fileprivate var prompts: Bool { self == .unlock(.unlockWithBiometric) || self == .unlock(.unlockWithSystem) }
}

extension WordsModel {
    /// All words with one space between them, while they are shown.
    fileprivate var text: HeldSecret? {
        guard wordCount > 0 else { return nil }
        let space = unsafe SecretBytes(byteCount: 1) { unsafe $0[0] = 0x20 }
        var text = unsafe SecretBytes(byteCount: 0) { _ in }
        for place in 1...wordCount {
            guard let word = withWord(at: place, { HeldSecret(SecretBytes(copying: $0)) }) else { return nil }
            text = .concatenating(text, place == 1 ? word.bytes.copy() : .concatenating(space, word.bytes))
        }
        return HeldSecret(text)
    }
}
