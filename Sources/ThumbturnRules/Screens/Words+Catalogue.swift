// What the string catalogue holds: the screens' words, and the error catalogue's.
extension Words {
    /// All of them, each once, in no order.
    package static var catalogue: Set<Words> {
        let codes = ErrorCode.allCases
        return Set(ours + SystemModeWarning.allCases.flatMap { $0.words })
            .union(codes.flatMap(messages(of:))).union(codes.flatMap(hints(for:)))
    }

    private static func hints(for code: ErrorCode) -> [Words] {
        [false, true].map { code.hint(recoveryKeyOpens: $0).sentence }
    }

    private static func messages(of code: ErrorCode) -> [Words] {
        [code.message()] + BiometricCapability.BiometryType.allCases.map { code.message(naming: $0) }
    }
}
