package import ThumbturnJSON
package import ThumbturnRules
import ThumbturnScreenJSON

extension AccountMoveFields {
    /// Every field of the screen, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("addresses", ["asked": .string(addresses.asked), "known": .string(addresses.known)]),
                ("error", error?.json ?? .null),
                ("isBusy", .bool(isBusy)),
                ("step", .string(step.name)),
                ("wait", wait?.json ?? .null),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        AccountFace.face(.serviceElsewhereQuestion, wait: wait, isBusy: isBusy, in: language) { page in
            page.say(.serviceKnownAt, addresses.known)
            page.say(.serviceAskedAt, addresses.asked)
            switch step {
            case .question:
                page.say(.followWarning)
                page.offer(.move(.agree), .follow)
                page.offer(.account(.stay), .notNow)
            case .password:
                page.ask(for: .enterPassword, .move(.submitSecret))
                page.offer(.move(.back), .back)
            case .done: break
            }
        }
    }
}

extension AccountMoveFields.Step {
    var name: String {
        switch self {
        case .question: "question"
        case .password: "password"
        case .done: "done"
        }
    }
}
