import ThumbturnRules

extension PINChangeFields.Step {
    var name: String {
        switch self {
        case .present: "present"
        case .new: "new"
        case .repeated: "repeated"
        case .done: "done"
        }
    }
}

extension RecoveryKeyFields.Step {
    var name: String {
        switch self {
        case .start: "start"
        case .secret: "secret"
        case .key: "key"
        case .typed: "typed"
        case .done: "done"
        }
    }
}

extension WordsFields.Step {
    var name: String {
        switch self {
        case .secret: "secret"
        case .words: "words"
        case .question: "question"
        case .done: "done"
        }
    }
}

extension BackupFields.Step {
    var name: String {
        switch self {
        case .start: "start"
        case .secret: "secret"
        case .running: "running"
        case .made: "made"
        }
    }
}

extension BackupAdvice {
    var name: String {
        switch self {
        case .recoveryKey: "recoveryKey"
        case .backup: "backup"
        }
    }
}

extension VaultPolicy.StrongFactor {
    var name: String {
        switch self {
        case .localSecret: "localSecret"
        case .accountPassword: "accountPassword"
        }
    }
}
