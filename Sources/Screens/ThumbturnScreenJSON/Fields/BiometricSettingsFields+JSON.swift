package import ThumbturnJSON
package import ThumbturnRules

extension BiometricSettingsFields {
    /// Every field of the screen, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("asksSecretToDisable", .bool(asksSecretToDisable)),
                ("capability", capability.json),
                ("enabled", .bool(enabled)),
                ("error", error?.json ?? .null),
                ("isShown", .bool(isShown)),
                ("loading", .bool(loading)),
                ("obstacle", obstacle?.json(in: language) ?? .null),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        guard isShown else { return ScreenFace() }
        var face = ScreenFace(title: .biometricUnlock)
        if enabled {
            face.texts = [Words.turnOffQuestion.in(language)]
            face.offer(.biometrics(.disable(withSecret: asksSecretToDisable)), .turnOff)
        } else if let obstacle {
            face.texts = [Words(obstacle).in(language)]
        } else {
            face.texts = [Words.consent.in(language)]
            face.offer(.biometrics(.enable), .turnOn)
        }
        if error != nil { face.offer(.biometrics(.resetError), .send) }
        return face
    }
}
