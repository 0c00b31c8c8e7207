package import ThumbturnJSON
package import ThumbturnRules

extension RecoveryKeyFields {
    /// Every field of the screen, its words, and what it offers; never the key.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("asksSystem", .bool(asksSystem)),
                ("awaitsCheck", .bool(awaitsCheck)),
                ("error", error?.json ?? .null),
                ("hasKey", .bool(hasKey)),
                ("isHidden", .bool(isHidden)),
                ("loading", .bool(loading)),
                ("step", .string(step.name)),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        var face = ScreenFace(title: .recoveryKey)
        switch step {
        case .start:
            face.texts = [Words.recoveryKeyIs.in(language)]
            if hasKey { face.texts.append(Words.recoveryKeyReplaces.in(language)) }
            if awaitsCheck {
                face.texts.append(Words.recoveryKeyUnchecked.in(language))
                face.offer(.recoveryKey(.typeBack), .typeKeyNow)
            }
            face.offer(.recoveryKey(.make), .makeRecoveryKey)
            return face
        case .secret: face.offer(.recoveryKey(asksSystem ? .enterBySystem : .submitSecret), .unlock)
        case .key:
            face.texts = [(isHidden ? Words.screenCaptured : .writeItDown).in(language)]
            if !isHidden { face.offer(.recoveryKey(.showKey), .recoveryKey) }
            face.offer(.recoveryKey(.keyIsWritten), .writtenDown)
        case .typed:
            face.texts = [Words.typeItBack.in(language)]
            face.offer(.recoveryKey(.submitSecret), .send)
        case .done:
            face.texts = [Words.recoveryKeyDone.in(language)]
            face.offer(.recoveryKey(.cancel), .done)
            return face
        }
        face.offer(.recoveryKey(.cancel), .cancel)
        return face
    }
}
