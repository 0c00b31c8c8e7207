package import ThumbturnJSON

/// What stands in the JSON of an action besides its screen.
package struct ActionForm {
    /// The most bytes of an action.
    package static let maximumByteCount = 4_096
    /// The value of the member that says: a secret comes beside the JSON.
    static let taken = "taken"

    /// The action's name.
    package let name: String
    /// What it needs.
    package let members: [(String, JSON)]
    /// Whether a secret comes beside it.
    package let takesSecret: Bool

    package init(_ name: String, _ members: [(String, JSON)] = [], takesSecret: Bool = false) {
        (self.name, self.members, self.takesSecret) = (name, members, takesSecret)
    }

    /// The one form of the action as JSON, members sorted by name.
    package func json(on screen: String) -> JSON {
        var all = members + [("name", .string(name)), ("screen", .string(screen))]
        if takesSecret { all.append(("secret", .string(Self.taken))) }
        return .sorted(all)
    }
}
