package import ThumbturnJSON
package import ThumbturnRules

extension SystemSettingsFields {
    /// Every field of the screen, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
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

    private func face(in language: Language) -> ScreenFace {
        guard isShown else { return ScreenFace() }
        var face = ScreenFace(title: isOn ? .disableSystemMode : .enableSystemMode)
        switch step {
        case .warning:
            face.texts = warning.sentences(in: language)
            if let obstacle { face.texts.append(obstacle.message().in(language)) }
            if obstacle == .recoveryKeyRequired { face.offer(.system(.makeRecoveryKey), .makeRecoveryKey) }
            if obstacle == nil { face.offer(.system(.agree), isOn ? .turnOff : .turnOn) }
            return face
        case .secret: face.offer(.system(.submitSecret), .unlock)
        case .newSecret:
            face.texts = [Words.choosePIN.in(language)]
            face.offer(.system(.submitSecret), .send)
        case .repeated:
            face.texts = [Words.repeatPIN.in(language)]
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
