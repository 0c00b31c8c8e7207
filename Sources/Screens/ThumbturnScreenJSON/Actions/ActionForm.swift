package import ThumbturnJSON

/// What stands in the JSON of an action besides its screen.
package struct ActionForm {
    /// The most bytes of an action.
    package static let maximumByteCount = 4_096

    /// The action's name.
    package let name: String
    /// What it needs.
    package let members: [(String, JSON)]
    /// Whether a secret comes beside it.
    package let takesSecret: Bool

    package init(_ name: String, _ members: [(String, JSON)] = [], takesSecret: Bool = false) {
        (self.name, self.members, self.takesSecret) = (name, members, takesSecret)
    }
}
