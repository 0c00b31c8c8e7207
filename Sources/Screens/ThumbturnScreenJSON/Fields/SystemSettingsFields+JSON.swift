package import ThumbturnJSON
package import ThumbturnRules

extension SystemSettingsFields {
    /// Every field of the screen, its words, and what it offers.
    ///
    /// - Parameter secret: the kind of secret that the owner types.
    package func json(in language: Language, asking secret: SecretKind = .pin(length: nil)) -> JSON {
        .sorted(
            face(in: language, asking: secret).members(in: language) + [
                ("biometry", JSON(biometry?.name)),
                ("error", error?.json ?? .null),
                ("isOn", .bool(isOn)),
                ("isShown", .bool(isShown)),
                ("loading", .bool(loading)),
                ("obstacle", obstacle?.json(in: language) ?? .null),
                ("step", .string(step.name)),
                ("warning", .array(warning.sentences(in: language).map(JSON.string))),
            ]
        )
    }

    private func face(in language: Language, asking secret: SecretKind) -> ScreenFace {
        guard isShown else { return ScreenFace() }
        var face = ScreenFace(title: isOn ? .disableSystemMode : .enableSystemMode)
        switch step {
        case .warning:
            face.texts = warning.sentences(in: language)
            if let obstacle { face.texts.append(obstacle.message().in(language)) }
            if obstacle == .recoveryKeyRequired { face.offer(.system(.makeRecoveryKey), .makeRecoveryKey) }
            if obstacle == nil { face.offer(.system(.agree), isOn ? .turnOff : .turnOn) }
            return face
        case .secret:
            face.offer(.system(.submitSecret), .unlock)
            if let biometry { face.offer(.system(.enableByBiometrics), Words(unlockWith: biometry)) }
        case .newSecret:
            face.texts = [Words(choosing: secret).in(language)]
            face.offer(.system(.submitSecret), .send)
        case .repeated:
            face.texts = [Words(repeating: secret).in(language)]
            face.offer(.system(.submitSecret), .send)
        case .recoverySecret:
            face.texts = [Words.recoveryKeyFirst.in(language)]
            face.offer(.system(.submitSecret), .unlock)
        case .recoveryKey:
            face.texts = [Words.recoveryKey.in(language), Words.writeItDown.in(language)]
            face.offer(.system(.showRecoveryKey), .recoveryKey)
            face.offer(.system(.recoveryKeyIsWritten), .writtenDown)
        case .recoveryKeyTyped:
            face.texts = [Words.typeItBack.in(language)]
            face.offer(.system(.submitSecret), .send)
        }
        face.offer(.system(.cancel), .cancel)
        return face
    }
}
