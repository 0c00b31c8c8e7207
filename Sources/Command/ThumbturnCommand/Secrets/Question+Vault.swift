import Thumbturn
import ThumbturnConsole
import ThumbturnRules

// The questions that commands ask.
extension Question {
    static let pin = Question(
        label: Words("PIN or password", "Code ou mot de passe"),
        limit: LocalSecretRules.mostBytes,
        tooLong: .secretMalformed
    )
    static let password = pin.naming(.accountPassword)
    static let formerPIN = Question(
        label: Words("PIN or password of the file", "Code ou mot de passe du fichier"),
        limit: LocalSecretRules.mostBytes,
        tooLong: .secretMalformed
    )
    /// Asks for a new PIN or password, and states its rules.
    static func newPIN(under assurance: Assurance) -> Question {
        let digits =
            assurance == .softwareFile ? LocalSecretRules.leastDigitsInSoftware : LocalSecretRules.leastDigits
        let characters = LocalSecretRules.leastCharacters
        return Question(
            label: Words(
                "New PIN or password (at least \(digits) digits or \(characters) characters, nothing like 123456)",
                "Nouveau code ou mot de passe (au moins \(digits) chiffres ou \(characters) caractères, rien de tel que 123456)"
            ),
            limit: LocalSecretRules.mostBytes,
            tooLong: .secretMalformed
        )
    }
    static let newPassword = Question(
        label: Words(
            "New password (at least \(LocalSecretRules.leastCharacters) characters, nothing like 12345678)",
            "Nouveau mot de passe (au moins \(LocalSecretRules.leastCharacters) caractères, rien de tel que 12345678)"
        ),
        limit: LocalSecretRules.mostBytes,
        tooLong: .secretMalformed
    )
    /// Asks for a new PIN as a line of input, where the question is not shown.
    static let newPIN = newPIN(under: .hardwareBound)
    static let newPINAgain = Question(
        label: Words("The same again", "Encore une fois"),
        limit: LocalSecretRules.mostBytes,
        tooLong: .secretMalformed
    )
    static let recoveryKey = Question(
        label: Words("Recovery key", "Clé de secours"),
        limit: 1_024,
        tooLong: .recoveryKeyMalformed
    )
    static let recoveryKeyAgain = Question(
        label: Words("Type it back", "Retapez-la"),
        limit: 1_024,
        tooLong: .recoveryKeyMalformed
    )
    static let mnemonic = Question(
        label: Words("Mnemonic (BIP-39)", "Phrase (BIP-39)"),
        limit: 4_096,
        tooLong: .mnemonicLengthWrong
    )
    /// Asks for the remaining words.
    static func moreWords(after count: Int) -> Question {
        Question(
            label: Words(
                "Word \(count + 1) and following (Enter to end)",
                "Mot \(count + 1) et suivants (Entrée pour finir)"
            ),
            limit: mnemonic.limit,
            tooLong: .mnemonicLengthWrong
        )
    }
    /// Asks for a single word.
    static func word(_ number: Int, tooLong: ErrorCode = .mnemonicWordUnknown) -> Question {
        Question(label: Words("Word \(number)", "Mot \(number)"), limit: 64, tooLong: tooLong)
    }
    static let privateKey = Question(
        label: Words("Private key (hexadecimal)", "Clé privée (hexadécimal)"),
        limit: 1_024,
        tooLong: .privateKeyMalformed
    )
    static let opaque = Question(label: Words("Secret"), limit: 1 << 20, tooLong: .secretSizeWrong, isAnyBytes: true)
    static let credential = Question(
        label: Words("Credential", "Identifiant"),
        limit: 1 << 20,
        tooLong: .secretSizeWrong,
        isAnyBytes: true
    )
    /// Asks for a name and a mnemonic.
    static let bulkLine = Question(label: Words("NAME<TAB>MNEMONIC", "NOM<TAB>PHRASE"), limit: 8_192, tooLong: .usage)
    static let walletName = Question(
        label: Words(
            "Type the wallet's name to delete it permanently",
            "Tapez le nom du portefeuille pour le supprimer définitivement"
        ),
        limit: 1_024,
        tooLong: .confirmationMissing,
        isHidden: false
    )
    static let otherWalletName = Question(
        label: Words("Name of the wallet under the PIN", "Nom du portefeuille sous le code"),
        limit: 1_024,
        tooLong: .nameInvalid,
        isHidden: false
    )
    static let olderCopy = Question(
        label: Words(
            "Changes since this copy was made are lost. Type \(OlderCopyConfirmation.phrase)",
            "Les changements faits depuis cette copie sont perdus. Tapez \(OlderCopyConfirmation.phrase)"
        ),
        limit: 64,
        tooLong: .confirmationMissing,
        isHidden: false
    )
    static let accountName = Question(
        label: Words(
            "Type the account's name to close it permanently",
            "Tapez le nom du compte pour le fermer définitivement"
        ),
        limit: 1_024,
        tooLong: .confirmationMissing,
        isHidden: false
    )
    static let reset = Question(
        label: Words(
            "Everything will be erased. Type \(ResetConfirmation.phrase)",
            "Tout sera effacé. Tapez \(ResetConfirmation.phrase)"
        ),
        limit: 64,
        tooLong: .confirmationMissing,
        isHidden: false
    )

    /// Returns the same question, worded for a vault that an account's password opens.
    private func naming(_ factor: VaultPolicy.StrongFactor) -> Question {
        Question(label: label.naming(factor), limit: limit, tooLong: tooLong)
    }

    static func opening(_ factor: VaultPolicy.StrongFactor) -> Question { factor == .localSecret ? .pin : .password }

    static func secret(of kind: WalletKind) -> Question {
        switch kind {
        case .mnemonic: .mnemonic
        case .privateKey: .privateKey
        case .opaque: .opaque
        }
    }
}
