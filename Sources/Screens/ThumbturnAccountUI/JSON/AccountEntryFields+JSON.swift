package import ThumbturnJSON
package import ThumbturnRules
import ThumbturnScreenJSON

extension AccountEntryFields {
    /// Every field of the screen, its words, and what it offers; of the policy, what keeps biometrics from being offered.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("capability", capability?.json ?? .null),
                ("error", error?.json ?? .null),
                ("existed", .bool(existed)),
                ("isBusy", .bool(isBusy)),
                ("isUnusual", .bool(isUnusual)),
                ("name", .string(name)),
                ("obstacle", obstacle?.json(in: language) ?? .null),
                ("step", .string(step.name)),
                ("wait", wait?.json ?? .null),
                ("way", .string(way.name)),
            ]
        )
    }

    private var obstacle: BiometricCapability.EnablingObstacle? {
        guard step == .offer, let capability, let policy else { return nil }
        return capability.obstacle(under: policy)
    }

    private var title: Words {
        switch step {
        case .way, .done: .account
        case .name, .password, .repeated, .offer, .offerPassword: way == .register ? .createAccount : .logIn
        }
    }

    private func face(in language: Language) -> ScreenFace {
        AccountFace.face(title, wait: wait, isBusy: isBusy, in: language) { page in
            switch step {
            case .way:
                page.say(.accountExplanation)
                page.offer(.entry(.choose(.register)), .createAccount)
                page.offer(.entry(.choose(.logIn)), .logIn)
                return
            case .name:
                page.say(.accountName)
                page.offer(.entry(.enterName(account: "")), .send)
            case .password:
                page.face.texts.append(name)
                if way == .register { page.adviseOnPassword() }
                page.ask(for: way == .register ? .choosePassword : .enterPassword, .entry(.submitSecret))
            case .repeated:
                if isUnusual { page.say(.unusualPassword) }
                page.ask(for: .repeatPassword, .entry(.submitSecret))
            case .offer:
                if existed { page.say(.accountExisted) }
                guard capability != nil, policy != nil else { return }
                page.say(.enableQuestion)
                page.face.offerBiometrics(unless: obstacle, in: language) { consent in
                    AccountScreenAction.entry(.answerOffer(consent: consent)).json
                }
                return
            case .offerPassword: page.ask(for: .enterPassword, .entry(.submitSecret))
            case .done: return
            }
            page.offer(.entry(.back), .back)
        }
    }
}

extension AccountFace {
    /// What a new password of an account has to be.
    mutating func adviseOnPassword() {
        say(ErrorCode.secretTooShort.message(asking: .accountPassword))
        say(.passwordAdvice)
    }
}

extension AccountEntryFields.Step {
    var name: String {
        switch self {
        case .way: "way"
        case .name: "name"
        case .password: "password"
        case .repeated: "repeated"
        case .offer: "offer"
        case .offerPassword: "offerPassword"
        case .done: "done"
        }
    }
}

extension AccountEntryFields.Way {
    var name: String {
        switch self {
        case .register: "register"
        case .logIn: "logIn"
        }
    }
}
