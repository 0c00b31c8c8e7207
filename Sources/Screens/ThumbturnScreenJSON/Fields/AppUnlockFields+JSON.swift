package import ThumbturnJSON
package import ThumbturnRules

extension AppUnlockFields {
    /// Every field of the screen, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("biometry", JSON(biometry?.name)),
                ("error", error?.json ?? .null),
                ("failedAttempts", .integer(Int64(failedAttempts))),
                ("failedSecrets", .integer(Int64(failedSecrets))),
                ("isBusy", .bool(isBusy)),
                ("isCovered", .bool(isCovered)),
                ("leadsOut", .bool(leadsOut)),
                ("notice", notice?.json ?? .null),
                ("reason", JSON(reason?.name)),
                ("scope", JSON(scope?.name)),
                ("screen", screen.json(in: language)),
                ("secretAdvice", JSON(secretAdvice)),
                ("state", .string(state.rawValue)),
            ]
        )
    }
}

extension AppUnlockFields.Screen {
    fileprivate func json(in language: Language) -> JSON {
        var members: [(String, JSON)] = [("name", .string(name))]
        switch self {
        case .completion(let step): members.append(("step", .string(step.name)))
        case .olderCopy(let step): members.append(("step", .string(step.name)))
        case .wait(let countdown): members.append(("countdown", countdown.json))
        case .recovery(let cause): members.append(("error", cause.json(in: language)))
        case .opening, .content, .offer, .prompt, .secret, .system, .reopen, .reset, .erased: break
        }
        return .sorted(members)
    }
}
