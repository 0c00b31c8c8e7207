package import ThumbturnJSON
package import ThumbturnRules
import ThumbturnScreenJSON

extension DeliveryFields {
    /// Every field of the line, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("count", JSON(count)),
                ("error", error?.json ?? .null),
                ("isBusy", .bool(isBusy)),
                ("isShown", .bool(isShown)),
                ("lastSent", JSON(lastSent)),
                ("maySend", .bool(maySend)),
                ("obstacle", JSON(obstacle?.name)),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        var face = ScreenFace()
        guard isShown else { return face }
        switch count {
        case 0: face.texts.append(Words.allSent.in(language))
        case 1: face.texts.append(Words.eventWaits.in(language))
        default: face.texts.append(Words.eventsWait.in(language, "\(count)"))
        }
        if let lastSent { face.texts.append(Words.lastSent.in(language, lastSent)) }
        if let obstacle { face.texts.append(Words(obstacle).in(language)) }
        if maySend { face.offer(.delivery(.send), .sendNow) }
        return face
    }
}

extension DeliveryFields.Obstacle {
    var name: String {
        switch self {
        case .needsLogin: "needsLogin"
        case .refused: "refused"
        case .contradicted: "contradicted"
        }
    }
}
