package import ThumbturnJSON
package import ThumbturnRules
import ThumbturnScreenJSON

extension PasswordChangeFields {
    /// Every field of the screen, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("error", error?.json ?? .null),
                ("isBusy", .bool(isBusy)),
                ("isSame", .bool(isSame)),
                ("isUncertain", .bool(isUncertain)),
                ("isUnusual", .bool(isUnusual)),
                ("step", .string(step.name)),
                ("wait", wait?.json ?? .null),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        AccountFace.face(.changePassword, wait: wait, isBusy: isBusy, in: language) { page in
            if isUncertain { page.say(.passwordUncertain) }
            if isSame { page.say(.samePassword) }
            switch step {
            case .present:
                page.ask(for: .enterPassword, .password(.submitSecret))
                return
            case .new:
                page.adviseOnPassword()
                page.ask(for: .choosePassword, .password(.submitSecret))
            case .repeated:
                if isUnusual { page.say(.unusualPassword) }
                page.ask(for: .repeatPassword, .password(.submitSecret))
            case .done:
                page.say(.changedEverywhere)
                page.say(.changeLeaves)
                return
            }
            page.offer(.password(.startAgain), .cancel)
        }
    }
}

extension PasswordChangeFields.Step {
    var name: String {
        switch self {
        case .present: "present"
        case .new: "new"
        case .repeated: "repeated"
        case .done: "done"
        }
    }
}
