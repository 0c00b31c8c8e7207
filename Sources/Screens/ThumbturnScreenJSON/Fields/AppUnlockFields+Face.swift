import ThumbturnRules

// What the lock screen shows and offers: what `LockScreen` does in SwiftUI, and nothing more.
extension AppUnlockFields {
    func face(in language: Language) -> ScreenFace {
        var face = ScreenFace(title: .locked)
        switch screen {
        case .opening, .prompt: break
        case .content: face.title = nil
        case .secret:
            face.offer(.unlock(.submitSecret), .unlock)
            if let secretAdvice { face.texts.append(secretAdvice) }
            addSensor(to: &face)
        case .system: face.offer(.unlock(.unlockWithSystem), .unlock)
        case .reopen:
            addRecovery(to: &face)
            addReset(to: &face, in: language)
        case .wait(let countdown):
            face.texts = [
                Words.tryAgainIn.in(language, countdown.text), ErrorCode.attemptDelayed.hint().sentence.in(language),
            ]
            addSensor(to: &face)
            addRecovery(to: &face)
        case .recovery(let cause):
            face.texts = [cause.message().in(language)]
            addRecovery(to: &face)
        case .offer:
            face.title = .enableAgainQuestion
            face.offerBiometrics(in: language) { consent in
                ScreenAction.unlock(.answerOffer(consent: consent)).json
            }
        case .completion(let step): add(step, to: &face, in: language)
        case .olderCopy(let step): add(step, to: &face, in: language)
        case .reset: addReset(to: &face, in: language)
        case .erased:
            face.texts = [Words.erased.in(language)]
            face.offer(.unlock(.newWallet), .newWallet)
        }
        if leadsOut { face.offer(.app(.recover), .cannotOpen) }
        if error != nil { face.offer(.unlock(.resetError), .send) }
        return face
    }

    private func addSensor(to face: inout ScreenFace) {
        guard let biometry else { return }
        face.offer(.unlock(.unlockWithBiometric), Words(unlockWith: biometry))
    }

    private func addRecovery(to face: inout ScreenFace) {
        face.offer(.unlock(.submitRecoveryKey), .useRecoveryKey)
    }

    private func addReset(to face: inout ScreenFace, in language: Language) {
        face.texts += [Words.resetWarning.in(language), Words.typeToConfirm.in(language)]
        face.offer(.unlock(.reset(typed: "")), .resetWallet)
    }

    private func add(_ step: CompletionStep, to face: inout ScreenFace, in language: Language) {
        face.title = .finishMoving
        switch step {
        case .secret: face.offer(.unlock(.submitSecret), .unlock)
        case .newSecret: face.offer(.unlock(.chooseSecret), .send)
        case .walletName:
            face.texts = [Words.twoWallets.in(language)]
            face.offer(.unlock(.keepBoth(wallet: "")), .send)
        case .withoutBiometrics:
            face.texts = [Words.doWithout.in(language)]
            face.offer(.unlock(.askBiometricsAgain), .askAgain)
            face.offer(.unlock(.goOnWithoutBiometrics), .goOnWithout)
        }
        face.offer(.unlock(.stopMoving), .cancel)
    }

    private func add(_ step: OlderCopyStep, to face: inout ScreenFace, in language: Language) {
        face.title = .olderCopy
        switch step {
        case .question:
            face.texts = [Words.olderCopyLoses.in(language), Words.typeToConfirm.in(language)]
            face.offer(.unlock(.acceptOlderCopy(typed: "")), .takeOlderCopy)
        case .secret: face.offer(.unlock(.submitSecret), .unlock)
        }
        face.offer(.unlock(.onlyExport), .onlyExport)
    }
}
