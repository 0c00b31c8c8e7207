import ThumbturnJSON
import ThumbturnRules

/// The words of a screen as its view shows them, and what it offers.
struct ScreenFace {
    var title: Words?
    /// Below the title, in order; `%@` stands for the phrase that has to be typed.
    var texts: [String] = []
    var offers: [ScreenOffer] = []

    mutating func offer(_ action: ScreenAction, _ label: Words) {
        offers.append(ScreenOffer(action: action, label: label))
    }

    /// - Returns: the members of the screen's JSON.
    func members(in language: Language) -> [(String, JSON)] {
        [
            ("offers", .array(offers.map { $0.json(in: language) })),
            ("texts", .array(texts.map(JSON.string))),
            ("title", JSON(title?.in(language))),
        ]
    }
}

extension JSON {
    /// Returns an object whose members are sorted by name: the one form of a screen.
    static func sorted(_ members: [(String, JSON)]) -> JSON {
        .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }
}
