package import ThumbturnJSON
package import ThumbturnRules
import ThumbturnScreenJSON

extension AccountScreensFields {
    /// Every field of the screens around an account's vault, their words, and what they offer.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("error", error?.json ?? .null),
                ("isElsewhere", .bool(isElsewhere)),
                ("isRemoved", .bool(isRemoved)),
                ("screen", .string(screen.name)),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        var face = ScreenFace()
        switch screen {
        case .opening, .entry, .move: break
        case .vault:
            if isRemoved { face.texts.append(Words.removedHere.in(language)) }
            if isElsewhere { face.offer(.account(.askAboutMove), .serviceElsewhereQuestion) }
        case .failed: face.offer(.account(.start), .askAgain)
        }
        return face
    }
}

extension AccountScreensFields.Screen {
    var name: String {
        switch self {
        case .opening: "opening"
        case .entry: "entry"
        case .move: "move"
        case .vault: "vault"
        case .failed: "failed"
        }
    }
}
