import ThumbturnRules

// What the field for the owner's secret says above it.
extension Words {
    init(entering secret: SecretKind) { self = secret == .password ? .enterPassword : .enterPIN }

    init(choosing secret: SecretKind) { self = secret == .password ? .choosePassword : .choosePIN }

    init(repeating secret: SecretKind) { self = secret == .password ? .repeatPassword : .repeatPIN }
}
