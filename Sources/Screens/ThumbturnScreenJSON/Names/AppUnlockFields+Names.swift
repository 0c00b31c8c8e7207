import ThumbturnRules

// The words for what an unlock screen shows, as they stand in JSON: added, never changed.
extension AppUnlockFields.Screen {
    /// The kind of screen.
    var name: String {
        switch self {
        case .opening: "opening"
        case .content: "content"
        case .offer: "offer"
        case .completion: "completion"
        case .olderCopy: "olderCopy"
        case .prompt: "prompt"
        case .secret: "secret"
        case .system: "system"
        case .reopen: "reopen"
        case .wait: "wait"
        case .recovery: "recovery"
        case .reset: "reset"
        case .erased: "erased"
        }
    }
}

extension CompletionStep {
    var name: String {
        switch self {
        case .secret: "secret"
        case .newSecret: "newSecret"
        case .walletName: "walletName"
        case .withoutBiometrics: "withoutBiometrics"
        }
    }
}

extension OlderCopyStep {
    var name: String {
        switch self {
        case .question: "question"
        case .secret: "secret"
        }
    }
}

extension SystemSettingsFields.Step {
    var name: String {
        switch self {
        case .warning: "warning"
        case .secret: "secret"
        case .newSecret: "newSecret"
        case .repeated: "repeated"
        case .recoverySecret: "recoverySecret"
        case .recoveryKey: "recoveryKey"
        case .recoveryKeyTyped: "recoveryKeyTyped"
        }
    }
}
