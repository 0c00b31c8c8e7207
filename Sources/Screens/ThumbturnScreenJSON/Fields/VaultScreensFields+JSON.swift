package import ThumbturnJSON
package import ThumbturnRules

extension VaultScreensFields {
    /// Every field of the screens around a vault, their words, and what they offer.
    package func json(in language: Language) -> JSON {
        .sorted(
            face.members(in: language) + [
                ("error", error?.json ?? .null),
                ("fault", JSON(fault)),
                ("isRecovering", .bool(isRecovering)),
                ("screen", .string(screen.name)),
            ]
        )
    }

    private var error: UserError? { if case .failed(let error) = screen { error } else { nil } }

    private var fault: String? { if case .misconfigured(let fault) = screen { fault } else { nil } }

    private var face: ScreenFace {
        var face = ScreenFace()
        switch screen {
        case .opening, .onboarding, .vault: return face
        case .failed: face.title = .vaultNotOpened
        case .misconfigured(let fault): (face.title, face.texts) = (.projectIncomplete, [fault])
        }
        face.offer(.app(.start), .askAgain)
        return face
    }
}
