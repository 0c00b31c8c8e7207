package import ThumbturnJSON
package import ThumbturnRules

extension PINChangeFields {
    /// Every field of the screen, its words, and what it offers.
    ///
    /// - Parameter secret: the kind of secret that the owner types.
    package func json(in language: Language, asking secret: SecretKind = .pin(length: nil)) -> JSON {
        .sorted(
            face(in: language, asking: secret).members(in: language) + [
                ("advice", JSON(advice)),
                ("error", error?.json ?? .null),
                ("keepsBiometrics", .bool(keepsBiometrics)),
                ("loading", .bool(loading)),
                ("obstacle", obstacle?.json(in: language) ?? .null),
                ("step", .string(step.name)),
            ]
        )
    }

    private func face(in language: Language, asking secret: SecretKind) -> ScreenFace {
        var face = ScreenFace(title: secret == .password ? .changePassword : .changePIN)
        if let obstacle {
            face.texts = [obstacle.message().in(language)]
            return face
        }
        switch step {
        case .present: face.texts = [advice, Words(entering: secret).in(language)].compactMap(\.self)
        case .new: face.texts = [Words(choosing: secret).in(language)]
        case .repeated: face.texts = [Words(repeating: secret).in(language)]
        case .done:
            face.texts = [(secret == .password ? Words.passwordChanged : .pinChanged).in(language)]
            if keepsBiometrics { face.texts.append(Words.biometricsStay.in(language)) }
            face.offer(.pin(.cancel), .done)
            return face
        }
        face.offer(.pin(.submitSecret), .send)
        face.offer(.pin(.cancel), .cancel)
        return face
    }
}
