// What the string catalogue holds: our own words, and the error catalogue's.
extension Word {
    /// Every word, each once, in no order.
    package static var catalogue: Set<Word> {
        let codes = ErrorCode.allCases
        return Set(ours + SystemModeWarning.allCases.flatMap(sentences(of:)))
            .union(codes.flatMap(messages(of:))).union(codes.flatMap(hints(for:)))
    }

    /// What the owner has to be told before the vault's mode changes.
    package static func sentences(of warning: SystemModeWarning) -> [Word] {
        zip(warning.sentences(in: .english), warning.sentences(in: .french)).map(Word.init)
    }

    /// What happened.
    package init(_ code: ErrorCode, naming biometry: BiometricCapability.BiometryType? = nil) {
        self.init(code.message(in: .english, naming: biometry), code.message(in: .french, naming: biometry))
    }

    /// The catalogue's hint as a sentence of its own.
    package init(hintFor code: ErrorCode, recoveryKeyOpens: Bool = false) {
        self.init(
            Self.sentence(code.hint(in: .english, recoveryKeyOpens: recoveryKeyOpens)),
            Self.sentence(code.hint(in: .french, recoveryKeyOpens: recoveryKeyOpens))
        )
    }

    private static func hints(for code: ErrorCode) -> [Word] {
        [false, true].map { Word(hintFor: code, recoveryKeyOpens: $0) }
    }

    private static func messages(of code: ErrorCode) -> [Word] {
        [Word(code)] + BiometricCapability.BiometryType.allCases.map { Word(code, naming: $0) }
    }

    private static func sentence(_ hint: String) -> String { hint.prefix(1).uppercased() + hint.dropFirst() + "." }
}
