package import ThumbturnJSON
package import ThumbturnRules

extension OnboardingFields {
    /// Every field of the screen, its words, and what it offers.
    ///
    /// - Parameter secret: the kind of secret that the owner chooses.
    package func json(in language: Language, asking secret: SecretKind = .pin(length: nil)) -> JSON {
        .sorted(
            face(in: language, asking: secret).members(in: language) + [
                ("capability", capability?.json ?? .null),
                ("error", error?.json ?? .null),
                ("isBusy", .bool(isBusy)),
                ("obstacle", obstacle?.json(in: language) ?? .null),
                ("step", .string(step.name)),
            ]
        )
    }

    private var capability: BiometricCapability? {
        if case .biometrics(let capability) = step { capability } else { nil }
    }

    private func face(in language: Language, asking secret: SecretKind) -> ScreenFace {
        var face = ScreenFace()
        switch step {
        case .secret:
            face.texts = [Words(choosing: secret).in(language), Words.keepSecretInMind.in(language)]
            face.offer(.onboarding(.submitSecret), .send)
        case .repeated:
            face.texts = [Words(repeating: secret).in(language)]
            face.offer(.onboarding(.submitSecret), .send)
        case .biometrics:
            face.title = .enableQuestion
            face.offerBiometrics(unless: obstacle, in: language) { consent in
                ScreenAction.onboarding(.answer(consent: consent)).json
            }
        case .making, .done: face.texts = [Words.makingVault.in(language)]
        case .withoutBiometrics:
            face.title = .vaultIsReady
            face.offer(.onboarding(.goOn), .goOn)
        }
        return face
    }
}
