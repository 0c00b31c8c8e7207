import Thumbturn
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnUI

// The actions of the library's screens: each is one call of a model, which decides.
extension Phone {
    func perform(_ action: ScreenAction, _ secret: HeldSecret?) async -> PhoneReply {
        guard let app else { return PhoneReply(.vaultMissing, in: language) }
        switch action {
        case .unlock(let action): return await perform(action, secret, on: app)
        case .biometrics(let action): return await perform(action, secret, on: app)
        case .system(let action): return await perform(action, secret, on: app)
        case .pin(let action): return await perform(action, secret, on: app)
        case .recoveryKey(let action): return await perform(action, secret, on: app)
        // The phone shows none of these.
        case .app, .onboarding, .recover, .words, .backup, .trail, .wallets:
            return PhoneReply(.consentMissing, in: language)
        }
    }

    private func perform(_ action: UnlockAction, _ secret: HeldSecret?, on app: OpenApp) async -> PhoneReply {
        let model = app.unlock
        switch action {
        case .unlockWithBiometric: await model.unlockWithBiometric()
        case .unlockWithSystem: await model.unlockWithSystem()
        case .submitSecret: if let secret { await model.unlockWithPassword(secret.bytes) }
        case .answerOffer(let agrees): await model.answerOffer(agrees ? model.consent() : nil)
        case .chooseSecret: if let secret { await model.chooseSecret(secret.bytes) }
        case .keepBoth(let wallet): await model.keepBoth(as: wallet)
        case .askBiometricsAgain: await model.askBiometricsAgain()
        case .goOnWithoutBiometrics: await model.goOnWithoutBiometrics()
        case .stopMoving: model.stopMoving()
        case .acceptOlderCopy(let typed): await model.acceptOlderCopy(typed: typed)
        case .onlyExport: model.onlyExport()
        case .askAboutOlderCopy: model.askAboutOlderCopy()
        case .reset(let typed): await model.reset(typed: typed)
        case .resetError: model.resetError()
        case .lock: await model.lock()
        case .submitRecoveryKey:
            guard let secret else { break }
            do throws(VaultError) { try await app.vault.unlock(withRecoveryKey: secret.bytes) } catch {
                return PhoneReply(error.code, in: language)
            }
        case .newWallet:
            guard model.screen == .erased else { return PhoneReply(.confirmationMissing, in: language) }
            await app.end()
            (self.app, onboarding) = (nil, Onboarding())
            changed()
        }
        return PhoneReply(model.error?.json ?? .null)
    }

    private func perform(_ action: BiometricsAction, _ secret: HeldSecret?, on app: OpenApp) async -> PhoneReply {
        let model = app.biometrics
        switch action {
        case .enable: if let secret { await model.enable(model.consent(), with: secret.bytes) }
        case .disable:
            if let secret { await model.disable(with: secret.bytes) } else { await model.disable() }
        case .refresh: await model.refresh()
        case .resetError: model.resetError()
        }
        return PhoneReply(model.error?.json ?? .null)
    }

    private func perform(_ action: PINChangeAction, _ secret: HeldSecret?, on app: OpenApp) async -> PhoneReply {
        let model = app.pin
        switch action {
        case .submitSecret: if let secret { await model.enter(secret.bytes) }
        case .cancel: model.cancel()
        }
        return PhoneReply(model.error?.json ?? .null)
    }

    private func perform(_ action: RecoveryKeyAction, _ secret: HeldSecret?, on app: OpenApp) async -> PhoneReply {
        let model = app.recoveryKey
        switch action {
        case .make: model.make()
        case .typeBack: model.typeBack()
        case .submitSecret: if let secret { await model.enter(secret.bytes) }
        case .enterBySystem: await model.enterBySystem()
        case .showKey:
            var reply = PhoneReply()
            reply.secret = model.withRecoveryKey { HeldSecret(SecretBytes(copying: $0)) }
            return reply.secret == nil ? PhoneReply(.consentMissing, in: language) : reply
        case .keyIsWritten: model.recoveryKeyIsWritten()
        case .cancel: model.cancel()
        }
        return PhoneReply(model.error?.json ?? .null)
    }

    private func perform(_ action: SystemAction, _ secret: HeldSecret?, on app: OpenApp) async -> PhoneReply {
        let model = app.system
        switch action {
        case .agree: await model.agree()
        case .submitSecret: if let secret { await model.enter(secret.bytes) }
        case .enableByBiometrics: await model.enableByBiometrics()
        case .makeRecoveryKey: model.makeRecoveryKey()
        case .showRecoveryKey:
            var reply = PhoneReply()
            reply.secret = model.withRecoveryKey { HeldSecret(SecretBytes(copying: $0)) }
            return reply.secret == nil ? PhoneReply(.consentMissing, in: language) : reply
        case .recoveryKeyIsWritten: model.recoveryKeyIsWritten()
        case .cancel: model.cancel()
        case .refresh: await model.refresh()
        }
        return PhoneReply(model.error?.json ?? .null)
    }
}
