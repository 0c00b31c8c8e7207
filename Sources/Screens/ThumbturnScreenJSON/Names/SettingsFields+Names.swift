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
