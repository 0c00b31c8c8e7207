package import ThumbturnJSON
package import ThumbturnRules

extension RecoverFields {
    /// Every field of the screen, its words, and what it offers.
    ///
    /// - Parameter secret: the kind of secret that the owner chooses anew.
    package func json(in language: Language, asking secret: SecretKind = .pin(length: nil)) -> JSON {
        .sorted(
            face(in: language, asking: secret).members(in: language) + [
                ("error", error?.json ?? .null),
                ("isBusy", .bool(isBusy)),
                ("recoveryKeyMayOpen", .bool(recoveryKeyMayOpen)),
                ("step", .string(step.name)),
            ]
        )
    }

    private func face(in language: Language, asking secret: SecretKind) -> ScreenFace {
        var face = ScreenFace(title: .wayBack)
        switch step {
        case .opening, .working, .done: break
        case .key:
            face.texts = [Words.recoverExplained.in(language), Words.typeItBack.in(language)]
            face.offer(.recover(.submitSecret), .send)
            face.offer(.recover(.askToErase), .noRecoveryKey)
        case .olderCopy:
            face.texts = [Words.olderCopy, .olderCopyLoses, .typeToConfirm].map { $0.in(language) }
            face.offer(.recover(.acceptOlderCopy(typed: "")), .takeOlderCopy)
            face.offer(.recover(.onlyExport), .onlyExport)
        case .newSecret:
            face.texts = [Words(choosing: secret).in(language)]
            face.offer(.recover(.submitSecret), .send)
        case .repeated:
            face.texts = [Words(repeating: secret).in(language)]
            face.offer(.recover(.submitSecret), .send)
        case .opened:
            face.texts = [Words.secretStays.in(language)]
            face.offer(.recover(.goOn), .goOn)
            return face
        case .erase:
            face.texts = [Words.onlyErasing, .resetWarning, .typeToConfirm].map { $0.in(language) }
            face.offer(.recover(.erase(typed: "")), .resetWallet)
            if recoveryKeyMayOpen { face.offer(.recover(.useRecoveryKey), .useRecoveryKey) }
        }
        face.offer(.recover(.cancel), .cancel)
        return face
    }
}
