// The content of the string catalogue: the screens' texts, and the error catalogue's.
extension Words {
    /// All texts, without duplicates, unordered.
    package static var catalogue: Set<Words> {
        let codes = ErrorCode.allCases
        return Set(ours + settingsWords + SystemModeWarning.allCases.flatMap { $0.words })
            .union(firstStartWords).union(captureWords)
            .union(codes.flatMap(messages(of:))).union(codes.flatMap(hints(for:)))
            .union(accountWords)
    }

    private static let factors = [VaultPolicy.StrongFactor.localSecret, .accountPassword]

    private static func hints(for code: ErrorCode) -> [Words] {
        factors.flatMap { factor in
            [false, true].map { code.hint(recoveryKeyOpens: $0, asking: factor).sentence }
        }
    }

    private static func messages(of code: ErrorCode) -> [Words] {
        factors.flatMap { factor in
            [code.message(naming: nil, asking: factor)]
                + BiometricCapability.BiometryType.allCases.map { code.message(naming: $0, asking: factor) }
        }
    }
}
