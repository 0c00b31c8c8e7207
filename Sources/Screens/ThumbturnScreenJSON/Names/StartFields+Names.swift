import ThumbturnRules

extension VaultScreensFields.Screen {
    var name: String {
        switch self {
        case .opening: "opening"
        case .onboarding: "onboarding"
        case .vault: "vault"
        case .failed: "failed"
        case .misconfigured: "misconfigured"
        }
    }
}

extension OnboardingFields.Step {
    var name: String {
        switch self {
        case .secret: "secret"
        case .repeated: "repeated"
        case .biometrics: "biometrics"
        case .making: "making"
        case .withoutBiometrics: "withoutBiometrics"
        case .done: "done"
        }
    }
}

extension RecoverFields.Step {
    var name: String {
        switch self {
        case .opening: "opening"
        case .key: "key"
        case .olderCopy: "olderCopy"
        case .newSecret: "newSecret"
        case .repeated: "repeated"
        case .working: "working"
        case .opened: "opened"
        case .erase: "erase"
        case .done: "done"
        }
    }
}
