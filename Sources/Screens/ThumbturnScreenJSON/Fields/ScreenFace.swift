package import ThumbturnJSON
package import ThumbturnRules

/// The words of a screen as its view shows them, and what it offers.
package struct ScreenFace {
    package var title: Words?
    /// Below the title, in order; `%@` stands for the phrase that has to be typed.
    package var texts: [String] = []
    private var offers: [ScreenOffer] = []

    package init(title: Words? = nil) { self.title = title }

    mutating func offer(_ action: ScreenAction, _ label: Words) { offer(action.json, label) }

    /// Offers an action, which may be another room's.
    package mutating func offer(_ action: JSON, _ label: Words) {
        offers.append(ScreenOffer(action: action, label: label))
    }

    /// - Returns: the members of the screen's JSON.
    package func members(in language: Language) -> [(String, JSON)] {
        [
            ("offers", .array(offers.map { $0.json(in: language) })),
            ("texts", .array(texts.map(JSON.string))),
            ("title", JSON(title?.in(language))),
        ]
    }
}

extension JSON {
    /// Returns an object whose members are sorted by name: the one form of a screen.
    package static func sorted(_ members: [(String, JSON)]) -> JSON {
        .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
    }

    /// Creates an integer, at most the greatest that every reader represents exactly.
    package init(_ count: UInt64) { self = .integer(Int64(min(count, 1 << 53 - 1))) }
}
